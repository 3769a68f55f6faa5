#include "monitor.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <thread>

#include "text.hpp"

namespace simt::detail {

namespace {

void const* code_at(std::uint32_t offset) {
    return reinterpret_cast<void const*>(image().base + offset);
}

bool writes(access_kind kind) {
    switch (kind) {
        case access_kind::read:
        case access_kind::volatile_read:
        case access_kind::atomic_read:
            return false;
        default:
            return true;
    }
}

bool reads(access_kind kind) {
    return kind == access_kind::atomic || !writes(kind);
}

// A thread that polls lets others run after this many reads; a block that polls this often in vain is given up.
constexpr unsigned polls_a_turn = 64;
constexpr unsigned polls_in_vain = 1U << 24;

class word_lock {
  public:
    explicit word_lock(std::atomic_flag& flag) : flag_(flag) {
        while (flag_.test_and_set(std::memory_order_acquire)) {
        }
    }
    word_lock(word_lock const&) = delete;
    word_lock& operator=(word_lock const&) = delete;
    ~word_lock() { flag_.clear(std::memory_order_release); }

  private:
    std::atomic_flag& flag_;
};

bool is_aligned(std::uintptr_t address, std::size_t bytes) {
    return bytes > 16 || !std::has_single_bit(bytes) || address % bytes == 0;
}

std::string count_text(std::size_t bytes) {
    return concat(bytes, bytes == 1 ? " byte" : " bytes");
}

}  // namespace

monitor::monitor(launch_context& launch, watch_context& shared)
    : launch_(launch),
      shared_(shared),
      checks_(launch.config.checks),
      counts_(launch.config.counters),
      shared_low_(thread_local_range().first & ~(word_bytes - 1)),
      shared_bytes_(thread_local_range().second + word_bytes),
      code_low_(image().base),
      dynamic_low_(reinterpret_cast<std::uintptr_t>(dynamic_shared())),
      shared_words_(shared_bytes_),
      shared_written_((shared_bytes_ + word_bytes - 1) / word_bytes),
      clocks_(shared.locations, launch.threads),
      trace_(launch.threads) {}

void monitor::begin(block& watched) {
    block_ = &watched;
    life_ = shared_.first_block + static_cast<std::uint32_t>(watched.index());
    clocks_.begin(life_);
    trace_.begin();
}

void monitor::end() {
    for (unsigned w = 0; w < block_->warps().size(); ++w) trace_.replay(w, 0, sum_);
}

monitor::place monitor::locate(std::uintptr_t address) {
    fiber const& own = *block_->current().runs_on;
    if (address - reinterpret_cast<std::uintptr_t>(own.stack) < own.stack_bytes) return {space::own_stack};
    if (address - shared_low_ < shared_bytes_) return {space::shared, nullptr, shared_low_};
    if (last_region_ == nullptr || address - last_region_->low >= last_region_->bytes) {
        region* const found = shared_.regions.find(address);
        if (found == nullptr) {
            auto const parameters = reinterpret_cast<std::uintptr_t>(launch_.call.parameters);
            bool const is_parameter = address - parameters < launch_.call.parameter_bytes;
            if (is_parameter || image().is_constant(address)) return {space::constant};
            return {space::global};
        }
        last_region_ = found;
    }
    return {space::global, last_region_, last_region_->low & ~(word_bytes - 1)};
}

void monitor::access(std::uintptr_t address, std::size_t bytes, access_kind kind, void const* code) {
    place const at = locate(address);
    if (at.in == space::own_stack || at.in == space::constant) return;
    if (kind >= access_kind::volatile_read && reads(kind)) notice_polling(address, kind, code);
    if (checks_) {
        if (!is_inside(at, address, bytes) || !is_aligned(address, bytes)) {
            report_fault(at, address, bytes, kind, code);
            block_->abort();
        }
        check(at, address, bytes, kind, code);
    }
    if (counts_) record(at, address, bytes, kind, code);
}

bool monitor::is_inside(place const& at, std::uintptr_t address, std::size_t bytes) const {
    if (at.in == space::global) {
        return at.memory != nullptr && address - at.memory->low + bytes <= at.memory->bytes;
    }
    std::size_t const offset = address - dynamic_low_;
    bool const is_static = offset >= launch_.config.limits.shared_bytes;
    return is_static || offset + bytes <= launch_.config.shared_bytes;
}

void monitor::report_fault(place const& at, std::uintptr_t address, std::size_t bytes, access_kind kind,
                           void const* code) {
    raw_finding found;
    found.where = here(kind, code);
    found.address = address;
    found.memory = at.in == space::shared ? "shared memory" : at.memory != nullptr ? at.memory->name : "";
    if (is_inside(at, address, bytes)) {
        found.kind = finding_kind::misaligned;
        found.detail = concat("which is no multiple of the ", bytes, " bytes accessed");
    } else {
        found.kind = finding_kind::out_of_bounds;
        found.detail = at.in == space::shared ? beyond_shared(address, bytes)
                       : at.memory != nullptr ? concat(count_text(bytes), " that begin inside and end past its end")
                                              : beside_memory(address);
    }
    launch_.findings.add(std::move(found));
}

std::string monitor::beyond_shared(std::uintptr_t address, std::size_t bytes) const {
    std::size_t const size = launch_.config.shared_bytes;
    return concat(count_text(address - dynamic_low_ + bytes - size), " past the end of the block's ", count_text(size),
                  " of dynamic shared memory");
}

std::string monitor::beside_memory(std::uintptr_t address) const {
    region const* const near = shared_.regions.nearest(address);
    if (near == nullptr) return "which no registered memory holds";
    bool const before = address < near->low;
    std::size_t const distance = before ? near->low - address : address - near->low - near->bytes;
    // farther away than its own size, it is hardly what was meant
    if (distance >= std::max<std::size_t>(4096, near->bytes)) return "which no registered memory holds";
    return concat(count_text(distance), before ? " before the begin of " : " past the end of ", near->name, " (",
                  count_text(near->bytes), ")");
}

void monitor::check(place const& at, std::uintptr_t address, std::size_t bytes, access_kind kind, void const* code) {
    // In shared memory volatile orders nothing. In global memory it is how flags are read and written: a relaxed
    // atomic.
    bool const synchronises =
        kind >= access_kind::atomic_read || (at.in == space::global && kind >= access_kind::volatile_read);
    unsigned const thread = block_->current().rank;
    clocks_.settle(thread);
    if (synchronises) clocks_.synchronise(thread, address, reads(kind), writes(kind));
    for (std::uintptr_t from = address; from < address + bytes;) {
        std::size_t const word = (from - at.low) / word_bytes;
        std::size_t const offset = (from - at.low) % word_bytes;
        std::size_t const part = std::min(word_bytes - offset, address + bytes - from);
        unsigned const mask = ((1U << part) - 1U) << offset;
        check_word(at, word, mask, from, kind, synchronises, code);
        check_written(at, word, mask, from, kind, code);
        from += part;
    }
}

void monitor::check_word(place const& at, std::size_t word, unsigned mask, std::uintptr_t address, access_kind kind,
                         bool is_atomic, void const* code) {
    unsigned const thread = block_->current().rank;
    moment const now = clocks_.now(thread);
    touch mine;
    mine.block = now.block;
    mine.epoch = now.epoch;
    mine.code = offset_of(code);
    mine.thread = thread & 0x3ffU;
    mine.bytes = mask & 0xfU;
    mine.is_write = writes(kind);
    mine.is_atomic = is_atomic;
    std::optional<touch> earlier;
    if (at.in == space::shared) {
        earlier = remember(shared_words_[word], mine, {now.block, now.block}, clocks_);
    } else {
        __builtin_prefetch(&at.memory->words[word + 1], 1);  // the next lane's: most warps touch neighbours
        word_lock const lock(at.memory->lock_of(word));
        earlier = remember(at.memory->words[word], mine, {shared_.first_block, shared_.last_block()}, clocks_);
    }
    if (earlier) report_race(at, *earlier, address, kind, code);
}

void monitor::check_written(place const& at, std::size_t word, unsigned mask, std::uintptr_t address, access_kind kind,
                            void const* code) {
    bool was_written = true;
    if (at.in == space::shared) {
        std::uint64_t& entry = shared_written_[word];
        if (entry >> 4 != life_) entry = std::uint64_t{life_} << 4;
        was_written = (entry & mask) == mask;
        if (writes(kind)) entry |= mask;
    } else if (at.memory->written != nullptr) {
        auto& entry = at.memory->written[word];
        was_written = (entry.load(std::memory_order_relaxed) & mask) == mask;
        if (writes(kind)) entry.fetch_or(static_cast<std::uint8_t>(mask), std::memory_order_relaxed);
    }
    if (!reads(kind) || was_written) return;
    raw_finding found;
    found.kind = finding_kind::uninitialised_read;
    found.where = here(kind, code);
    found.address = address;
    found.memory = at.memory == nullptr ? "shared memory" : at.memory->name;
    launch_.findings.add(std::move(found));
}

void monitor::report_race(place const& at, touch const& earlier, std::uintptr_t address, access_kind kind,
                          void const* code) {
    bool const shared = at.in == space::shared;
    unsigned const thread = block_->current().rank;
    bool const same_block = earlier.block == clocks_.block();
    raw_finding found;
    found.kind = shared ? finding_kind::shared_race : finding_kind::global_race;
    found.where = here(kind, code);
    found.other = {code_at(earlier.code),
                   same_block ? block_->index() : (earlier.block - shared_.first_block) % launch_.blocks,
                   earlier.thread, earlier.is_write != 0, earlier.is_atomic != 0};
    found.has_other = true;
    found.address = address;
    found.memory = shared ? "shared memory" : at.memory->name;
    found.missing = !same_block                          ? "a fence and an atomic, or a second launch"
                    : earlier.thread / 32 != thread / 32 ? "__syncthreads()"
                                                         : "__syncwarp()";
    launch_.findings.add(std::move(found));
}

raw_point monitor::here(access_kind kind, void const* code) const {
    return {code, block_->index(), block_->current().rank, writes(kind), kind >= access_kind::atomic_read};
}

void monitor::report_vain_polling(std::uintptr_t address, access_kind kind, void const* code) {
    raw_finding found;
    found.kind = finding_kind::deadlock;
    found.where = here(kind, code);
    found.address = address;
    found.detail = concat("and has polled it ", polls_, " times while no other thread of the block did anything else");
    launch_.findings.add(std::move(found));
}

// Threads run until they wait, so one that polls a flag would never see it change.
void monitor::notice_polling(std::uintptr_t address, access_kind kind, void const* code) {
    unsigned const thread = block_->current().rank;
    if (address != polled_ || (thread != polling_thread_ && polls_ < polls_a_turn)) {
        polled_ = address;
        polls_ = 0;
    }
    polling_thread_ = thread;
    if (++polls_ % polls_a_turn != 0) return;
    if (polls_ >= polls_in_vain) {
        report_vain_polling(address, kind, code);
        block_->abort();
    }
    std::this_thread::yield();  // another host thread may run the block that is waited for
    block_->yield();
}

void monitor::record(place const& at, std::uintptr_t address, std::size_t bytes, access_kind kind, void const* code) {
    bool const shared = at.in == space::shared;
    event_kind const what = kind == access_kind::atomic ? (shared ? event_kind::shared_atomic : event_kind::global_atomic)
                            : writes(kind)              ? (shared ? event_kind::shared_store : event_kind::global_store)
                                                        : (shared ? event_kind::shared_load : event_kind::global_load);
    // larger objects move in parts of at most 16 bytes, each as large as its alignment allows
    while (bytes > 0) {
        std::size_t const aligned = std::size_t{1} << std::min(4, std::countr_zero(address | 16U));
        std::size_t const part = std::min(aligned, std::bit_floor(bytes));
        if (!trace_.record(event(code, what, part), address)) block_->wait_for_trace();
        address += part;
        bytes -= part;
    }
}

void monitor::fence(fence_scope scope) {
    if (counts_) ++sum_.fences;
    if (!checks_) return;
    settle();
    clocks_.fence(block_->current().rank, scope);
}

void monitor::settle() {
    if (checks_) clocks_.settle(block_->current().rank);
}

void monitor::pass_block_barrier() {
    if (checks_) clocks_.block_barrier();
    if (!counts_) return;
    for (unsigned w = 0; w < block_->warps().size(); ++w) {
        warp_state const& warp = block_->warps()[w];
        sum_.barriers += (warp.exists & ~warp.finished) != 0;
        trace_.replay(w, 0, sum_);
    }
}

void monitor::pass_grid_barrier() {
    pass_block_barrier();
    if (checks_) clocks_.begin(shared_.first_block + static_cast<std::uint32_t>(block_->index()));
}

void monitor::pass_warp_operation(unsigned warp, unsigned lanes, warp_op op) {
    if (checks_ && op == warp_op::sync) clocks_.warp_barrier(warp, lanes);
    if (!counts_) return;
    if (op == warp_op::sync) {
        ++sum_.warp_barriers;
    } else if (op <= warp_op::shuffle_xor) {
        ++sum_.shuffles;
    } else if (op <= warp_op::match_all) {
        ++sum_.votes;
    } else if (op != warp_op::active_mask) {
        ++sum_.warp_reductions;
    }
}

unsigned monitor::drain_trace(unsigned warp) {
    if (!counts_) return 0;
    thread_state const* const threads = block_->threads().data() + std::size_t{warp} * 32;
    unsigned full = 0;
    for (unsigned rest = block_->warps()[warp].exists & ~block_->warps()[warp].finished; rest != 0; rest &= rest - 1) {
        int const lane = std::countr_zero(rest);
        if (threads[lane].waits_for == wait_kind::trace_full) full |= 1U << lane;
    }
    if (full == 0) return 0;
    trace_.replay(warp, full, sum_);
    return full & trace_.empty_lanes(warp);
}

}  // namespace simt::detail
