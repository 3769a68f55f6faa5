// lab: the published reduction kernels, run, counted and checked on the executor, run and timed on a GPU.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "error.hpp"
#include "lab/runner.hpp"

namespace warpfold::app {

/// lab and its commands: list, run, explain, race, tree, bench, claims.
void add_lab(CLI::App& app);

// One command each.
void add_lab_list(CLI::App& lab);
void add_lab_run(CLI::App& lab);
void add_lab_explain(CLI::App& lab);
void add_lab_race(CLI::App& lab);
void add_lab_tree(CLI::App& lab);
void add_lab_bench(CLI::App& lab);
void add_lab_claims(CLI::App& lab);
/// tables: makes the tables of docs/lab.md anew; not shown in the help.
void add_lab_tables(CLI::App& lab);

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

    void add_to(CLI::App& command);
    /// The request, its type parsed; throws std::invalid_argument.
    lab::run_request parsed() const;
};

}  // namespace warpfold::app
