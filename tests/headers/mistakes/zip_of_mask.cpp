#include "warpfold/warpfold.hpp"

float use(float const (&x)[4], bool const (&mask)[4]) {
#ifdef WARPFOLD_MISTAKE
    return wf::reduce(wf::zip(wf::masked(x, mask), wf::masked(x, mask)), wf::dot);
#else
    return wf::reduce(wf::masked(wf::zip(x, x), mask), wf::dot);
#endif
}
