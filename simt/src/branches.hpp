// Where the lanes of a warp went from the basic blocks that they executed together.
#pragma once

#include <array>
#include <cstdint>

#include "control_flow.hpp"
#include "simt/report.hpp"

namespace simt::detail {

class warp_branches {
  public:
    void clear() { count_ = 0; }
    // The lanes enter a basic block together.
    void step(unsigned lanes, std::uintptr_t code, control_flow& flow, counters& sum);
    // The lanes do the same access in a basic block.
    void note_shared_load(unsigned lanes);
    void note_shared_store(unsigned lanes);

  private:
    // A basic block that some lanes have not yet left.
    struct branch {
        control_flow::basic_block* block;
        std::uint32_t lanes;
        unsigned ways;  // that the others went
    };

    [[nodiscard]] control_flow::basic_block* block_of(unsigned lanes) const;

    std::array<branch, 33> open_;  // at most one a lane, and the one being made
    unsigned count_ = 0;
};

}  // namespace simt::detail
