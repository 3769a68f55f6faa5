#include "lab/executor_run.hpp"

#include <stdexcept>

namespace warpfold::lab {

simt::config executor_run::configure(std::uint64_t blocks, unsigned threads) const {
    simt::config config;
    if (blocks > config.limits.grid.x) {
        throw std::invalid_argument("this needs " + std::to_string(blocks) + " blocks, and a launch has at most " +
                                    std::to_string(config.limits.grid.x) + "; take a larger block");
    }
    config.grid = dim3{static_cast<unsigned>(blocks)};
    config.block = dim3{threads};
    config.checks = options_.checks;
    config.counters = options_.counters;
    config.schedule = options_.schedule;
    config.seed = options_.seed;
    return config;
}

}  // namespace warpfold::lab
