// The errors that end the program, each with one line on standard error and an exit code of its own.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace warpfold::app {

/// `text` on one line: control characters and bytes that are no UTF-8 become \n, \t or \xNN.
std::string printable(std::string_view text);
/// The same of the first 80 bytes or so: what a file holds may be long.
std::string excerpt(std::string_view text);

/// "1 item", "3 items".
std::string counted(std::uint64_t count, std::string_view what);

/// Data that cannot be read or folded: exit code 1, shown as `warpfold: FILE: PLACE: EXPECTED`.
struct data_error : std::runtime_error {
    data_error(std::string_view file, std::string_view place, std::string_view expected);
};

/// A command line that asks for what cannot be: exit code 2, shown as `warpfold: EXPECTED`.
struct usage_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace warpfold::app
