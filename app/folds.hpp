// The single folds of the command line. Those that read alike live in one file, which compiles their reading once.
#pragma once

#include <array>
#include <string_view>

#include "fold_request.hpp"

namespace warpfold::app {

fold_function fold_sum, fold_mean, fold_norm_l1;                             // fold_sums.cpp
fold_function fold_variance, fold_standard_deviation, fold_norm_l2;          // fold_squares.cpp
fold_function fold_min, fold_max, fold_argmin, fold_argmax, fold_norm_linf;  // fold_extrema.cpp
fold_function fold_product, fold_logsumexp, fold_count, fold_any, fold_all;  // fold_others.cpp

/// Every statistic in one read, column by column; the answers are in the order of `statistics`.
fold_function fold_stats;  // fold_stats.cpp

struct statistic {
    std::string_view label;  ///< in the table
    std::string_view key;    ///< in JSON
};
inline constexpr std::array<statistic, 10> statistics{{{"items", "items"},
                                                       {"NaN", "nan"},
                                                       {"sum", "sum"},
                                                       {"mean", "mean"},
                                                       {"std", "std"},
                                                       {"min", "min"},
                                                       {"  at", "argmin"},
                                                       {"max", "max"},
                                                       {"  at", "argmax"},
                                                       {"L2", "l2"}}};

}  // namespace warpfold::app
