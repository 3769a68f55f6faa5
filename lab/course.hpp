// The tables of docs/lab.md, made from counters.
#pragma once

#include <string>
#include <vector>

namespace warpfold::lab {

/// A Markdown table: one row a kernel, its counters over 65 536 items in its first launch.
std::string counter_table(std::vector<std::string> const& ids);

/// `document` with every table between `<!-- counters ID... -->` and `<!-- end -->` made anew. Throws
/// std::invalid_argument for a table without an end or an id that is not there.
std::string with_tables(std::string const& document);

}  // namespace warpfold::lab
