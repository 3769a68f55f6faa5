// The way from one thread of a block to the next: what a barrier spends its time on.
#pragma once

#include <bit>

#include "block.hpp"
#include "builtin.hpp"
#include "monitor.hpp"

namespace simt::detail {

// What every wait but a barrier in step begins with.
inline void block::prepare_to_wait() {
    if (last != nullptr) fall_out_of_step();
    if (monitor_ != nullptr) monitor_->settle();
}

// Takes the thread that runs next; null when the block has nothing left to run.
[[gnu::always_inline]] inline thread_state* block::next() {
    // of 256 switches at a barrier, 248 are this one
    if (launch_.config.schedule == schedule::in_order) {
        auto const later = static_cast<unsigned>(warps_[warp_].ready & (~std::uint64_t{0} << lane_from_));
        if (later != 0) return take(static_cast<unsigned>(std::countr_zero(later)));
    }
    return next_anywhere();
}

inline thread_state* block::take(unsigned lane) {
    warp_state& warp = warps_[warp_];
    warp.ready &= ~(1U << lane);
    if (warp.ready == 0) ready_warps_ &= ~(1U << warp_);
    lane_from_ = launch_.config.schedule == schedule::reversed ? 32 - lane : lane + 1;
    return &lanes_of(warp_)[lane];
}

// The stacks of a block do not fit the first cache: the next thread's frames come while this one runs.
[[gnu::always_inline]] inline void prefetch_stack(thread_state const& t) {
    auto const* const top = static_cast<std::byte const*>(t.suspended.stack);
    for (std::size_t line = 0; line < 2; ++line) __builtin_prefetch(top + line * 64, 1);
}

// `from`, which calls, waits while `to` runs.
[[gnu::always_inline]] inline void block::resume_from(thread_state& from, thread_state& to) {
    make_current(to);
    switch_fiber(from, to);
}

[[gnu::always_inline]] inline void block::make_current(thread_state& to) {
    prefetch_stack(*(&to + 1));
    running = &to;
    if (monitor_ != nullptr) monitor_->turn_to(to);
    ::threadIdx = to.index;
}

// Another thread runs until this one is chosen again.
[[gnu::always_inline]] inline void block::suspend() {
    thread_state& self = *running;
    thread_state* const to = next();
    if (to == &self) return;
    if (to == nullptr) return switch_fiber(self, host_);
    resume_from(self, *to);
}

}  // namespace simt::detail
