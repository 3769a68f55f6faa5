// One run of one kernel, as its run function sees it: the launch shape that was asked for. Engines derive from it.
#pragma once

#include "lab/kernel.hpp"

namespace warpfold::lab {

class execution {
  public:
    /// Blocks of `block` threads; `grid` blocks at most where the kernel has a grid-stride loop, 0: as its rule says.
    execution(launch_rule const& rule, unsigned block, std::uint64_t grid) : rule_(rule), block_(block) {
        if (grid != 0) rule_.most_blocks = grid;
    }
    execution(execution const&) = delete;
    execution& operator=(execution const&) = delete;
    virtual ~execution() = default;

    unsigned block() const { return block_; }
    /// Blocks of a launch over n items.
    std::uint64_t blocks(std::uint64_t n) const { return rule_.blocks(n, block_); }

  private:
    launch_rule rule_;
    unsigned block_;
};

}  // namespace warpfold::lab
