// What a kernel costs, counted on the executor, beside the step before it in its study, in words.
#pragma once

#include <nlohmann/json.hpp>

#include "lab/runner.hpp"

namespace warpfold::lab {

/// The counters of one kernel's first launch, the one over the input; later launches only fold its partials.
struct counted {
    std::string id;
    std::uint64_t n;
    std::uint64_t blocks;
    unsigned threads;
    std::size_t later_launches;
    simt::counters counters;
};

/// Runs the kernel with counters; throws as run() does. A kernel of the host has no counters: std::invalid_argument.
counted count(std::string const& id, run_request request);

struct explanation {
    counted kernel;
    std::optional<counted> predecessor;
    std::vector<std::string> sentences;  // two or three, from the figures
};

/// Counts the kernel and its predecessor over the same items.
explanation explain(std::string const& id, run_request const& request);

std::string text(explanation const& explained);
nlohmann::json json(explanation const& explained);

}  // namespace warpfold::lab
