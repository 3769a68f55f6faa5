// Quotients and roots of sums that fit 127 bits, in registers.
#pragma once

#include <cmath>

#include "quotients.hpp"
#include "short_sum.hpp"

namespace warpfold::exact {

/// The same sum in a long accumulator.
template <int Extra, int Low>
WARPFOLD_OUTLINED WARPFOLD_HD inline auto lengthened(short_sum<Low> const& sum) {
    fixed_point<Low, Low + 128 + Extra> result;
    result.add(sum.value, Low);
    return result;
}

/// A natural number of 192 bits, in registers: no loop over it has an index that the compiler does not know.
struct short_natural {
    static constexpr int digits = 6;
    std::uint32_t digit[digits];

    WARPFOLD_HD static short_natural of(std::uint64_t high, uint128 low) {
        return {{static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(low >> 32), static_cast<std::uint32_t>(low >> 64),
                 static_cast<std::uint32_t>(low >> 96), static_cast<std::uint32_t>(high), static_cast<std::uint32_t>(high >> 32)}};
    }
    WARPFOLD_HD bool is_zero() const {
        std::uint32_t all = 0;
        for (int i = 0; i < digits; ++i) all |= digit[i];
        return all == 0;
    }
    /// Shifts the top bit of a number that is not zero to the top; returns by how much.
    WARPFOLD_HD int normalize() {
        int shift = 0;
        for (int k = 0; k + 1 < digits; ++k) {
            if (digit[digits - 1] != 0) continue;
            for (int i = digits - 1; i > 0; --i) digit[i] = digit[i - 1];
            digit[0] = 0;
            shift += 32;
        }
        int const rest = leading_zeros(std::uint64_t{digit[digits - 1]} << 32);
        for (int i = digits - 1; i >= 0; --i) {
            std::uint64_t const two = std::uint64_t{digit[i]} << 32 | (i > 0 ? digit[i > 0 ? i - 1 : 0] : 0U);
            digit[i] = static_cast<std::uint32_t>(two << rest >> 32);
        }
        return shift + rest;
    }
    /// floor(this / divisor) replaces this; says whether a remainder was left.
    WARPFOLD_HD bool divide(std::uint32_t divisor) {
        digit_divisor const by{divisor};
        std::uint64_t rest = 0;
        for (int i = digits - 1; i >= 0; --i) digit[i] = by.divide(digit[i], rest);
        return rest != 0;
    }
    /// The upper 128 bits, normalized, as bits · 2^exponent.
    WARPFOLD_HD leading_bits leading(int exponent, bool sticky) {
        int const shift = normalize();
        uint128 bits = 0;
        for (int i = digits - 1; i >= digits - 4; --i) bits = bits << 32 | digit[i];
        return {bits, exponent - shift + 32 * (digits - 4), sticky || (digit[0] | digit[1]) != 0};
    }
};

template <class R, int Low>
WARPFOLD_OUTLINED WARPFOLD_HD inline R round_quotient_exactly(short_sum<Low> sum, std::uint64_t n) {
    if (n >> 32 != 0) return round_quotient<R>(lengthened<64>(sum), n);
    if (sum.value == 0) return R{0};
    bool const negative = sum.value < 0;
    auto a = short_natural::of(0, static_cast<uint128>(negative ? -sum.value : sum.value));
    int const shift = a.normalize();
    bool const sticky = a.divide(static_cast<std::uint32_t>(n));
    leading_bits const lead = a.leading(Low - shift, sticky);
    return round<R>(negative, lead.bits, lead.exponent, lead.sticky);
}
/// The exact sum divided by n > 0, rounded once.
template <class R, int Low>
WARPFOLD_HD inline R round_quotient(short_sum<Low> const& sum, std::uint64_t n) {
    if constexpr (std::is_same_v<R, float>) {
        R result;
        if (round_near(round<double>(sum) / static_cast<double>(n), 0x1p-49, result)) return result;
    }
    return round_quotient_exactly<R>(sum, n);
}

template <class R, int Low>
WARPFOLD_OUTLINED WARPFOLD_HD inline R round_root_exactly(short_sum<Low> sum) {
    if (sum.value == 0) return R{0};
    return round_root<R>(short_natural::of(0, static_cast<uint128>(sum.value)).leading(Low, false));
}
/// The square root of the exact sum, which is not negative, rounded once.
template <class R, int Low>
WARPFOLD_HD inline R round_root(short_sum<Low> const& sum) {
    if constexpr (std::is_same_v<R, float>) {
        R result;
        if (round_near(sqrt(round<double>(sum)), 0x1p-49, result)) return result;
    }
    return round_root_exactly<R>(sum);
}

/// n · second − first², which is not negative, in units of second: 192 bits, the lowest word first.
struct dispersion_words {
    std::uint64_t word[3];

