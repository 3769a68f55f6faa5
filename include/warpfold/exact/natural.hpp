// Natural numbers of bounded size: what rounding an exact sum needs of big-integer arithmetic.
// Functions that return one are kept out of line in device code: nvcc 13.0 gives two of them the same stack bytes when
// it inlines them (seen with -O2 and -O3 in variance, on an H200; not with -Xcicc -O1).
#pragma once

#include "round.hpp"

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
WARPFOLD_OUTLINED WARPFOLD_HD inline auto magnitude(fixed_point<Low, High> const& value, bool& negative) {
    constexpr int limbs = fixed_point<Low, High>::limbs;
    natural<limbs + 1 + Extra> result;
    auto* const digit = result.digit + Extra;
    // Most limbs of a long accumulator are zero: carries travel between the others, and into one digit above. (Four at
    // once: how many there are is known only when it runs, and nvcc 13.0 made 3,700 instructions of this for squares of
    // doubles.)
    int first = 0, end = limbs;
    WARPFOLD_UNROLL(4)
    while (first < end && value.limb[first] == 0) ++first;
    WARPFOLD_UNROLL(4)
    while (end > first && value.limb[end - 1] == 0) --end;
    WARPFOLD_UNROLL(4)
    for (int i = -Extra; i < first; ++i) digit[i] = 0;
    std::int64_t up = 0;
    WARPFOLD_UNROLL(4)
    for (int i = first; i < end; ++i) {
        up += value.limb[i];
        digit[i] = static_cast<std::uint32_t>(up);
        up >>= 32;
    }
    digit[end] = static_cast<std::uint32_t>(up);
    negative = up < 0;
    if (negative) {
        std::uint64_t sum = std::uint64_t{1} << 32;
        WARPFOLD_UNROLL(4)
        for (int i = first; i <= end; ++i) {
            sum = (sum >> 32) + static_cast<std::uint32_t>(~digit[i]);
            digit[i] = static_cast<std::uint32_t>(sum);
        }
    }
    result.size = Extra + end + 1;
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
    int lowest = 0;
    while (a.digit[lowest] == 0) ++lowest;
    sticky = sticky || lowest < top - 4;
    return {bits, 32 * (top - 3) - shift, sticky};
}

/// ±a · 2^exponent (and a little more, if sticky), rounded. Zero is +0.
template <class R, int A>
WARPFOLD_HD inline R round(bool negative, natural<A> const& a, int exponent, bool sticky = false) {
    if (a.is_zero()) return R{0};
    leading_bits const lead = leading(a);
    return round<R>(negative, lead.bits, lead.exponent + exponent, lead.sticky || sticky);
}

}  // namespace warpfold::exact
