// Product: exponents add, significands multiply in 128 bits, and the one rounding comes at the end.
//
// The significand is exact while the odd part of the product is short, whatever the order of the items, since every
// partial product divides the whole. A multiplication that drops bits drops less than 2^-127 of the value, and the
// state counts such units. A value that was ever truncated has an odd part of more than 96 bits, so it never lies on a
// rounding boundary of float or double; it is rounded correctly unless a boundary falls within the counted error. For
// items with random significands the odds of that are below (number of items) · 2^-66 for double results and 2^-95 for
// float ones, of a device (device/lanes/products.hpp) 2^-70 + (number of items) · 2^-80 and 2^-99 + (number of items) ·
// 2^-109; the result is then `undecided`, never a guess.
#pragma once

#include "../exact/round.hpp"
#include "../exact/round_near.hpp"
#include "family.hpp"

namespace warpfold {
namespace folds {

/// Reads floats into their product.
template <class T>
struct products {
    using gather = products;
    using item = T;

    struct state {
        index_t items = 0;
        index_t nans = 0;
        index_t infinities = 0;
        index_t zeros = 0;
        /// |product of the finite nonzero items| = significand · 2^exponent, top bit of the significand set.
        uint128 significand = uint128{1} << 127;
        index_t exponent = -127;
        /// What was dropped, in units of 2^-127 of the value.
        std::uint64_t truncations = 0;
        bool negative = false;
    };

    WARPFOLD_HD state identity() const { return {}; }

    WARPFOLD_HD void step(state& s, T x, index_t) const {
        ++s.items;
        s.nans += is_nan(x);
        if (is_nan(x)) return;
        s.negative = s.negative != is_negative(x);
        if (magnitude_bits(x) == 0) {
            ++s.zeros;
        } else if (is_infinite(x)) {
            ++s.infinities;
        } else {
            auto const value = decompose(x);
            auto const magnitude = static_cast<std::uint64_t>(value.significand < 0 ? -value.significand : value.significand);
            multiply(s, magnitude, value.exponent);
        }
    }

    /// Multiplies by magnitude · 2^exponent, magnitude > 0: a 192-bit product, cut to its leading 128 bits.
    WARPFOLD_HD static void multiply(state& s, std::uint64_t magnitude, index_t exponent) {
        int const shift = leading_zeros(magnitude);
        magnitude <<= shift;
        auto const low = static_cast<uint128>(static_cast<std::uint64_t>(s.significand)) * magnitude;
        auto const high = static_cast<uint128>(static_cast<std::uint64_t>(s.significand >> 64)) * magnitude + (low >> 64);
        auto rest = static_cast<std::uint64_t>(low);
        s.significand = high;
        s.exponent += exponent - shift + 64;
        if (!(s.significand >> 127)) {
            s.significand = s.significand << 1 | rest >> 63;
            rest <<= 1;
            --s.exponent;
        }
        s.truncations += rest != 0;
    }

    WARPFOLD_HD void merge(state& s, state const& later) const {
        s.items += later.items;
        s.nans += later.nans;
        s.infinities += later.infinities;
        s.zeros += later.zeros;
        s.negative = s.negative != later.negative;
        // (high · 2^64 + low) of `later`, high part first: the sum of two 192-bit products, again cut to 128 bits.
        auto const a_low = static_cast<std::uint64_t>(s.significand), a_high = static_cast<std::uint64_t>(s.significand >> 64);
        auto const b_low = static_cast<std::uint64_t>(later.significand), b_high = static_cast<std::uint64_t>(later.significand >> 64);
        uint128 const low = static_cast<uint128>(a_low) * b_low;
        uint128 const cross = static_cast<uint128>(a_low) * b_high;
        uint128 const other = static_cast<uint128>(a_high) * b_low;
        uint128 const middle = (low >> 64) + static_cast<std::uint64_t>(cross) + static_cast<std::uint64_t>(other);
        uint128 high = static_cast<uint128>(a_high) * b_high + (cross >> 64) + (other >> 64) + (middle >> 64);
        uint128 rest = middle << 64 | static_cast<std::uint64_t>(low);
        s.exponent += later.exponent + 128;
        if (!(high >> 127)) {
            high = high << 1 | rest >> 127;
            rest <<= 1;
            --s.exponent;
        }
        s.significand = high;
        s.truncations += later.truncations + (rest != 0);
    }
};

/// Reads integers into their product: sign, zeros and a magnitude that stays too large once it is.
template <class T>
    requires is_integer<T>
struct products<T> {
    using gather = products;
    using item = T;

    struct state {
        index_t items = 0;
        index_t zeros = 0;
        std::uint64_t magnitude = 1;
        bool too_large = false;
        bool negative = false;
    };

    WARPFOLD_HD state identity() const { return {}; }

    WARPFOLD_HD void step(state& s, T x, index_t) const {
        ++s.items;
        if (x == T{}) {
            ++s.zeros;
            return;
        }
        s.negative = s.negative != is_negative(x);
        auto const u = static_cast<std::uint64_t>(static_cast<std::int64_t>(x));
        multiply(s, is_negative(x) ? std::uint64_t{0} - u : u);
    }

