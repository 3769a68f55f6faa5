// The one rounding at the end: exact values to the nearest float, ties to even, subnormals and overflow included.
#pragma once

#include "fixed_point.hpp"

namespace warpfold::exact {

/// ±(bits + less than one, if sticky) · 2^exponent, rounded to nearest even. `bits` has its top bit set. R is float or
/// double. Infinity only where the exact value rounds beyond the largest finite R.
template <class R>
WARPFOLD_HD inline R round(bool negative, uint128 bits, int exponent, bool sticky) {
    using format = float_format<R>;
    using word = typename format::bits;
    constexpr int precision = format::significand_bits + 1;
    constexpr int lowest = exponent_range<R>::low;
    // The lower half lies below the last place of every result, and below the half of that place.
    auto const upper = static_cast<std::uint64_t>(bits >> 64);
    sticky = sticky || static_cast<std::uint64_t>(bits) != 0;
    exponent += 64;
    // Bits of weight below the last place of the result: at least 64 − precision, more for a subnormal result.
    int drop = 64 - precision;
    if (exponent + drop < lowest) drop = lowest - exponent;
    word significand = 0;
    if (drop <= 64) {
        significand = drop == 64 ? 0 : static_cast<word>(upper >> drop);
        std::uint64_t const half = std::uint64_t{1} << (drop - 1), rest = upper & (half | (half - 1));
        bool const above = rest > half || (rest == half && (sticky || (significand & 1)));
        significand = static_cast<word>(significand + above);
    }
    // A significand that rounded up to 2^precision or out of the subnormals is right without a special case: the
    // exponent field sits just above it.
    int const field = exponent + drop - lowest;
    constexpr int largest_field = (1 << format::exponent_bits) - 2;
    word magnitude = infinity_bits<R>;
    if (field < largest_field) {
        magnitude = static_cast<word>((static_cast<word>(field) << format::significand_bits) + significand);
        if (magnitude > infinity_bits<R>) magnitude = infinity_bits<R>;
    }
    constexpr word sign = word{1} << (8 * sizeof(word) - 1);
    return bits_as<R>(static_cast<word>(negative ? magnitude | sign : magnitude));
}

/// The exact sum, rounded. Zero is +0.
template <class R, int Low, int High>
WARPFOLD_HD inline R round(fixed_point<Low, High> value) {
    constexpr int limbs = fixed_point<Low, High>::limbs;
    bool negative = false;
    WARPFOLD_UNROLL(1)  // carry is there once
    for (;; negative = true) {
        value.carry();
        if (value.limb[limbs - 1] >= 0) break;
        WARPFOLD_UNROLL(value.at_once)
        for (std::int64_t& limb : value.limb) limb = -limb;
    }
    // The highest limb that is not zero, with the two below it, and whether there is anything below those.
    uint128 bits = 0, last = 0;
    bool sticky = false, passed = false;
    int top = 0;
    WARPFOLD_UNROLL(value.at_once)
    for (int i = 0; i < limbs; ++i) {
        passed = passed || static_cast<std::uint32_t>(last) != 0;
        last = last >> 32 | static_cast<uint128>(value.limb[i]) << 64;
        if (value.limb[i] != 0) bits = last, sticky = passed, top = i;
    }
    if (bits == 0) return R{0};
    int const shift = leading_zeros(static_cast<std::uint64_t>(bits >> 64));
    return round<R>(negative, bits << shift, Low + 32 * (top - 2) - shift, sticky);
}

/// An exact integer as R (int64 or uint64); overflow where it does not fit.
template <class R, int High>
WARPFOLD_HD inline outcome<R> to_integer(fixed_point<0, High> value) {
    value.carry();
    constexpr int limbs = fixed_point<0, High>::limbs;
    uint128 bits = 0;
    for (int i = 3; i >= 0; --i) bits = bits << 32 | static_cast<std::uint32_t>(value.limb[i]);
    auto const total = static_cast<int128>(bits);
    std::int64_t const extension = total < 0 ? -1 : 0;
    bool fits = limbs > 4 || value.limb[3] == static_cast<std::int32_t>(value.limb[3]);
    for (int i = 4; i < limbs; ++i)
        fits = fits && value.limb[i] == (i + 1 < limbs ? static_cast<std::uint32_t>(extension) : extension);
    auto const narrow = static_cast<R>(total);
    return {narrow, fits && static_cast<int128>(narrow) == total ? status::ok : status::overflow};
}

}  // namespace warpfold::exact
