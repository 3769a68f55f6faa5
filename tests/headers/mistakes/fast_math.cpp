#include "warpfold/warpfold.hpp"

float use(float const (&x)[4]) { return wf::sum(x); }
