// Exact sums that fit 127 bits: what a sum nearly always is, finished without the long accumulator.
#pragma once

#include "round.hpp"

namespace warpfold::exact {

/// value · 2^Low.
template <int Low>
struct short_sum {
    static constexpr int low = Low;
    int128 value;
};

/// |value|, times 2^(32 · extra), and its sign.
template <int Extra, int Low>
WARPFOLD_OUTLINED WARPFOLD_HD inline auto magnitude(short_sum<Low> const& sum, bool& negative) {
    natural<4 + Extra> result;
    negative = sum.value < 0;
    auto const bits = static_cast<uint128>(negative ? -sum.value : sum.value);
    for (int i = 0; i < Extra; ++i) result.digit[i] = 0;
    for (int i = 0; i < 4; ++i) result.digit[Extra + i] = static_cast<std::uint32_t>(bits >> (32 * i));
    result.size = Extra + 4;
    result.trim();
    return result;
}

/// The exact sum, rounded.
template <class R, int Low>
WARPFOLD_HD inline R round(short_sum<Low> const& sum) {
    if (sum.value == 0) return R{0};
    bool const negative = sum.value < 0;
    auto bits = static_cast<uint128>(negative ? -sum.value : sum.value);
    auto const high = static_cast<std::uint64_t>(bits >> 64);
    int const shift = high ? leading_zeros(high) : 64 + leading_zeros(static_cast<std::uint64_t>(bits));
    return round<R>(negative, bits << shift, Low - shift, false);
}

/// The exact sum divided by n > 0, rounded once.
template <class R, int Low>
WARPFOLD_HD inline R round_quotient(short_sum<Low> const& sum, std::uint64_t n) {
    bool negative;
    constexpr int extra = 6;  // 192 bits: the quotient keeps 128 after a division by any n < 2^63
    auto a = magnitude<extra>(sum, negative);
    bool const sticky = a.divide(n);
    return round<R>(negative, a, Low - 32 * extra, sticky);
}

/// An exact integer as R (int64 or uint64); overflow where it does not fit.
template <class R>
WARPFOLD_HD inline outcome<R> to_integer(short_sum<0> const& sum) {
    auto const narrow = static_cast<R>(sum.value);
    return {narrow, static_cast<int128>(narrow) == sum.value ? status::ok : status::overflow};
}

}  // namespace warpfold::exact
