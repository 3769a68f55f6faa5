// lab: the published reduction kernels, run, counted and checked on the executor, run and timed on a GPU.
#pragma once

#include <cstdint>
#include <string>

#include "command_line.hpp"
#include "error.hpp"
#include "lab/runner.hpp"

namespace warpfold::app {

/// lab and its commands.
void add_lab(command const& program);

// One command each.
void add_lab_list(command const& lab);
void add_lab_run(command const& lab);
void add_lab_explain(command const& lab);
void add_lab_race(command const& lab);
void add_lab_tree(command const& lab);
void add_lab_bench(command const& lab);
void add_lab_claims(command const& lab);
void add_lab_tables(command const& lab);

/// Calls `command`; what the lab refuses as std::invalid_argument becomes a usage_error.
template <class Command>
void answer_usage(Command command) {
    try {
        command();
    } catch (std::invalid_argument const& e) {
        throw usage_error(e.what());
    }
}

/// The options that `run`, `explain` and `race` share: -n, --type, --block, --grid, --seed.
struct lab_options {
    lab::run_request request;
    std::string type;

    void add_to(command const& one);
    /// The request, its type parsed; throws std::invalid_argument.
    lab::run_request parsed() const;
};

}  // namespace warpfold::app
