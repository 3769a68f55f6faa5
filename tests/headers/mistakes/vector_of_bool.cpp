#include <vector>

#include "warpfold/warpfold.hpp"

bool use() {
#ifdef WARPFOLD_MISTAKE
    std::vector<bool> const x{true, false};
#else
    bool const x[] = {true, false};
#endif
    return wf::any(x);
}
