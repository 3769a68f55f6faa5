// Natural numbers of bounded size: what rounding an exact sum needs of big-integer arithmetic.
// Functions that return one are kept out of line in device code: nvcc 13.0 gives two of them the same stack bytes when
// it inlines them (seen with -O2 and -O3 in variance, on an H200; not with -Xcicc -O1).
#pragma once

#include "fixed_point.hpp"

namespace warpfold::exact {

/// digit[0] + digit[1] · 2^32 + …; digits at and above `size` are zero and not stored.
template <int Capacity>
struct natural {
    static constexpr int capacity = Capacity;
    std::uint32_t digit[Capacity];
    int size = 0;

    WARPFOLD_HD void trim() {
        while (size > 0 && digit[size - 1] == 0) --size;
    }
    WARPFOLD_HD bool is_zero() const { return size == 0; }
};

/// |value|, times 2^(32 · extra), and its sign: value = ±natural · 2^(Low − 32 · extra).
template <int Extra, int Low, int High>
WARPFOLD_OUTLINED WARPFOLD_HD inline auto magnitude(fixed_point<Low, High> value, bool& negative) {
    natural<fixed_point<Low, High>::limbs + 1 + Extra> result;
    constexpr int limbs = fixed_point<Low, High>::limbs;
    value.carry();
    negative = value.limb[limbs - 1] < 0;
    if (negative) {
        for (int i = 0; i < limbs; ++i) value.limb[i] = -value.limb[i];
        value.carry();
    }
    for (int i = 0; i < Extra; ++i) result.digit[i] = 0;
    for (int i = 0; i < limbs; ++i) result.digit[Extra + i] = static_cast<std::uint32_t>(value.limb[i]);
    result.digit[Extra + limbs] = static_cast<std::uint32_t>(value.limb[limbs - 1] >> 32);
    result.size = Extra + limbs + 1;
    result.trim();
    return result;
}

/// The leading 128 bits of a natural, top bit set: value = (bits + less than one, if sticky) · 2^exponent.
struct leading_bits {
    uint128 bits;
    int exponent;
    bool sticky;
};

/// a > 0.
template <int A>
WARPFOLD_HD inline leading_bits leading(natural<A> const& a) {
    int const top = a.size - 1;
    int shift = 0;
    while (!(a.digit[top] << shift >> 31)) ++shift;
    auto const at = [&](int i) { return i >= 0 ? a.digit[i] : 0U; };
    uint128 bits = 0;
    for (int i = 0; i < 4; ++i) bits = bits << 32 | at(top - i);
    std::uint32_t const next = at(top - 4);
    bool sticky = shift ? (next << shift) != 0 : next != 0;
    if (shift) bits = bits << shift | next >> (32 - shift);
    for (int i = top - 5; i >= 0 && !sticky; --i) sticky = a.digit[i] != 0;
    return {bits, 32 * (top - 3) - shift, sticky};
}

}  // namespace warpfold::exact
