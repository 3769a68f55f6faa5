// Norms, mean, variance and standard deviation: of exact sums of powers, themselves, their quotients and roots.
#pragma once

#include "../exact/near_double.hpp"
#include "../exact/products.hpp"
#include "../exact/short_quotients.hpp"
#include "sums.hpp"

namespace warpfold {
namespace folds {

template <class T, fold_options Options>
struct mean : power_sums<T, powers::first> {
    using result = result_float<T, Options>;
    static constexpr bool rounds_last = true;

    template <class State>
    WARPFOLD_HD result finish(State const& s) const {
        bool decided;
        auto const special = s.special.template result<result>(Options.skip_nan, decided);
        if (decided) return special;
        index_t const n = s.items - s.special.nans;
        if (n == 0) return nan_of<result>;
        result const value = exact::round_quotient<result>(s.first, static_cast<std::uint64_t>(n));
        return value == 0 && s.only_negative_zeros ? -result{0} : value;
    }
};

/// Sum of |x|.
template <class T, fold_options Options>
struct norm_l1 : power_sums<T, powers::first, true> {
    using result = std::conditional_t<is_float<T>, result_float<T, Options>, std::uint64_t>;
    static constexpr bool rounds_last = true;

    template <class State>
    WARPFOLD_HD outcome<result> finish(State const& s) const {
        if constexpr (is_float<T>) {
            bool decided;
            auto const special = s.special.template result<result>(Options.skip_nan, decided);
            return {decided ? special : exact::round<result>(s.first)};
        } else {
            return exact::to_integer<result>(s.first);
        }
    }
};

/// sqrt of the sum of x².
template <class T, fold_options Options>
struct norm_l2 : power_sums<T, powers::second> {
    using result = result_float<T, Options>;
    static constexpr bool rounds_last = true;

    template <class State>
    WARPFOLD_HD result finish(State const& s) const {
        if (s.special.nans && !Options.skip_nan) return nan_of<result>;
        if (s.special.positive_infinities || s.special.negative_infinities)
            return infinity_of<result>;
        return exact::round_root<result>(s.second);
    }
};

enum class dispersion { variance, standard_deviation };

/// (Σx² − (Σx)²/n) / (n − ddof), exact until its one rounding; or the root of that.
template <class T, fold_options Options, dispersion Kind>
struct spread : power_sums<T, powers::both> {
    using result = result_float<T, Options>;
    static constexpr bool rounds_last = true;
    std::uint64_t ddof = 0;

    template <class State>
    WARPFOLD_HD result finish(State const& s) const {
        auto const n = static_cast<std::uint64_t>(s.items - s.special.nans);
        if ((s.special.nans && !Options.skip_nan) || s.special.positive_infinities || s.special.negative_infinities ||
            n <= ddof)
            return nan_of<result>;
        return exact::round_spread<result, Kind == dispersion::standard_deviation>(s.first, s.second, n, ddof);
    }
};

template <class T, fold_options Options>
using variance = spread<T, Options, dispersion::variance>;
template <class T, fold_options Options>
using standard_deviation = spread<T, Options, dispersion::standard_deviation>;

}  // namespace folds

/// A family with divisor n − ddof ("delta degrees of freedom", default 0, as NumPy). NaN where n ≤ ddof.
template <template <class, fold_options> class Fold, fold_options Options = fold_options{}>
struct spread_family {
    std::uint64_t degrees = 0;

    constexpr spread_family ddof(std::uint64_t d) const { return {d}; }

    template <class Item>
    WARPFOLD_HD constexpr Fold<Item, Options> bind() const {
        Fold<Item, Options> f;
        f.ddof = degrees;
        return f;
    }
    template <fold_options Other>
    constexpr spread_family<Fold, Other> with() const {
        return {degrees};
    }
    static constexpr fold_options options = Options;

    template <class Range, class... How>
    auto operator()(Range const& range, How const&... how) const {
        return reduce(range, *this, how...);
    }
};

/// Sum / n, rounded once. Empty: NaN.
inline constexpr family<folds::mean> mean{};
/// Sum of |x|, rounded once; uint64 for integers. Empty: 0.
inline constexpr family<folds::norm_l1> norm_l1{};
/// Square root of the sum of squares, rounded once; never overflows on the way. Empty: 0.
inline constexpr family<folds::norm_l2> norm_l2{};
/// Variance, rounded once. n ≤ ddof: NaN.
inline constexpr spread_family<folds::variance> variance{};
/// Standard deviation, rounded once. n ≤ ddof: NaN.
inline constexpr spread_family<folds::standard_deviation> standard_deviation{};

}  // namespace warpfold

#if WARPFOLD_DEVICE
#include "../device/lanes/block_words.hpp"
#include "../device/lanes/float_squares.hpp"
#include "../device/lanes/integer_squares.hpp"
#endif
