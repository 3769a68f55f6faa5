// A run on the executor: what is checked and counted, and what every launch of the run told.
#pragma once

#include <simt/config.hpp>
#include <simt/report.hpp>

#include <utility>

#include "lab/execution.hpp"

namespace warpfold::lab {

struct executor_options {
    bool checks = false;
    bool counters = false;
    simt::schedule schedule = simt::schedule::in_order;
    std::uint64_t seed = 0;  // of the random schedule
    int host_threads = 0;    // that run blocks; 0: one a core
};

/// One launch of a run: the first is the kernel over the input, later ones fold its partials.
struct launch_record {
    std::uint64_t blocks;
    unsigned threads;
    simt::report report;
};

class executor_run final : public execution {
  public:
    executor_run(launch_rule const& rule, unsigned block, std::uint64_t grid, executor_options const& options)
        : execution(rule, block, grid), options_(options) {}

    /// The launch of `blocks` blocks of `threads` threads under this run's options. Throws std::invalid_argument where
    /// the grid has more blocks than a launch can have.
    simt::config configure(std::uint64_t blocks, unsigned threads) const;
    void record(std::uint64_t blocks, unsigned threads, simt::report report) {
        launches_.push_back({blocks, threads, std::move(report)});
    }
    std::vector<launch_record> const& launches() const { return launches_; }

  private:
    executor_options options_;
    std::vector<launch_record> launches_;
};

}  // namespace warpfold::lab
