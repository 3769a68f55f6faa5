// What a program loads at run time.
#include <warpfold/warpfold.hpp>

extern "C" double plugin_sum(double const* x, wf::index_t n) { return wf::sum(wf::contiguous<double>{x, n}); }
