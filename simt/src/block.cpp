#include "block.hpp"

#include <bit>
#include <stdexcept>

#include "monitor.hpp"
#include "random.hpp"
#include "switching.hpp"

constinit thread_local uint3 threadIdx{};
constinit thread_local uint3 blockIdx{};
constinit thread_local uint3 blockDim{};
constinit thread_local uint3 gridDim{};

namespace simt::detail {

constinit thread_local step* active_step = nullptr;

void refuse_outside_launch() {
    throw std::logic_error("simt: device code runs only inside a launch");
}

block::block(launch_context& launch, fiber_pool& fibers, fiber& host)
    : launch_(launch),
      fibers_(fibers),
      threads_((launch.threads + 31) / 32 * 32 + 1),
      warps_((launch.threads + 31) / 32) {
    host_.runs_on = &host;
    dim3 const size = launch.config.block;
    for (unsigned rank = 0; rank < launch.threads; ++rank) {
        threads_[rank].index = {rank % size.x, rank / size.x % size.y, rank / size.x / size.y};
        threads_[rank].runs_on = &fibers.take();
        threads_[rank].rank = static_cast<std::uint16_t>(rank);
        warps_[rank / 32].exists |= 1U << rank % 32;
    }
}

block::~block() {
    for (unsigned rank = 0; rank < launch_.threads; ++rank) fibers_.give(*threads_[rank].runs_on);
}

void block::begin(std::uint64_t index, monitor* watch) {
    index_ = index;
    monitor_ = watch;
    random_ = mix(launch_.config.seed, index);
    live_ = launch_.threads;
    at_barrier_ = at_grid_ = predicates_ = 0;
    outcome_ = block_outcome::running;
    ready_warps_ = 0;
    for (unsigned w = 0; w < warps_.size(); ++w) {
        warps_[w].finished = warps_[w].arrived = 0;
        warps_[w].ready = 0;
        make_ready(w, warps_[w].exists);
    }
    warp_ = launch_.config.schedule == schedule::reversed ? static_cast<unsigned>(warps_.size()) - 1 : 0;
    lane_from_ = 0;
    for (unsigned rank = 0; rank < launch_.threads; ++rank) place(threads_[rank], &run_threads);
    begin_in_step();
}

block_outcome block::run() {
    dim3 const grid = launch_.config.grid;
    ::blockDim = launch_.config.block;
    ::gridDim = grid;
    ::blockIdx = {static_cast<unsigned>(index_ % grid.x), static_cast<unsigned>(index_ / grid.x % grid.y),
                  static_cast<unsigned>(index_ / grid.x / grid.y)};
    active_step = this;
    outcome_ = block_outcome::running;
    if (thread_state* const first = next()) resume_from(host_, *first);
    if (monitor_ != nullptr) monitor_->pause();
    active_step = nullptr;
    return outcome_;
}

void block::make_ready(unsigned warp, unsigned lanes) {
    warps_[warp].ready |= lanes;
    if (warps_[warp].ready != 0) ready_warps_ |= 1U << warp;
}

// The next candidate at or after `from` in the schedule's order, cyclically; in the random one, at or after any of so many
// places. `candidates` is not empty.
unsigned block::choose(unsigned candidates, unsigned places, unsigned from) {
    if (launch_.config.schedule == schedule::reversed) {
        auto const earlier = static_cast<unsigned>(candidates & (0xffffffffU >> std::uint64_t{from}));
        return 31U - static_cast<unsigned>(std::countl_zero(earlier != 0 ? earlier : candidates));
    }
    if (launch_.config.schedule == schedule::random) from = static_cast<unsigned>((next_random(random_) >> 32) * places >> 32);
    return (from + static_cast<unsigned>(std::countr_zero(std::rotr(candidates, static_cast<int>(from))))) % 32;
}

void block::choose_warp(unsigned candidates) {
    unsigned const at = launch_.config.schedule == schedule::reversed ? 31 - warp_ : warp_;
    warp_ = choose(candidates, static_cast<unsigned>(warps_.size()), at);
    lane_from_ = 0;
}

thread_state* block::next_anywhere() {
    while (ready_warps_ == 0) {
        if (!unblock()) return nullptr;
    }
    bool const stays = launch_.config.schedule != schedule::random && (ready_warps_ >> warp_ & 1U) != 0;
    if (!stays) choose_warp(ready_warps_);
    return take(choose(warps_[warp_].ready, 32, lane_from_ < 32 ? lane_from_ : 0));
}

// Nothing is ready: finds what can go on. False when nothing can, with the outcome set.
bool block::unblock() {
    for (unsigned w = 0; w < warps_.size(); ++w) {
        if (monitor_ != nullptr) make_ready(w, monitor_->drain_trace(w));
        if (warps_[w].arrived != 0) complete_active_mask(w);
    }
    if (ready_warps_ != 0) return true;
    if (live_ == 0) {
        outcome_ = block_outcome::finished;
    } else if (at_barrier_ == live_) {
        release_barrier();
        return true;
    } else if (at_grid_ == live_) {
        outcome_ = block_outcome::at_grid_barrier;
    } else {
        report_deadlock();
        outcome_ = block_outcome::aborted;
    }
    return false;
}

// One call begins a thread or goes on with one that waits, and comes back on the fiber of the thread that ends next:
// the processor predicts the return that ends it, as it would not if another place had called.
void block::run_threads() {
    enter_fiber();
    block& active = *active_block();
    kernel_call const& call = active.launch_.call;
    void (*proceed)(void const*) = call.thread_main;
    void const* with = call.parameters;
    for (;;) {
        if (!active.returns(proceed, with)) active.abort();
        thread_state& ended = *active.running;
        thread_state* const to = active.finish_current();
        if (to == nullptr) active.leave();
        bool const begins = to->suspended.resume == reinterpret_cast<void const*>(&run_threads);
        if (begins) std::swap(to->runs_on, ended.runs_on);  // a thread that never waits needs no switch
        active.make_current(*to);
        if (begins) {
            proceed = call.thread_main;
            with = call.parameters;
        } else {
            announce_leave(*to);
            proceed = &simt_resume;
            with = &to->suspended;
        }
    }
}

[[gnu::always_inline]] inline bool block::returns(void (*proceed)(void const*), void const* with) {
    try {
        proceed(with);
        return true;
    } catch (...) {
        thrown_ = std::current_exception();
        return false;
    }
}

thread_state* block::finish_current() {
    thread_state* const after = running + 1;
    if (running == last) fall_out_of_step();
    warp_state& warp = warps_[running->rank / 32];
    warp.finished |= 1U << running->rank % 32;
    --live_;
    if (last != nullptr) return after;
    // An ended lane counts as arrived wherever its warp waits for it.
    for (unsigned rest = warp.arrived; rest != 0; rest &= rest - 1) {
        thread_state const& waiting = lanes_of(running->rank / 32)[std::countr_zero(rest)];
        if (warp_complete(warp, waiting)) {
            complete_warp_operation(running->rank / 32, waiting);
            break;
        }
    }
    return next();
}

void block::abort() {
    outcome_ = block_outcome::aborted;
    leave();
}

void block::leave() {
    announce_leave(host_);
    simt_resume(&host_.suspended);
    __builtin_unreachable();
}

void block::trap(char const* expression, void const* code) {
    report(finding_kind::trap, here(code), expression);
    abort();
}

// All threads are ready, and the first one runs next.
void block::begin_in_step() {
    bool const in_order = launch_.config.schedule == schedule::in_order;
    bool const all = live_ == launch_.threads;
    last = in_order && all ? threads_.data() + launch_.threads - 1 : nullptr;
}

void block::fall_out_of_step() {
    last = nullptr;
    unsigned const lane = running->rank % 32;
    warp_ = running->rank / 32;
    lane_from_ = lane + 1;
    at_barrier_ = running->rank - (launch_.threads - live_);
    for (unsigned w = 0; w < warp_; ++w) warps_[w].ready = 0;
    warps_[warp_].ready &= ~std::uint32_t{0} << lane << 1;
    ready_warps_ &= ~std::uint32_t{0} << warp_;
    if (warps_[warp_].ready == 0) ready_warps_ &= ~(1U << warp_);
}

// In step it is what pass_barrier_in_step() does, with what the checks must know of it.
void block::wait_at_block_barrier(void const* code) {
    if (running < last) {
        if (monitor_ != nullptr) monitor_->settle();
        thread_state& from = *running;
        from.waits_for = wait_kind::block_barrier;
        from.code = code;
        resume_from(from, *(&from + 1));
    } else {
        arrive_at_block_barrier(false, code);
    }
}

[[gnu::noinline]] void block::arrive_at_block_barrier(bool predicate, void const* code) {
    prepare_to_wait();
    running->waits_for = wait_kind::block_barrier;
    running->code = code;
    predicates_ += predicate;
    if (++at_barrier_ == live_) release_barrier();
    suspend();
}

int block::counting_barrier(barrier_op op, int predicate, void const* code) {
    arrive_at_block_barrier(predicate != 0, code);
    switch (op) {
        case barrier_op::count:
            break;
        case barrier_op::any:
            return barrier_count_ != 0;
        case barrier_op::all:
            return barrier_count_ == static_cast<int>(barrier_threads_);
    }
    return barrier_count_;
}

void block::release_barrier() {
    if (monitor_ != nullptr) {
        report_divergent_barrier();
        monitor_->pass_block_barrier();
    }
    barrier_count_ = static_cast<int>(predicates_);
    barrier_threads_ = at_barrier_;
    at_barrier_ = predicates_ = 0;
    for (unsigned w = 0; w < warps_.size(); ++w) make_ready(w, warps_[w].exists & ~warps_[w].finished);
    warp_ = launch_.config.schedule == schedule::reversed ? static_cast<unsigned>(warps_.size()) - 1 : 0;
    lane_from_ = 0;
    begin_in_step();
}

void block::grid_barrier(void const* code) {
    if (!launch_.config.cooperative) {
        report(finding_kind::divergent_barrier, here(code), "the grid barrier needs a cooperative launch");
        abort();
    }
    prepare_to_wait();
    running->waits_for = wait_kind::grid_barrier;
    running->code = code;
    ++at_grid_;
    suspend();
}

void block::pass_grid_barrier() {
    at_grid_ = 0;
    if (monitor_ != nullptr) monitor_->pass_grid_barrier();
    for (unsigned w = 0; w < warps_.size(); ++w) make_ready(w, warps_[w].exists & ~warps_[w].finished);
}

void block::yield() {
    prepare_to_wait();
    make_ready(running->rank / 32, 1U << running->rank % 32);
    // the next warp is asked first, or two lanes that wait for another warp would keep it from running
    unsigned const others = ready_warps_ & ~(1U << warp_);
    if (others != 0) choose_warp(others);
    suspend();
}

void block::wait_for_trace() {
    if (last != nullptr) fall_out_of_step();
    running->waits_for = wait_kind::trace_full;
    suspend();
}

void block::report(finding_kind kind, raw_point where, std::string detail) {
    raw_finding found;
    found.kind = kind;
    found.where = where;
    found.detail = std::move(detail);
    launch_.findings.add(std::move(found));
}

void block_barrier() {
    active().wait_at_block_barrier(__builtin_return_address(0));
}

int counting_barrier(barrier_op op, int predicate) {
    return active().counting_barrier(op, predicate, __builtin_return_address(0));
}

}  // namespace simt::detail
