// Exact arithmetic that owes nothing to the library: integers of any length, and one rounding of a rational number.
#pragma once

#include <gmpxx.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "warpfold/types.hpp"

namespace reference {

/// The item, times 2^-low of its type: an integer.
template <class T>
mpz_class on_grid(T x) {
    using format = wf::float_format<T>;
    std::uint64_t const bits = wf::bits_as<typename format::bits>(x);
    std::uint64_t const field = bits >> format::significand_bits & ((1U << format::exponent_bits) - 1);
    std::uint64_t const fraction = bits & ((std::uint64_t{1} << format::significand_bits) - 1);
    mpz_class value = field ? fraction | std::uint64_t{1} << format::significand_bits : fraction;
    if (field > 1) value <<= field - 1;
    if (bits >> (8 * sizeof(T) - 1)) value = -value;
    return value;
}
/// Exponent of the grid: the least positive T is 2^grid.
template <class T>
inline constexpr long grid = 3 - (1L << (wf::float_format<T>::exponent_bits - 1)) - wf::float_format<T>::significand_bits - 1;

/// numerator / denominator · 2^exponent (or the root of that) to the nearest R, ties to even. denominator > 0.
template <class R>
R nearest(mpz_class numerator, mpz_class const& denominator, long exponent, bool root = false) {
    constexpr long precision = std::numeric_limits<R>::digits;
    constexpr long lowest = std::numeric_limits<R>::min_exponent - std::numeric_limits<R>::digits;
    int const sign = sgn(numerator);
    if (sign == 0) return R{0};
    if (sign < 0) numerator = -numerator;
    // A quotient of many more bits than are wanted, and whether anything lies below it.
    long const have = static_cast<long>(mpz_sizeinbase(numerator.get_mpz_t(), 2) - mpz_sizeinbase(denominator.get_mpz_t(), 2));
    long shift = (root ? 140 : 70) - have;
    if (shift < 0) shift = 0;
    if (root && ((exponent - shift) & 1)) ++shift;
    numerator <<= static_cast<mp_bitcnt_t>(shift);
    exponent -= shift;
    mpz_class quotient, rest;
    mpz_tdiv_qr(quotient.get_mpz_t(), rest.get_mpz_t(), numerator.get_mpz_t(), denominator.get_mpz_t());
    bool below = sgn(rest) != 0;
    if (root) {
        mpz_class const square = quotient;
        mpz_sqrtrem(quotient.get_mpz_t(), rest.get_mpz_t(), square.get_mpz_t());
        below = below || sgn(rest) != 0;
        exponent /= 2;
    }
    long const bits = static_cast<long>(mpz_sizeinbase(quotient.get_mpz_t(), 2));
    long const place = std::max(exponent + bits - precision, lowest);
    long const drop = place - exponent;
    if (drop > 0) {
        auto const count = static_cast<mp_bitcnt_t>(drop);
        bool const half = mpz_tstbit(quotient.get_mpz_t(), count - 1);
        below = below || mpz_scan1(quotient.get_mpz_t(), 0) < count - 1;
        quotient >>= count;
        if (half && (below || mpz_odd_p(quotient.get_mpz_t()))) ++quotient;
        exponent = place;
    }
    constexpr int top = std::numeric_limits<R>::max_exponent;
    if (exponent + static_cast<long>(mpz_sizeinbase(quotient.get_mpz_t(), 2)) > top)
        return static_cast<R>(sign) * std::numeric_limits<R>::infinity();
    // At most 53 bits and within the range: ldexp is exact.
    return static_cast<R>(sign * std::ldexp(quotient.get_d(), static_cast<int>(exponent)));
}
template <class R>
R nearest(mpz_class const& value, long exponent) {
    return nearest<R>(value, 1, exponent);
}

}  // namespace reference