    /// Magnitudes of nonzero integers never shrink, so "too large" does not depend on the order.
    WARPFOLD_HD static void multiply(state& s, std::uint64_t magnitude) {
        auto const product = static_cast<uint128>(s.magnitude) * magnitude;
        s.too_large = s.too_large || (product >> 64) != 0;
        s.magnitude = s.too_large ? 1 : static_cast<std::uint64_t>(product);
    }

    WARPFOLD_HD void merge(state& s, state const& later) const {
        s.items += later.items;
        s.zeros += later.zeros;
        s.too_large = s.too_large || later.too_large;
        s.negative = s.negative != later.negative;
        multiply(s, later.magnitude);
    }
};

template <class T, fold_options Options>
struct product : products<T> {
    using result = std::conditional_t<is_float<T>, result_float<T, Options>, integer_result<T>>;

    template <class State>
    WARPFOLD_HD outcome<result> finish(State const& s) const {
        if constexpr (is_float<T>) return finish_float(s);
        else return finish_integer(s);
    }

    template <class State>
    WARPFOLD_HD static outcome<result> finish_float(State const& s) {
        if constexpr (requires { s.usual; })
            if (auto const near = finish_near(s); s.usual && (Options.skip_nan || !s.nans) && !is_nan(near)) return {near};
        if ((s.nans && !Options.skip_nan) || (s.infinities && s.zeros)) return {nan_of<result>};
        result const sign = s.negative ? result{-1} : result{1};
        if (s.infinities) return {sign * infinity_of<result>};
        if (s.zeros) return {sign * result{0}};
        if constexpr (requires { s.significand; }) return finish_exactly(s);
        else if (exponent_of(s) > exponent_range<result>::high) return {sign * infinity_of<result>};
        else if (exponent_of(s) < exponent_range<result>::low - 2) return {sign * result{0}};
        else return {sign, status::undecided};
    }

    /// Of (head + tail) · 2^exponent.
    template <class State>
    WARPFOLD_HD static int exponent_of(State const& s) { return static_cast<int>(magnitude_bits(s.head) >> 52) - 1023 + s.exponent; }

    /// NaN where another number may be as near, and of what is no normal double. (Asked last: a branch takes longer than
    /// what it would jump over.)
    template <class State>
    WARPFOLD_HD static result finish_near(State const& s) {
        int const exponent = exponent_of(s);
        bool const normal = exponent > -1022 && exponent < 1023;
        auto const scaled = [&](double x) { return bits_as<double>(bits_as<std::uint64_t>(x) + (static_cast<std::uint64_t>(s.exponent) << 52)); };
        if constexpr (std::is_same_v<result, double>) {
            double const near = exact::round<double>(exact::near_sum{s.head, s.head * s.error, s.tail}), product = scaled(near);
            return normal && !is_nan(near) ? product : nan_of<result>;
        } else {
            double const near = scaled(s.tail == 0 ? s.head : s.head + s.tail), error = near * (s.error + 0x1p-50);
            result const known = s.error == 0 && s.tail == 0 ? static_cast<result>(near) : exact::round_between<result>(near - error, near + error);
            return normal ? known : nan_of<result>;
        }
    }

    template <class State>
    WARPFOLD_HD static outcome<result> finish_exactly(State const& s) {
        // Far outside every format the exponent alone decides; clamping keeps it an int.
        constexpr index_t far = 1 << 20;
        auto const exponent = static_cast<int>(s.exponent < -far ? -far : s.exponent > far ? far : s.exponent);
        bool const truncated = s.truncations != 0;
        auto const below = exact::round<result>(s.negative, s.significand, exponent, truncated);
        // A truncation drops less than 2^-127 of the value: less than two units of the last place at the end.
        uint128 const above_bits = s.significand + 2 * static_cast<uint128>(s.truncations) + 2;
        bool const wrapped = above_bits < s.significand;
        auto const above = wrapped ? exact::round<result>(s.negative, uint128{1} << 127, exponent + 1, true)
                                   : exact::round<result>(s.negative, above_bits, exponent, true);
        bool const decided = !truncated || below == above;
        return {below, decided ? status::ok : status::undecided};
    }

    template <class State>
    WARPFOLD_HD static outcome<result> finish_integer(State const& s) {
        if (s.zeros) return {0};
        constexpr auto largest = static_cast<std::uint64_t>(highest_of<result>);
        bool const fits = !s.too_large && s.magnitude <= largest + (s.negative ? 1U : 0U);
        auto const magnitude = s.negative ? std::uint64_t{0} - s.magnitude : s.magnitude;
        return {static_cast<result>(magnitude), fits ? status::ok : status::overflow};
    }
};

}  // namespace folds

/// Product, rounded once. Empty: 1. Integers: exact, int64 or uint64, overflow is an error.
inline constexpr family<folds::product> product{};

}  // namespace warpfold

#if WARPFOLD_DEVICE
#include "../device/lanes/products.hpp"
#endif
