// Runs a kernel under all checks and several schedules, and shows what was found with its source lines.
#pragma once

#include "lab/runner.hpp"

namespace warpfold::lab {

/// One run of the search: the schedule, in words, and whether the answer was right.
struct search_run {
    std::string schedule;
    run_outcome outcome;
};

struct search {
    std::string id;
    bool as_published;
    std::vector<search_run> runs;
    std::vector<simt::finding> findings;  // over all runs, each pair of lines once

    bool found_anything() const;
};

/// Runs the kernel in order, reversed, and in `random_schedules` random orders. Where request.n is 0, takes the items
/// of four blocks and one more. Throws as run() does.
search find_races(std::string const& id, run_request request, unsigned random_schedules);

/// The search as text: of the pairs of lines that lack the same barrier the nearest one, or all.
std::string text(search const& found, bool all = false);

/// Line `line` of the kernel file whose path ends in `file`, without leading blanks; empty where the lab has no such
/// line.
std::string source_line(std::string const& file, int line);

}  // namespace warpfold::lab
