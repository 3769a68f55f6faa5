// What every command keeps to.
//
// An answer goes to standard output, whole or not at all. An error is one line on standard error,
// `warpfold: FILE: PLACE: EXPECTED`. The exit code is 0 for an answer, 1 for data that cannot be read, folded or
// written (data_error), 2 for a command line that is wrong (usage_error).
#pragma once

#include <string_view>

#include "command_line.hpp"
#include "error.hpp"

namespace warpfold::app {

inline constexpr int exit_data = 1;
inline constexpr int exit_usage = 2;

/// Writes `text` to standard output. Throws a data_error where that fails, as into a pipe that is closed.
void print(std::string_view text);

/// The commands of one fold each: sum, prod, mean, …
void add_folds(command const& program);
/// stats: every statistic in one read.
void add_stats(command const& program);

}  // namespace warpfold::app
