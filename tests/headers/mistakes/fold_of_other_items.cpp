#include "warpfold/warpfold.hpp"

struct point {
    float x;
};
struct total {
    using state = double;
    state identity() const { return 0; }
    void step(state& s, point p, wf::index_t) const { s += static_cast<double>(p.x); }
    void merge(state& s, state const& later) const { s += later; }
    double finish(state const& s) const { return s; }
};

#ifdef WARPFOLD_MISTAKE
using item = float;
#else
using item = point;
#endif

double use(item const (&x)[4]) { return wf::reduce(x, total{}); }
