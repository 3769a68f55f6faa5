#include "branches.hpp"

#include <bit>

namespace simt::detail {

void warp_branches::step(unsigned lanes, std::uintptr_t code, control_flow& flow, counters& sum) {
    for (unsigned i = 0; i < count_;) {
        branch& from = open_[i];
        if ((from.lanes & lanes) != 0) {
            from.block->go_on(code);
            sum.divergent_branches += ++from.ways == 2;
            from.lanes &= ~lanes;
        }
        if (from.lanes == 0) {
            from = open_[--count_];
        } else {
            ++i;
        }
    }
    open_[count_++] = {&flow.step(code), lanes, 0};
    ++sum.steps;
    sum.step_lanes += static_cast<unsigned>(std::popcount(lanes));
}

control_flow::basic_block* warp_branches::block_of(unsigned lanes) const {
    unsigned const first = lanes & -lanes;
    for (unsigned i = 0; i < count_; ++i) {
        if ((open_[i].lanes & first) != 0) return open_[i].block;
    }
    return nullptr;
}

void warp_branches::note_shared_load(unsigned lanes) {
    if (control_flow::basic_block* const in = block_of(lanes)) ++in->loads;
}

void warp_branches::note_shared_store(unsigned lanes) {
    if (control_flow::basic_block* const in = block_of(lanes)) ++in->stores;
}

}  // namespace simt::detail
