#include <vector>

#include "warpfold/warpfold.hpp"

#ifdef WARPFOLD_MISTAKE
using item = long double;
#else
using item = double;
#endif

double use(std::vector<item> const& x) { return static_cast<double>(wf::sum(x)) + static_cast<double>(wf::min(x)); }
