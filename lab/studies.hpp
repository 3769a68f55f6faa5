// What is measured of each study: its tables, with them the panels of its plot, and the answers that claims hang on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/results.hpp"

namespace warpfold::lab {

/// Kernels that are compared over the same items.
struct comparison {
    std::string title;
    item_type type;
    std::vector<std::string> ids;
    std::vector<std::uint64_t> sizes;
    std::uint64_t own_size;  // that the study published, or its largest
    bool log_rate;           // of the plot's axis
};

/// Kernels at several launch shapes over the same items.
struct shape_comparison {
    std::string title;
    item_type type;
    std::vector<std::string> ids;
    std::uint64_t size;
    sweep swept;
    std::vector<std::uint64_t> shapes;  // threads a block, or blocks of the grid
};

/// A kernel that is run for its answer alone, because a claim hangs on it: as published, in blocks that it is not for,
/// or over items of the claim's own.
struct trial_plan {
    std::string name;
    std::string id;
    bool as_published = false;
    unsigned block = 0;              // 0: the kernel's own
    std::vector<float> items = {};   // none: random ones
    std::vector<float> behind = {};  // read too, but no part of the exact answer
};

struct study_plan {
    std::string study;
    std::vector<comparison> comparisons;
    std::vector<shape_comparison> shapes;
    std::vector<trial_plan> trials = {};
};

/// Studies A to E.
std::vector<study_plan> const& study_plans();

/// One of them; throws std::invalid_argument.
study_plan const& plan_of(std::string const& study);

/// A trial of any study; throws std::invalid_argument.
trial_plan const& trial_of(std::string const& name);

}  // namespace warpfold::lab
