#include "lab/executor_run.hpp"

namespace warpfold::lab {

simt::config executor_run::configure(std::uint64_t blocks, unsigned threads) const {
    check_blocks(blocks);
    simt::config config;
    config.grid = dim3{static_cast<unsigned>(blocks)};
    config.block = dim3{threads};
    config.checks = options_.checks;
    config.counters = options_.counters;
    config.schedule = options_.schedule;
    config.seed = options_.seed;
    config.threads = options_.host_threads;
    return config;
}

}  // namespace warpfold::lab
