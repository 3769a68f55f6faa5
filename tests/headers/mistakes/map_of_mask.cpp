#include "warpfold/warpfold.hpp"

float negated(float x) { return -x; }

float use(float const (&x)[4], bool const (&mask)[4]) {
#ifdef WARPFOLD_MISTAKE
    return wf::sum(wf::map(negated, wf::masked(x, mask)));
#else
    return wf::sum(wf::masked(wf::map(negated, x), mask));
#endif
}
