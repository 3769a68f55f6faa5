#include "monitor.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <thread>

namespace simt::detail {

namespace {

// A thread that polls lets others run after this many reads; a block that polls this often in vain is given up.
constexpr unsigned polls_a_turn = 64;
constexpr unsigned polls_in_vain = 1U << 24;

class word_lock {
  public:
    explicit word_lock(std::atomic_flag* flag) : flag_(flag) {
        while (flag_ != nullptr && flag_->test_and_set(std::memory_order_acquire)) {
        }
    }
    word_lock(word_lock const&) = delete;
    word_lock& operator=(word_lock const&) = delete;
    ~word_lock() {
        if (flag_ != nullptr) flag_->clear(std::memory_order_release);
    }

  private:
    std::atomic_flag* flag_;
};

bool is_aligned(std::uintptr_t address, std::size_t bytes) {
    return bytes > 16 || !std::has_single_bit(bytes) || address % bytes == 0;
}

}  // namespace

shared_memory_watch::shared_memory_watch()
    : low(thread_local_range().first & ~(word_bytes - 1)),
      bytes(thread_local_range().second + word_bytes),
      words(bytes),
      written((bytes + word_bytes - 1) / word_bytes) {}

monitor::monitor(launch_context& launch, watch_context& shared, shared_memory_watch& block_memory)
    : launch_(launch),
      shared_(shared),
      checks_(launch.config.checks),
      counts_(launch.config.counters),
      block_memory_(block_memory),
      code_low_(image().base),
      parameters_low_(reinterpret_cast<std::uintptr_t>(launch.call.parameters)),
      parameter_bytes_(launch.call.parameter_bytes),
      dynamic_low_(reinterpret_cast<std::uintptr_t>(dynamic_shared())),
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

inline monitor::place monitor::locate(std::uintptr_t address) {
    if (address - block_memory_.low < block_memory_.bytes) return {space::shared, nullptr, block_memory_.low};
    bool const again = last_region_ != nullptr && address - last_region_->low < last_region_->bytes;
    return again ? in_region(*last_region_) : locate_anywhere(address);
}

[[gnu::noinline]] monitor::place monitor::locate_anywhere(std::uintptr_t address) {
    if (region* const found = shared_.regions.find(address)) {
        last_region_ = found;
        return in_region(*found);
    }
    return {image().is_constant(address) ? space::constant : space::global};
}

bool monitor::is_inside(place const& at, std::uintptr_t address, std::size_t bytes) const {
    if (at.in == space::global) {
        return at.memory != nullptr && address - at.memory->low + bytes <= at.memory->bytes;
    }
    std::size_t const offset = address - dynamic_low_;
    bool const is_static = offset >= launch_.config.limits.shared_bytes;
    return is_static || offset + bytes <= launch_.config.shared_bytes;
}

inline void monitor::check(place const& at, std::uintptr_t address, std::size_t bytes, access_kind kind,
                           void const* code) {
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

inline void monitor::check_word(place const& at, std::size_t word, unsigned mask, std::uintptr_t address,
                                access_kind kind, bool is_atomic, void const* code) {
    unsigned const thread = block_->current().rank;
    moment now = clocks_.now(thread);
    now.is_atomic = is_atomic;
    touch const mine(now, offset_of(code), mask, writes(kind));
    bool const shared = at.in == space::shared;
    shadow_word& memory_of = shared ? block_memory_.words[word] : at.memory->words[word];
    block_range const present =
        shared ? block_range{now.block, now.block} : block_range{shared_.first_block, shared_.last_block()};
    word_lock const lock(shared ? nullptr : &at.memory->lock_of(word));
    if (!shared) __builtin_prefetch(&at.memory->words[word + 1], 1);  // the next lane's: most warps touch neighbours
    touch const earlier = remember(memory_of, mine, present, clocks_);
    if (earlier.block != 0) report_race(at, earlier, address, kind, code);
}

inline void monitor::check_written(place const& at, std::size_t word, unsigned mask, std::uintptr_t address,
                                   access_kind kind, void const* code) {
    bool was_written = true;
    if (at.in == space::shared) {
        std::uint64_t& entry = block_memory_.written[word];
        if (entry >> 4 != life_) entry = std::uint64_t{life_} << 4;
        was_written = (entry & mask) == mask;
        if (writes(kind)) entry |= mask;
    } else if (at.memory->written != nullptr) {
        auto& entry = at.memory->written[word];
        was_written = (entry.load(std::memory_order_relaxed) & mask) == mask;
        if (writes(kind) && !was_written) entry.fetch_or(static_cast<std::uint8_t>(mask), std::memory_order_relaxed);
    }
    if (reads(kind) && !was_written) report_unwritten(at, address, kind, code);
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
    if (launch_.blocks > 1) std::this_thread::yield();  // another host thread may run the block that is waited for
    block_->yield();
}

inline void monitor::record(place const& at, std::uintptr_t address, std::size_t bytes, access_kind kind,
                            void const* code) {
    bool const shared = at.in == space::shared;
    event_kind const what = kind == access_kind::atomic
                                ? (shared ? event_kind::shared_atomic : event_kind::global_atomic)
                            : writes(kind) ? (shared ? event_kind::shared_store : event_kind::global_store)
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

void monitor::access_memory(std::uintptr_t address, std::size_t bytes, access_kind kind, void const* code) {
    place const at = locate(address);
    if (at.in == space::constant) return;
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

void monitor::fence(fence_scope scope) {
    if (counts_) ++sum_.fences;
    if (!checks_) return;
    settle();
    clocks_.fence(block_->current().rank, scope);
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
