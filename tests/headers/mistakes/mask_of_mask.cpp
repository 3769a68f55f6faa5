#include "warpfold/warpfold.hpp"

float use(float const (&x)[4], bool const (&mask)[4]) {
#ifdef WARPFOLD_MISTAKE
    return wf::sum(wf::masked(wf::masked(x, mask), mask));
#else
    return wf::sum(wf::masked(x, mask));
#endif
}
