// The way from one thread of a block to the next: what a barrier spends its time on.
#pragma once

#include <bit>

#include "block.hpp"
#include "builtin.hpp"

namespace simt::detail {

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
    if (t.runs_on == nullptr) return;
    auto const* const top = static_cast<std::byte const*>(t.runs_on->context);
    for (std::size_t line = 0; line < 6; ++line) __builtin_prefetch(top + line * 64, 1);
}

[[gnu::always_inline]] inline void block::resume_from(fiber& from, thread_state* to) {
    fiber* target = &host_;
    if (to != nullptr) {
        if (to + 1 < threads_.data() + threads_.size()) prefetch_stack(to[1]);
        if (to->runs_on == nullptr) to->runs_on = &fibers_.take();
        target = to->runs_on;
        current_ = to;
        ::threadIdx = to->index;
    }
    switch_fiber(from, *target);
}

// Another thread runs until this one is chosen again.
[[gnu::always_inline]] inline void block::suspend() {
    thread_state& self = *current_;
    thread_state* const to = next();
    if (to != &self) resume_from(*self.runs_on, to);
}

}  // namespace simt::detail
