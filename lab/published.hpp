// The figures that the studies published, as data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpfold::lab {

/// One published figure. `value` is the lower end where a range was published, `greatest` the upper end.
struct figure {
    std::string study;   // "A"
    std::string gpu;     // "RTX A6000"
    std::string kernel;  // the study's own name of it
    std::string type;    // "f32"
    std::uint64_t n;     // 0 where the study said only that n was large
    std::string metric;  // "ms", "GB/s", "pct_peak", "bandwidth_utilization_pct", "thread_utilization_pct", "speedup"
    double value;
    double greatest;
};

/// All figures, in the order of lab/data/published.csv.
std::vector<figure> const& published();

/// The one figure with these properties, the largest n where `n` is not given; throws std::out_of_range where there is
/// none.
figure const& published(std::string const& study, std::string const& kernel, std::string const& type,
                        std::string const& metric, std::optional<std::uint64_t> n = std::nullopt);

/// A counter that Nsight Compute read on a GPU.
struct hardware_counter {
    std::string kernel;   // id
    std::string counter;  // our name
    std::string metric;   // Nsight Compute's
    double value;
};

/// The lines of a file that script/gpu-counters wrote.
std::vector<hardware_counter> parse_counters(std::string_view csv);

/// How many hazards in shared memory compute-sanitizer's racecheck saw in a run of a kernel on a GPU.
struct hazard_count {
    std::string kernel;  // id
    bool as_published;   // or our variant
    int hazards;
};

/// The lines of a races.csv that script/gpu wrote.
std::vector<hazard_count> parse_hazards(std::string_view csv);

}  // namespace warpfold::lab
