// Natural numbers of bounded size: what finishing an exact sum needs of big-integer arithmetic.
// Functions that return one are kept out of line in device code: nvcc 13.0 gives two of them the same stack bytes when
// it inlines them (seen with -O2 and -O3 in variance, on an H200; not with -Xcicc -O1).
#pragma once

#include "fixed_point.hpp"

namespace warpfold::exact {

/// Divides digit by digit, by a reciprocal: a quotient is at most one off, since (rest, digit) has 64 bits, a double 53 and
/// a quotient 32. On a GPU a 64-bit division takes four times as long, a 128-bit one forty.
class digit_divisor {
  public:
    WARPFOLD_HD explicit digit_divisor(std::uint32_t divisor) : divisor_{divisor}, inverse_{1.0 / divisor} {}

    /// (rest · 2^32 + digit) / divisor, for rest < divisor; the remainder replaces rest.
    WARPFOLD_HD std::uint32_t divide(std::uint32_t digit, std::uint64_t& rest) const {
        std::uint64_t const part = rest << 32 | digit;
        auto quotient = static_cast<std::uint64_t>(static_cast<double>(part) * inverse_);
        auto over = static_cast<std::int64_t>(part - quotient * divisor_);
        if (over < 0) {
            --quotient;
            over += divisor_;
        } else if (over >= divisor_) {
            ++quotient;
            over -= divisor_;
        }
        rest = static_cast<std::uint64_t>(over);
        return static_cast<std::uint32_t>(quotient);
    }

  private:
    std::uint32_t divisor_;
    double inverse_;
};

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

    /// floor(this / divisor) replaces this; says whether a remainder was left.
    WARPFOLD_HD bool divide(std::uint64_t divisor) {
        std::uint64_t rest = 0;
        if (divisor >> 32 == 0) {
            digit_divisor const by{static_cast<std::uint32_t>(divisor)};
            for (int i = size - 1; i >= 0; --i) digit[i] = by.divide(digit[i], rest);
            trim();
            return rest != 0;
        }
        for (int i = size - 1; i >= 0; --i) {
            uint128 const part = static_cast<uint128>(rest) << 32 | digit[i];
            digit[i] = static_cast<std::uint32_t>(part / divisor);
            rest = static_cast<std::uint64_t>(part % divisor);
        }
        trim();
        return rest != 0;
    }
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

/// a · 2^(32 · Digits).
template <int Digits, int A>
WARPFOLD_OUTLINED WARPFOLD_HD inline natural<A + Digits> raise(natural<A> const& a) {
    natural<A + Digits> result;
    for (int i = 0; i < Digits; ++i) result.digit[i] = 0;
    for (int i = 0; i < a.size; ++i) result.digit[Digits + i] = a.digit[i];
    result.size = a.size > 0 ? Digits + a.size : 0;
    return result;
}

template <int A, int B>
WARPFOLD_OUTLINED WARPFOLD_HD inline natural<A + B> multiply(natural<A> const& a, natural<B> const& b) {
    natural<A + B> product;
    product.size = a.size + b.size;
    for (int i = 0; i < product.size; ++i) product.digit[i] = 0;
    for (int i = 0; i < a.size; ++i) {
        std::uint64_t up = 0;
        for (int j = 0; j < b.size; ++j) {
            up += static_cast<std::uint64_t>(a.digit[i]) * b.digit[j] + product.digit[i + j];
            product.digit[i + j] = static_cast<std::uint32_t>(up);
            up >>= 32;
        }
        product.digit[i + b.size] = static_cast<std::uint32_t>(up);
    }
    product.trim();
    return product;
}

/// a · factor.
template <int A>
WARPFOLD_OUTLINED WARPFOLD_HD inline natural<A + 2> multiply(natural<A> const& a, std::uint64_t factor) {
    natural<2> b;
    b.digit[0] = static_cast<std::uint32_t>(factor);
    b.digit[1] = static_cast<std::uint32_t>(factor >> 32);
    b.size = 2;
    b.trim();
    return multiply(a, b);
}

/// a − b for a ≥ b. Both count the same unit.
template <int A, int B>
WARPFOLD_OUTLINED WARPFOLD_HD inline natural<A> subtract(natural<A> a, natural<B> const& b) {
    std::int64_t borrow = 0;
    for (int i = 0; i < a.size; ++i) {
        std::int64_t const difference =
            static_cast<std::int64_t>(a.digit[i]) - (i < b.size ? b.digit[i] : 0U) + borrow;
        a.digit[i] = static_cast<std::uint32_t>(difference);
        borrow = difference >> 32;
    }
    a.trim();
    return a;
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
