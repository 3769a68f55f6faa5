// What the command line can ask of a fold, and the answers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "answer.hpp"
#include "source.hpp"

namespace warpfold::app {

struct fold_request {
    read_options read;
    bool skip_nan = false;  ///< --skip-nan
    bool float64 = false;   ///< --float64: double results for narrower floats
    std::uint64_t ddof = 0;
    int threads = 0;  ///< 0: one a core
};

/// Results of one column of some files that are folded as one array.
struct result_row {
    std::string column;  ///< empty for arrays
    dtype type;
    std::int64_t items = 0;
    std::vector<std::optional<answer>> answers;  ///< nothing where a statistic has no value: the minimum of no items
};

/// Folds `files`, one behind the other, as one array with one or more columns. Every failure is a data_error.
using fold_function = std::vector<result_row>(std::vector<std::string> const& files, fold_request const& request);

}  // namespace warpfold::app
