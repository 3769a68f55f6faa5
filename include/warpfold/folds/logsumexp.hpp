// log Σ exp(x), in one read and in any order.
//
// An item x falls into bin j = x / 16 rounded to nearest, and adds exp(x − 16 j), a float computed by one fixed
// sequence of operations, to that bin as an integer. The bins at and just below the highest one met are kept and the
// rest dropped whole; which terms count thus depends on the items alone, never on their order. Finishing is integer
// arithmetic. Terms carry a relative error below 2^-21 (float) or 2^-50 (double); dropping costs less than n · exp(−48)
// (float) or n · exp(−80) (double) of the sum.
#pragma once

#include "../exact/round.hpp"
#include "../exact/round_near.hpp"
#include "exponential.hpp"
#include "family.hpp"

namespace warpfold {
namespace folds {

/// Reads items into bins of exponential terms. Float (float or double) is the type that terms are computed in.
template <class T, class Float>
struct exponentials {
    using gather = exponentials;
    using item = T;
    static constexpr int bins = std::is_same_v<Float, float> ? 4 : 6;
    /// Terms are rounded to multiples of 2^-fraction_bits; for double they are such multiples already.
    static constexpr int fraction_bits = std::is_same_v<Float, float> ? 33 : 65;

    struct state {
        index_t items = 0;
        index_t nans = 0;
        index_t positive_infinities = 0;
        /// The highest bin met; bin[i] holds the terms of bin top − i.
        Float top = -infinity_of<Float>;
        uint128 bin[bins] = {};
    };

    WARPFOLD_HD state identity() const { return {}; }

    WARPFOLD_HD void step(state& s, T given, index_t) const {
        ++s.items;
        if (is_nan(given)) {
            ++s.nans;
        } else if (is_infinite(given)) {
            s.positive_infinities += !is_negative(given);
        } else {
            Float x;
            if constexpr (is_integer<T> || std::is_same_v<T, double>) x = static_cast<Float>(given);
            else x = static_cast<Float>(static_cast<float>(given));
            Float const bin = exponential_bin(x);
            raise(s, bin);
            add(s, bin, to_fixed(exponential_in_bin(x, bin)));
        }
    }

    /// term · 2^fraction_bits, rounded to nearest even; 2^-12 < term < 2^12.
    WARPFOLD_HD static uint128 to_fixed(Float term) {
        auto const value = decompose(term);
        int const shift = value.exponent + fraction_bits;
        if (shift >= 0) return static_cast<uint128>(value.significand) << shift;
        std::int64_t const kept = value.significand >> -shift;
        std::int64_t const rest = value.significand - (kept << -shift), half = std::int64_t{1} << (-shift - 1);
        return static_cast<uint128>(kept + (rest > half || (rest == half && (kept & 1))));
    }

    /// Makes `bin` the top, if it is higher, and drops the bins that fall off the end.
    WARPFOLD_HD static void raise(state& s, Float bin) {
        if (!(bin > s.top)) return;
        Float const distance = bin - s.top;
        int const shift = distance < Float{bins} ? static_cast<int>(distance) : bins;
        for (int i = bins - 1; i >= 0; --i) s.bin[i] = i >= shift ? s.bin[i - shift] : 0;
        s.top = bin;
    }
    /// Adds to a bin at or below the top.
    WARPFOLD_HD static void add(state& s, Float bin, uint128 terms) {
        Float const distance = s.top - bin;
        if (distance < Float{bins}) s.bin[static_cast<int>(distance)] += terms;
    }

    WARPFOLD_HD void merge(state& s, state const& later) const {
        s.items += later.items;
        s.nans += later.nans;
        s.positive_infinities += later.positive_infinities;
        raise(s, later.top);
        for (int i = 0; i < bins; ++i)
            if (later.bin[i]) add(s, later.top - static_cast<Float>(i), later.bin[i]);
    }
};

template <class T, fold_options Options>
struct logsumexp : exponentials<T, result_float<T, Options>> {
    using result = result_float<T, Options>;

    WARPFOLD_HD result finish(typename logsumexp::state const& s) const {
        if (s.nans && !Options.skip_nan) return nan_of<result>;
        if (s.positive_infinities) return infinity_of<result>;
        if (!(s.top > -infinity_of<result>)) return -infinity_of<result>;
        int exponent;
        uint128 const sum = weighted_sum(s, exponent);
        result rounded;
        if constexpr (std::is_same_v<result, float>)
            if (round_near(double{s.top} * 16, sum, exponent, rounded)) return rounded;
        return round_exactly(s.top, sum, exponent);
    }

