#include "warpfold/warpfold.hpp"

#ifdef WARPFOLD_MISTAKE
using other = float;
#else
using other = double;
#endif

double use(double const (&x)[4], other const (&y)[4]) { return wf::dot(x, y); }
