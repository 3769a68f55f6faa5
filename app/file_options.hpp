// The options that every command on files takes, and how its results are shown.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "fold_request.hpp"

namespace warpfold::app {

/// What the command line of one command on files was parsed into.
struct file_options {
    std::vector<std::string> files;
    fold_request request;
    bool json = false;
    bool concat = false;
};

/// Adds FILE… and the options to `to`; they live as long as it does.
std::shared_ptr<file_options> add_file_options(command const& to);

/// One result to show: of one file, or of several that --concat takes as one.
struct file_result {
    std::vector<std::string> files;
    std::vector<result_row> rows;
};

/// Folds each file, or all as one with --concat.
std::vector<file_result> fold_each(file_options const& options, fold_function& fold);

/// "file":"a.npy", or "files":["a.npy","b.npy"]; and "column":"x" where the row has one.
std::string json_place(file_result const& result, result_row const& row);

}  // namespace warpfold::app