    /// What 16 top + ln(sum · 2^exponent) rounds to, where a double and a bound of its error decide that. The logarithm
    /// is at most 2^7, so a unit in its last place 2^-46; the digits that add_logarithm computes are off by less.
    WARPFOLD_HD static bool round_near(double top, uint128 sum, int exponent, float& rounded) {
        double const near = top + std::log(std::ldexp(static_cast<double>(static_cast<std::uint64_t>(sum >> 64)), exponent + 64));
        double const error = 0x1p-44 + std::fabs(near) * 0x1p-50;
        return exact::round_between(near - error, near + error, rounded);
    }
    WARPFOLD_OUTLINED WARPFOLD_HD static result round_exactly(result top, uint128 sum, int exponent) {
        exact::fixed_point<-128, 1100> total;
        auto const bins = decompose(top);
        if (bins.significand) total.add(bins.significand, bins.exponent + 4);
        add_logarithm(total, sum, exponent);
        return exact::round<result>(total);
    }

    /// Σ bin[i] · exp(−16 i) = the returned number, top bit set, times 2^exponent.
    WARPFOLD_HD static uint128 weighted_sum(typename logsumexp::state const& s, int& exponent) {
        constexpr std::uint64_t factor = 0xf1aaddd7742e56d3U;  // exp(−16) · 2^87, to 64 bits
        uint128 all = 0;
        for (uint128 const terms : s.bin) all |= terms;
        int const headroom = leading_zeros(all) > 2 ? leading_zeros(all) - 2 : 0;
        uint128 sum = 0;
        for (int i = logsumexp::bins - 1; i >= 0; --i)
            sum = (multiply_high(sum, factor) >> (87 - 64)) + (s.bin[i] << headroom);
        int const shift = leading_zeros(sum);
        exponent = -logsumexp::fraction_bits - headroom - shift;
        return sum << shift;
    }
    /// Zeros above the highest set bit; x > 0.
    WARPFOLD_HD static int leading_zeros(uint128 x) {
        auto const high = static_cast<std::uint64_t>(x >> 64);
        return high ? warpfold::leading_zeros(high) : 64 + warpfold::leading_zeros(static_cast<std::uint64_t>(x));
    }

    /// floor(a · b / 2^64).
    WARPFOLD_HD static uint128 multiply_high(uint128 a, std::uint64_t b) {
        uint128 const low = static_cast<uint128>(static_cast<std::uint64_t>(a)) * b;
        return static_cast<uint128>(static_cast<std::uint64_t>(a >> 64)) * b + (low >> 64);
    }

    /// Adds ln(sum · 2^exponent) to `total`; sum has its top bit set. 64 bits of log2 come one by one, by squaring.
    template <class Total>
    WARPFOLD_HD static void add_logarithm(Total& total, uint128 sum, int exponent) {
        std::uint64_t fraction = 0;
        for (int i = 0; i < 64; ++i) {
            auto const high = static_cast<std::uint64_t>(sum >> 64);
            auto const low = static_cast<std::uint64_t>(sum);
            uint128 const cross = static_cast<uint128>(high) * low;
            sum = static_cast<uint128>(high) * high + (cross >> 63);  // square / 2^128, in [2^126, 2^128)
            bool const bit = (sum >> 127) != 0;
            fraction = fraction << 1 | bit;
            if (!bit) sum <<= 1;
        }
        constexpr std::uint64_t ln2_high = 0xb17217f7d1cf79abU, ln2_low = 0xc9e3b39803f2f6afU;  // ln 2 · 2^128
        int128 const whole = exponent + 127;
        total.add(whole * ln2_high, -64);
        total.add(whole * ln2_low, -128);
        total.add(static_cast<int128>(static_cast<uint128>(fraction) * ln2_high >> 1), -127);
    }
};

}  // namespace folds

/// log Σ exp(x). −inf terms vanish; empty or all −inf: −inf; any +inf: +inf.
inline constexpr family<folds::logsumexp> logsumexp{};

}  // namespace warpfold

#if WARPFOLD_DEVICE
#include "../device/lanes/exponentials.hpp"
#endif
