// Exact sums that fit 127 bits: what a sum nearly always is, finished without the long accumulator.
#pragma once

#include "round.hpp"

namespace warpfold::exact {

/// value · 2^Low.
template <int Low>
struct short_sum {
    int128 value;
};

/// The exact sum, rounded: by one conversion of its upper 64 bits, the last of them set where bits below are. Then it
/// is scaled by a power of two, exactly, for no result is subnormal or too large.
template <class R, int Low>
WARPFOLD_HD inline R round(short_sum<Low> const& sum) {
    using format = float_format<R>;
    constexpr int bias = exponent_range<R>::high - 1;
    static_assert(Low > -bias && Low + 127 <= bias);
    auto const high = static_cast<std::int64_t>(sum.value >> 64);
    auto const low = static_cast<std::uint64_t>(sum.value), beyond = static_cast<std::uint64_t>(high ^ high >> 63);
    int const drop = high == static_cast<std::int64_t>(low) >> 63 ? 0 : beyond == 0 ? 1 : 65 - leading_zeros(beyond);
    auto upper = static_cast<std::int64_t>(sum.value >> drop);
    if (static_cast<std::uint64_t>(static_cast<uint128>(low) << 64 >> drop) != 0) upper |= 1;
    return static_cast<R>(upper) * bits_as<R>(static_cast<typename format::bits>(bias + Low + drop) << format::significand_bits);
}

/// An exact integer as R (int64 or uint64); overflow where it does not fit.
template <class R>
WARPFOLD_HD inline outcome<R> to_integer(short_sum<0> const& sum) {
    auto const narrow = static_cast<R>(sum.value);
    return {narrow, static_cast<int128>(narrow) == sum.value ? status::ok : status::overflow};
}

}  // namespace warpfold::exact
