// Folds of pairs: dot product and squared distance, exact until their one rounding.
#pragma once

#include <ranges>

#include "../composite.hpp"
#include "../exact/products.hpp"
#include "sums.hpp"

namespace warpfold {

namespace folds {

/// Reads pairs into Σ x·y, or into Σ (x − y)² = Σ x·x − 2 Σ x·y + Σ y·y; floats of one type, or integers of one type.
template <class T, bool Distance>
struct pair_sums {
    using gather = pair_sums;
    using item = pair<T, T>;
    static constexpr bool distance = Distance;

    struct state {
        index_t items = 0;
        exceptions special;
        bool only_negative_zeros = true;
        exact::sum_of_products<T> sum;
    };

    WARPFOLD_HD state identity() const { return {}; }

    WARPFOLD_HD void step(state& s, item const& xy, index_t) const {
        ++s.items;
        T const x = xy.first, y = xy.second;
        if constexpr (is_float<T>) {
            if (magnitude_bits(x) >= infinity_bits<T> || magnitude_bits(y) >= infinity_bits<T>) {
                s.special.add(special_value(x, y));
                return;
            }
            bool const zero = magnitude_bits(x) == 0 || magnitude_bits(y) == 0;
            if (Distance || !zero || is_negative(x) == is_negative(y)) s.only_negative_zeros = false;
        }
        auto const a = decompose(x);
        auto const b = decompose(y);
        if constexpr (Distance) {
            add_product(s.sum, a.significand, a.significand, 2 * a.exponent);
            add_product(s.sum, -2 * a.significand, b.significand, a.exponent + b.exponent);
            add_product(s.sum, b.significand, b.significand, 2 * b.exponent);
        } else {
            add_product(s.sum, a.significand, b.significand, a.exponent + b.exponent);
        }
    }

    /// x·y or (x − y)² where x or y is NaN or infinite.
    WARPFOLD_HD static double special_value(T x, T y) {
        auto const a = static_cast<double>(static_cast<float_result<T>>(x));
        auto const b = static_cast<double>(static_cast<float_result<T>>(y));
        if constexpr (Distance) return (a - b) * (a - b);
        else if (is_infinite(x) || is_infinite(y)) return a * b;
        else return nan_of<double>;
    }

    WARPFOLD_HD void merge(state& s, state const& later) const {
        s.items += later.items;
        s.special.merge(later.special);
        s.only_negative_zeros = s.only_negative_zeros && later.only_negative_zeros;
        s.sum.merge(later.sum);
    }
};

template <class Item, fold_options Options, bool Distance>
struct pair_sum : pair_sums<decltype(Item::first), Distance> {
    using value = decltype(Item::first);
    static_assert(std::is_same_v<value, decltype(Item::second)>, "both inputs of dot have one item type");
    using result = std::conditional_t<is_float<value>, result_float<value, Options>, integer_result<value>>;
    static constexpr bool rounds_last = true;

    template <class State>
    WARPFOLD_HD outcome<result> finish(State const& s) const {
        if constexpr (is_float<value>) {
            bool decided;
            auto const special = s.special.template result<result>(Options.skip_nan, decided);
            if (decided) return {special};
            result const total = exact::round<result>(s.sum);
            return {total == 0 && s.only_negative_zeros && s.items > s.special.nans ? -result{0} : total};
        } else {
            return exact::to_integer<result>(s.sum);
        }
    }
};
template <class Item, fold_options Options>
using dot = pair_sum<Item, Options, false>;
template <class Item, fold_options Options>
using squared_distance = pair_sum<Item, Options, true>;

}  // namespace folds

/// A family of folds of pairs, called with a zip or with the two ranges.
template <template <class, fold_options> class Fold, fold_options Options = fold_options{}>
struct pair_family : family<Fold, Options> {
    template <fold_options Other>
    constexpr pair_family<Fold, Other> with() const {
        return {};
    }
    using family<Fold, Options>::operator();
    template <class A, class B, class... How>
        requires std::ranges::range<B> || input<B>
    auto operator()(A const& a, B const& b, How const&... how) const {
        return reduce(zip(a, b), *this, how...);
    }
};

/// Σ x·y of two inputs of one item type, rounded once. skip_nan skips pairs whose product is NaN. Empty: 0.
inline constexpr pair_family<folds::dot> dot{};
/// Σ (x − y)², rounded once. Empty: 0.
inline constexpr pair_family<folds::squared_distance> squared_distance{};

}  // namespace warpfold

#if WARPFOLD_DEVICE
#include "../device/lanes/pair_sums.hpp"
#endif
