// What is measured of each study: its tables, and with them the panels of its plot.
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

struct study_plan {
    std::string study;
    std::vector<comparison> comparisons;
    std::vector<shape_comparison> shapes;
};

/// Studies A to E.
std::vector<study_plan> const& study_plans();

/// One of them; throws std::invalid_argument.
study_plan const& plan_of(std::string const& study);

}  // namespace warpfold::lab
