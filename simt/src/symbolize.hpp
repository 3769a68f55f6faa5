// Addresses of the program as source lines.
#pragma once

#include <string>

#include "simt/report.hpp"

namespace simt::detail {

// The line of a call that returns to `code`: of functions inlined there, the innermost one that is not part of the
// executor's own headers. Empty where the program has no debug information.
[[nodiscard]] source_line line_of(void const* code);
// The name of the function that begins at `code`.
[[nodiscard]] std::string function_name(void const* code);

}  // namespace simt::detail
