// What exact sums do with NaN and infinities.
#pragma once

#include "family.hpp"

namespace warpfold::folds {

/// The items that have no place in a fixed-point number, counted; shared by every exact sum.
struct exceptions {
    index_t nans = 0;
    index_t positive_infinities = 0;
    index_t negative_infinities = 0;

    WARPFOLD_HD void merge(exceptions const& other) {
        nans += other.nans;
        positive_infinities += other.positive_infinities;
        negative_infinities += other.negative_infinities;
    }
    /// x is NaN or infinite.
    template <class T>
    WARPFOLD_HD void add(T x) {
        if (is_nan(x)) ++nans;
        else if (is_negative(x)) ++negative_infinities;
        else ++positive_infinities;
    }
    /// NaN or ±infinity, where the exceptions decide the sum; `decided` says whether they do.
    template <class R>
    WARPFOLD_HD R result(bool skip_nan, bool& decided) const {
        decided = true;
        if ((nans && !skip_nan) || (positive_infinities && negative_infinities)) return nan_of<R>;
        if (positive_infinities) return infinity_of<R>;
        if (negative_infinities) return -infinity_of<R>;
        decided = false;
        return R{};
    }
};

}  // namespace warpfold::folds
