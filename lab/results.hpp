// What was measured on a GPU: one file a study, as `lab bench` writes them, the hardware's counters, and what the
// sanitizer found.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "lab/device.hpp"
#include "lab/published.hpp"

namespace warpfold::lab {

/// What was varied beside n.
enum class sweep : std::uint8_t { none, block, grid };

/// One kernel timed over n items.
struct measurement {
    std::string id;  // of the catalogue, or read_limit
    item_type type;
    std::uint64_t n;
    std::uint64_t blocks;  // of the first launch
    unsigned threads;      // a block
    sweep swept;
    times time;
    double ulps;        // error of the answer
    double bound_ulps;  // that rounding can explain
    std::string note;   // of who measured it elsewhere

    bool right() const { return ulps <= bound_ulps; }
    /// Bytes of the items over the median time, in 10^9 a second.
    double gbps() const;
};

/// What came of a trial_plan: a kernel run for its answer, several times over the same items.
struct trial {
    std::string name;
    std::string id;
    std::uint64_t n;
    unsigned threads;  // a block
    int runs;
    int right;          // of these
    std::string found;  // the answer, the first wrong one where there was any
    std::string exact;
};

/// The id of the best plain read of n items.
constexpr char const* read_limit = "read";

struct study_results {
    std::string study;
    std::string date;
    std::string commit;
    lab::gpu gpu;
    std::vector<measurement> rows;
    std::vector<trial> trials = {};

    /// The row with these properties and the kernel's own launch shape; null where there is none.
    measurement const* find(std::string const& id, item_type type, std::uint64_t n) const;
    /// The rows of one kernel, in the order of the file.
    std::vector<measurement> rows_of(std::string const& id, item_type type, sweep swept = sweep::none) const;
    /// The trial of this name; null where there is none.
    trial const* find_trial(std::string const& name) const;
};

/// All that was measured on one GPU.
struct measurements {
    std::vector<study_results> studies;
    std::vector<hardware_counter> counters;
    std::vector<hazard_count> hazards;  // empty where the sanitizer was not asked

    study_results const* study(std::string const& name) const;  // null where it was not measured
};

/// The results that are part of this program.
measurements const& own_measurements();
/// lab-*.json, counters.csv and races.csv of a folder; throws std::runtime_error, naming the file, where one cannot be
/// read.
measurements read_measurements(std::string const& folder);

/// As a file of results: a row a line.
std::string file_text(study_results const& results);
/// Throws std::runtime_error naming `file` where it is not a file of results.
study_results parse_results(std::string const& text, std::string const& file);
/// The rows of a file of results, or of one that has nothing but rows.
std::vector<measurement> parse_rows(std::string const& text, std::string const& file);

}  // namespace warpfold::lab
