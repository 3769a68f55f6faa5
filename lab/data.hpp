// The published figures, the kernels' source and what was measured, embedded.
#pragma once

#include <span>
#include <string_view>

namespace warpfold::lab::data {

extern std::string_view const published;

/// A file that is part of the program.
struct named_text {
    std::string_view name;  // "study_a.cuh"
    std::string_view text;
};

extern std::span<named_text const> const kernel_sources;
extern std::span<named_text const> const results;  // of the studies, measured on an H200
extern std::string_view const hardware_counters;   // read there too
extern std::span<named_text const> const hazards;  // races.csv of the same GPU, or nothing

}  // namespace warpfold::lab::data
