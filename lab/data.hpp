// The files of lab/data and the kernels' source, embedded.
#pragma once

#include <span>
#include <string_view>

namespace warpfold::lab::data {

extern std::string_view const published;
extern std::string_view const hardware_counters;

struct kernel_source {
    std::string_view file;  // "study_a.cuh"
    std::string_view text;
};

extern std::span<kernel_source const> const kernel_sources;

}  // namespace warpfold::lab::data
