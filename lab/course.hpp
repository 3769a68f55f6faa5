// The tables of docs/lab.md, made from counters and from what was measured.
#pragma once

#include <string>
#include <vector>

#include "lab/results.hpp"

namespace warpfold::lab {

/// A Markdown table: one row a kernel, its counters over 65 536 items in its first launch, and its rate on a GPU at its
/// study's own size.
std::string counter_table(std::vector<std::string> const& ids, measurements const& measured);

/// `document` with everything between a line that names it and `<!-- end -->` made anew: `<!-- counters ID... -->`,
/// `<!-- measured STUDY -->` or `<!-- claims -->`. Throws std::invalid_argument for one without an end, or for a kernel
/// or a study that is not there.
std::string with_tables(std::string const& document, measurements const& measured);

}  // namespace warpfold::lab
