// What was measured of a study, as a plot.
#pragma once

#include <string>

#include "lab/results.hpp"

namespace warpfold::lab {

/// Bandwidth against size: an SVG with a panel a comparison, a curve a kernel, and the published figures as hollow
/// marks.
std::string chart(study_results const& results);

}  // namespace warpfold::lab
