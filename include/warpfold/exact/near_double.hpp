// Results by sums of one double or two, where the error cannot matter. (The sums and products of two doubles are
// Dekker's and Knuth's; T. J. Dekker, A floating-point technique for extending the available precision, Numer. Math.
// 18, 1971.)
#pragma once

#include <cmath>

#include "round_near.hpp"

namespace warpfold::exact {

/// high + low, to within `error`; |low| is at most half an ulp of high. Each operation adds 2^-100 of what it works on
/// to the error, which is 2^4 times what its few roundings of low lose.
struct near_double {
    static constexpr double loss = 0x1p-100;
    double high, low, error;

    /// high + low of doubles, |low| ≤ |high|.
    WARPFOLD_HD static near_double of(double high, double low, double error) {
        double const sum = high + low;
        return {sum, low - (sum - high), error};
    }
    WARPFOLD_HD static near_double of(near_sum const& s) { return of(s.value, s.low, s.error); }
    WARPFOLD_HD near_double operator+(near_double const& b) const {
        two_doubles const sum = two_doubles{high, low} + two_doubles{b.high, b.low};
        return of(sum.high, sum.low, error + b.error + loss * (fabs(high) + fabs(b.high)));
    }
    WARPFOLD_HD near_double operator-() const { return {-high, -low, error}; }
    WARPFOLD_HD near_double square() const {
        double const product = rounded_product(high, high), rest = fma(high, high, -product);
        return of(product, fma(2 * high, low, rest), error * (4 * fabs(high) + error) + loss * product);
    }
    WARPFOLD_HD near_double over(std::uint64_t items) const {
        auto const n = static_cast<double>(items);
        double const inverse = 1 / n, quotient = rounded_product(high, inverse), rest = fma(-quotient, n, high);
        return of(quotient, (rest + low) * inverse, (error + loss * fabs(high)) * (2 * inverse));
    }
    /// NaN unless it is positive by far.
    WARPFOLD_HD near_double root() const {
        if (!(error < high * 0x1p-10)) return {nan_of<double>, 0, 0};
        double const first = sqrt(high), rest = fma(-first, first, high);
        return of(first, (rest + low) / (2 * first), error / first + loss * first);
    }
    /// What all numbers within the error round to, if that is one, and not zero; NaN otherwise.
    template <class R>
    WARPFOLD_HD R rounded() const {
        if constexpr (std::is_same_v<R, double>) {
            return exact::round<R>(near_sum{high, error, low});
        } else {
            double const around = 0x1p-52 * fabs(high) + error;  // low is less than half of the first
            return round_between<R>(high - around, high + around);
        }
    }
};

template <class R>
WARPFOLD_HD inline R round(near_double const& s) {
    return s.template rounded<R>();
}
template <class R>
WARPFOLD_HD inline R round_quotient(near_double const& s, std::uint64_t n) {
    return s.over(n).template rounded<R>();
}
template <class R>
WARPFOLD_HD inline R round_root(near_double const& s) {
    return s.root().template rounded<R>();
}
template <class R, bool Root>
WARPFOLD_HD inline R round_spread(near_double const& first, near_double const& second, std::uint64_t n, std::uint64_t ddof) {
    near_double const quotient = (second + -first.square().over(n)).over(n - ddof);
    return (Root ? quotient.root() : quotient).template rounded<R>();
}

template <class R>
WARPFOLD_HD inline R round_quotient(near_sum const& s, std::uint64_t n) {
    if constexpr (std::is_same_v<R, double>) {
        return round_quotient<R>(near_double::of(s), n);
    } else {
        // Shares of a power of two are exact; others lose 2^-52 of themselves, for which an exact sum's error has no room.
        bool const exact = (n & (n - 1)) == 0;
        double const share = 1 / static_cast<double>(n), error = exact ? s.error : s.error + 0x1p-50 * fabs(s.value);
        return error == 0 ? static_cast<R>(s.value * share) : round_between<R>((s.value - error) * share, (s.value + error) * share);
    }
}
template <class R>
WARPFOLD_HD inline R round_root(near_sum const& s) {
    if constexpr (std::is_same_v<R, double>) return round_root<R>(near_double::of(s));
    else return round_between<R>(sqrt(s.value - s.error), sqrt(s.value + s.error));
}
/// The errors are the same parts of n m and n m², for no item is larger than m. Then the square of the first, divided
/// by n, is as far off as twice the second.
template <class R, bool Root>
WARPFOLD_HD inline R round_spread(near_sum const& first, near_sum const& second, std::uint64_t n, std::uint64_t ddof) {
    if constexpr (std::is_same_v<R, double>) {
        return round_spread<R, Root>(near_double::of(first), near_double::of(second), n, ddof);
    } else {
        double const per_item = 1 / static_cast<double>(n), per_degree = ddof == 0 ? per_item : 1 / static_cast<double>(n - ddof);
        double const rest = second.value - first.value * first.value * per_item, error = 4 * second.error;
        double const low = (rest - error) * per_degree, high = (rest + error) * per_degree;
        if constexpr (Root) return round_between<R>(sqrt(low), sqrt(high));
        else return round_between<R>(low, high);
    }
}

}  // namespace warpfold::exact