    WARPFOLD_HD dispersion_words(int128 first, int128 second, std::uint64_t n) {
        // first² ≤ n · second < 2^191: first has fewer than 96 bits.
        auto const squares = static_cast<uint128>(second), total = static_cast<uint128>(first < 0 ? -first : first);
        uint128 const low = static_cast<uint128>(static_cast<std::uint64_t>(squares)) * n;
        uint128 const high = static_cast<uint128>(static_cast<std::uint64_t>(squares >> 64)) * n + (low >> 64);
        auto const t = static_cast<std::uint64_t>(total), u = static_cast<std::uint64_t>(total >> 64);
        uint128 const low_square = static_cast<uint128>(t) * t;
        uint128 const high_square = static_cast<uint128>(u) * u * (uint128{1} << 64) + 2 * static_cast<uint128>(t) * u + (low_square >> 64);
        auto const low_word = static_cast<std::uint64_t>(low), low_square_word = static_cast<std::uint64_t>(low_square);
        uint128 const upper = high - high_square - (low_word < low_square_word ? 1 : 0);
        word[0] = low_word - low_square_word;
        word[1] = static_cast<std::uint64_t>(upper);
        word[2] = static_cast<std::uint64_t>(upper >> 64);
    }
    /// To within three roundings.
    WARPFOLD_HD double near() const {
        return static_cast<double>(word[2]) * 0x1p128 + static_cast<double>(word[1]) * 0x1p64 + static_cast<double>(word[0]);
    }
};

template <class R, bool Root, int Low>
WARPFOLD_OUTLINED WARPFOLD_HD inline R round_spread_exactly(short_sum<Low> first, short_sum<2 * Low> second,
                                                            std::uint64_t n, std::uint64_t ddof) {
    if (n >> 32 != 0) return round_spread<R, Root>(lengthened<64>(first), lengthened<128>(second), n, ddof);
    dispersion_words const d(first.value, second.value, n);
    auto a = short_natural::of(d.word[2], static_cast<uint128>(d.word[1]) << 64 | d.word[0]);
    if (a.is_zero()) return R{0};
    int const shift = a.normalize();
    bool sticky = a.divide(static_cast<std::uint32_t>(n));
    sticky = a.divide(static_cast<std::uint32_t>(n - ddof)) || sticky;
    leading_bits const lead = a.leading(2 * Low - shift, sticky);
    if constexpr (Root) return round_root<R>(lead);
    else return round<R>(false, lead.bits, lead.exponent, lead.sticky);
}
/// (n · second − first²) / (n (n − ddof)), or the root of that, rounded once; n > ddof. The unit of second is the
/// square of that of first.
template <class R, bool Root, int Low>
WARPFOLD_HD inline R round_spread(short_sum<Low> const& first, short_sum<2 * Low> const& second, std::uint64_t n, std::uint64_t ddof) {
    if constexpr (std::is_same_v<R, float>) {
        // Seven roundings: three of the numerator, three of the divisor, one of the quotient.
        R result;
        auto const unit = bits_as<double>(static_cast<std::uint64_t>(1023 + 2 * Low) << 52);
        double const divisor = static_cast<double>(n) * static_cast<double>(n - ddof);
        double const quotient = dispersion_words(first.value, second.value, n).near() * unit / divisor;
        if (round_near(Root ? sqrt(quotient) : quotient, 0x1p-49, result)) return result;
    }
    return round_spread_exactly<R, Root>(first, second, n, ddof);
}

}  // namespace warpfold::exact
