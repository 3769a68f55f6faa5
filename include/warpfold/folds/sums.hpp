// Exact sums of powers, and sum. Norms, mean and variance: moments.hpp.
#pragma once

#include "../exact/round_near.hpp"
#include "../exact/short_sum.hpp"
#include "exceptions.hpp"

namespace warpfold {
namespace folds {

enum class powers { first, second, both };

/// Reads items into exact sums of x (or |x|) and of x².
template <class T, powers Powers, bool Absolute = false>
struct power_sums {
    using gather = power_sums;
    using item = T;
    static constexpr bool has_first = Powers != powers::second;
    static constexpr bool has_second = Powers != powers::first;
    static constexpr bool absolute = Absolute;

    struct state {
        index_t items = 0;
        exceptions special;
        /// Every item so far was −0: the one case in which a zero sum is −0. (Of another sum it means nothing.)
        bool only_negative_zeros = true;
        struct nothing {
            WARPFOLD_HD void merge(nothing) {}
        };
        std::conditional_t<has_first, exact::sum_of<T>, nothing> first;
        std::conditional_t<has_second, exact::sum_of_products<T>, nothing> second;
    };

    WARPFOLD_HD state identity() const { return {}; }

    WARPFOLD_HD void step(state& s, T x, index_t) const {
        ++s.items;
        if constexpr (is_float<T>) {
            if (magnitude_bits(x) >= infinity_bits<T>) {
                s.special.add(Absolute && !is_nan(x) ? infinity_of<double> : double{static_cast<float_result<T>>(x)});
                return;
            }
            if (magnitude_bits(x) != 0 || !is_negative(x) || Absolute) s.only_negative_zeros = false;
        } else {
            s.only_negative_zeros = false;
        }
        auto value = decompose(x);
        if (Absolute && value.significand < 0) value.significand = -value.significand;
        if constexpr (has_first) s.first.add(value.significand, value.exponent);
        if constexpr (has_second) add_product(s.second, value.significand, value.significand, 2 * value.exponent);
    }

    WARPFOLD_HD void merge(state& s, state const& later) const {
        s.items += later.items;
        s.special.merge(later.special);
        s.only_negative_zeros = s.only_negative_zeros && later.only_negative_zeros;
        s.first.merge(later.first);
        s.second.merge(later.second);
    }
};

template <class T, fold_options Options>
struct sum : power_sums<T, powers::first> {
    using result = std::conditional_t<is_float<T>, result_float<T, Options>, integer_result<T>>;
    static constexpr bool rounds_last = true;

    template <class State>
    WARPFOLD_HD outcome<result> finish(State const& s) const {
        if constexpr (is_float<T>) {
            bool decided;
            auto const special = s.special.template result<result>(Options.skip_nan, decided);
            if (decided) return {special};
            result const value = exact::round<result>(s.first);
            return {value == 0 && s.only_negative_zeros && s.items > s.special.nans ? -result{0} : value};
        } else {
            return exact::to_integer<result>(s.first);
        }
    }
};

}  // namespace folds

/// Correctly rounded sum. Empty: 0. Integers: exact, int64 or uint64, overflow is an error.
inline constexpr family<folds::sum> sum{};
}  // namespace warpfold

#if WARPFOLD_DEVICE
#include "../device/lanes/float_sums.hpp"
#include "../device/lanes/integer_sums.hpp"
#endif
