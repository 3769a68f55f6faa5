#include "trace.hpp"

#include <algorithm>
#include <bit>

namespace simt::detail {

trace::trace(unsigned threads)
    : lanes_(std::make_unique_for_overwrite<lane_events[]>((threads + 31) / 32 * 32)),
      threads_(threads),
      branches_((threads + 31) / 32) {
    for (unsigned thread = 0; thread < (threads + 31) / 32 * 32; ++thread)
        lanes_[thread].begin = lanes_[thread].end = 0;
}

void trace::begin() {
    for (unsigned thread = 0; thread < threads_; ++thread) lanes_[thread].begin = lanes_[thread].end = 0;
    for (warp_branches& warp : branches_) {
        warp.used = 0;
        warp.steps = 0;
        warp.of_lane.fill(-1);
    }
}

unsigned trace::empty_lanes(unsigned warp) const {
    unsigned empty = 0;
    for (unsigned lane = 0; lane < 32; ++lane) empty |= unsigned{lanes_[warp * 32 + lane].end == 0} << lane;
    return empty;
}

void trace::replay(unsigned warp, unsigned unfinished, counters& sum) {
    lane_events* const lanes = lanes_.get() + std::size_t{warp} * 32;
    unsigned pending = 0;  // lanes with events left
    for (unsigned lane = 0; lane < 32; ++lane) pending |= unsigned{lanes[lane].begin != lanes[lane].end} << lane;
    while (pending != 0 && (unfinished & ~pending) == 0) {
        std::uint32_t lowest = ~std::uint32_t{0};
        for (unsigned rest = pending; rest != 0; rest &= rest - 1) {
            lane_events const& lane = lanes[std::countr_zero(rest)];
            lowest = std::min(lowest, lane.events[lane.begin].code);
        }
        event const* together[32];
        unsigned active = 0, members = 0;
        for (unsigned rest = pending; rest != 0; rest &= rest - 1) {
            int const index = std::countr_zero(rest);
            lane_events& lane = lanes[index];
            event const& head = lane.events[lane.begin];
            if (head.code != lowest) continue;
            together[active++] = &head;
            members |= 1U << index;
            if (++lane.begin == lane.end) {
                lane.begin = lane.end = 0;
                pending &= ~(1U << index);
            }
        }
        if (together[0]->kind == event_kind::basic_block) {
            step_block(warp, members, lowest, sum);
        } else {
            count_access(sum, together, active);
            note_shared(warp, members, together[0]->kind);
        }
    }
}

void trace::note_shared(unsigned warp, unsigned lanes, event_kind kind) {
    auto const at = branches_[warp].of_lane[static_cast<unsigned>(std::countr_zero(lanes))];
    if (at < 0) return;
    std::uint32_t const block = branches_[warp].branches[static_cast<unsigned>(at)].code;
    if (kind == event_kind::shared_load) flow_.shared_load(block);
    if (kind == event_kind::shared_store) flow_.shared_store(block);
}

void trace::step_block(unsigned warp, unsigned lanes, std::uint32_t code, counters& sum) {
    warp_branches& w = branches_[warp];
    auto const made = std::countr_one(w.used);
    std::uint32_t const step = ++w.steps;
    auto const active = static_cast<std::uint32_t>(std::popcount(lanes));
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
        auto& of_lane = w.of_lane[static_cast<unsigned>(std::countr_zero(rest))];
        if (of_lane >= 0) {
            branch& from = w.branches[static_cast<unsigned>(of_lane)];
            if (!from.has_next) {
                from.has_next = true;
                from.next = step;
                flow_.edge(from.code, code);
            } else if (from.next != step) {
                sum.divergent_branches += !from.split;
                from.split = true;
                flow_.edge(from.code, code);
            }
            if (--from.lanes_left == 0) w.used &= ~(std::uint64_t{1} << of_lane);
        }
        of_lane = static_cast<std::int8_t>(made);
    }
    w.branches[static_cast<unsigned>(made)] = {0, active, false, false, code};
    flow_.step(code);
    w.used |= std::uint64_t{1} << made;
    ++sum.steps;
    sum.step_lanes += active;
}

}  // namespace simt::detail
