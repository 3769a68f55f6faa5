// Rounding by an approximation, where its error cannot matter (A. Ziv, Fast evaluation of elementary mathematical
// functions with correctly rounded last bit, ACM TOMS 17 (1991), 410-423).
#pragma once

#include "../types.hpp"

namespace warpfold::exact {

/// a · b rounded to a double, whatever it is added to: a product that the compiler fused with an addition would not be
/// the one whose rest is added too. (GCC 12 fuses what it vectorizes despite -ffp-contract=off; out of what it cannot
/// see it fuses nothing.)
WARPFOLD_HD inline double rounded_product(double a, double b) {
#if defined(__CUDA_ARCH__)
    return __dmul_rn(a, b);
#else
    double product = a * b;
    asm("" : "+m"(product));
    return product;
#endif
}

/// The float that every number from `low` to `high` rounds to; false where they round to several.
WARPFOLD_HD inline bool round_between(double low, double high, float& result) {
    result = static_cast<float>(low);
    return result == static_cast<float>(high);
}
/// The same of a number that is known to within half of `bound` times `near`.
WARPFOLD_HD inline bool round_near(double near, double bound, float& result) {
    return round_between(near * (1 - bound), near * (1 + bound), result);
}

/// The sum of two doubles, which additions keep: what `high` rounds off, `low` takes up (D. E. Knuth's TwoSum).
struct two_doubles {
    double high, low;

    WARPFOLD_HD two_doubles operator+(two_doubles const& b) const {
        double const sum = high + b.high, part = sum - high, rest = (high - (sum - part)) + (b.high - part);
        return {sum, rest + (low + b.low)};
    }
};

/// value + low, a sum known to within `error`, of which so much is to spare that a few roundings on the way to a result
/// do not matter, but where it is 0 and the sum exact. Results are what the exact sum's would be, rounded once; undecided
/// where the error matters, and where they may be zero, but for floats of a sum that is exact: a state that
/// has one knows whether its zero is −0.
struct near_sum {
    double value, error;
    double low = 0;  ///< where results are doubles

    WARPFOLD_HD near_sum operator+(near_sum const& b) const {
        two_doubles const sum = two_doubles{value, low} + two_doubles{b.value, b.low};
        return {sum.high, error + b.error, sum.low};
    }
};
/// Doubles it never decides.
template <class R>
WARPFOLD_HD inline R round_between(double low, double high) {
    float result;
    return std::is_same_v<R, float> && round_between(low, high, result) && result != 0 ? static_cast<R>(result) : undecided_of<R>;
}
template <class R>
WARPFOLD_HD inline R round(near_sum const& s) {
    if constexpr (std::is_same_v<R, double>) {
        double const one = s.value + (s.low - s.error), other = s.value + (s.low + s.error);
        return one == other && one != 0 ? one : undecided_of<double>;
    } else return s.error == 0 ? static_cast<R>(s.value) : round_between<R>(s.value - s.error, s.value + s.error);
}

/// The same in two doubles, for what squares are summed for: near_double.hpp, which folds/moments.hpp brings.
struct near_double;
template <class R>
WARPFOLD_HD inline R round(near_double const& s);

}  // namespace warpfold::exact
