// One run of one kernel, as its run function sees it: the launch shape that was asked for. Engines derive from it.
#pragma once

#include <stdexcept>

#include "lab/kernel.hpp"

namespace warpfold::lab {

/// Throws std::invalid_argument where a grid has more blocks than a launch can have.
inline void check_blocks(std::uint64_t blocks) {
    constexpr std::uint64_t most = (std::uint64_t{1} << 31) - 1;
    if (blocks > most) {
        throw std::invalid_argument("this needs " + std::to_string(blocks) + " blocks, and a launch has at most " +
                                    std::to_string(most) + "; take a larger block");
    }
}

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
