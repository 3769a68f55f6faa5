// NaN ignored by a fold of the user's own; families have an option for it.
#pragma once

#include "family.hpp"

namespace warpfold {

/// A user's own fold over the items that are not NaN.
template <class F>
struct skipping : F {
    using gather = skipping;
    template <class Item>
    WARPFOLD_HD void step(typename F::state& s, Item const& x, index_t i) const {
        if (!is_nan(x)) F::step(s, x, i);
    }
};
template <class F>
    requires(!requires { F::options; })
constexpr skipping<F> skip_nan(F const& f) {
    return {f};
}

}  // namespace warpfold
