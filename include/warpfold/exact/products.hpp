// Exact products, for the folds that sum them.
#pragma once

#include "fixed_point.hpp"

namespace warpfold::exact {

/// Adds a · b · 2^exponent for two significands of at most 65 bits and a sign.
template <int Low, int High, class Significand>
WARPFOLD_HD inline void add_product(fixed_point<Low, High>& sum, Significand a, Significand b, int exponent) {
    if constexpr (sizeof(Significand) > 8) {
        if (a != static_cast<std::int64_t>(a) || b != static_cast<std::int64_t>(b)) {
            sum.add(a * static_cast<std::uint32_t>(b), exponent);
            sum.add(a * (b >> 32), exponent + 32);
            return;
        }
    }
    sum.add(static_cast<int128>(a) * b, exponent);
}

}  // namespace warpfold::exact
