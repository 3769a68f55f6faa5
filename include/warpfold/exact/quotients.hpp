// Quotients and roots of exact sums, rounded once: what mean, variance and L2 norm need beyond a sum.
#pragma once

#include <cmath>

#include "natural.hpp"
#include "round_near.hpp"

namespace warpfold::exact {

/// Divides digit by digit, by a reciprocal: a quotient is at most one off, since (rest, digit) has 64 bits, a double 53
/// and a quotient 32. On a GPU a 64-bit division takes four times as long, a 128-bit one forty.
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

/// floor(a / divisor) replaces a; says whether a remainder was left.
template <int A>
WARPFOLD_HD inline bool divide(natural<A>& a, std::uint64_t divisor) {
    std::uint64_t rest = 0;
    if (divisor >> 32 == 0) {
        digit_divisor const by{static_cast<std::uint32_t>(divisor)};
        for (int i = a.size - 1; i >= 0; --i) a.digit[i] = by.divide(a.digit[i], rest);
        a.trim();
        return rest != 0;
    }
    for (int i = a.size - 1; i >= 0; --i) {
        uint128 const part = static_cast<uint128>(rest) << 32 | a.digit[i];
        a.digit[i] = static_cast<std::uint32_t>(part / divisor);
        rest = static_cast<std::uint64_t>(part % divisor);
    }
    a.trim();
    return rest != 0;
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

/// a · 2^exponent, to within 2^-52 of it where it is a normal double.
template <int A>
WARPFOLD_HD inline double near(natural<A> const& a, int exponent) {
    if (a.is_zero()) return 0;
    leading_bits const lead = leading(a);
    return ldexp(static_cast<double>(static_cast<std::uint64_t>(lead.bits >> 64)), lead.exponent + 64 + exponent);
}

/// The exact sum divided by n > 0, rounded once.
template <class R, int Low, int High>
WARPFOLD_HD inline R round_quotient(fixed_point<Low, High> const& value, std::uint64_t n) {
    bool negative;
    if constexpr (std::is_same_v<R, float>) {
        R result;
        auto const whole = magnitude<0>(value, negative);
        double const quotient = near(whole, Low) / static_cast<double>(n);
        if (round_near(negative ? -quotient : quotient, 0x1p-49, result)) return result;
    }
    constexpr int extra = 6;  // 192 bits: the quotient keeps 128 after a division by any n < 2^63
    auto a = magnitude<extra>(value, negative);
    bool const sticky = divide(a, n);
    return round<R>(negative, a, Low - 32 * extra, sticky);
}

/// floor(sqrt(x)) for x ≥ 2^126, and whether that is not the root itself. A double's root is 2^12 off at most; a step
/// of Newton's brings it to within one. (Bit by bit takes a GPU 1.5 µs.)
WARPFOLD_HD inline std::uint64_t integer_root(uint128 x, bool& inexact) {
    constexpr double largest = 0x1p64 - 0x1p11;
    double const guess = sqrt(static_cast<double>(static_cast<std::uint64_t>(x >> 64))) * 0x1p32;
    auto root = static_cast<std::uint64_t>(guess < largest ? guess : largest);
    auto const rest = static_cast<int128>(x - static_cast<uint128>(root) * root);  // below 2^77 in magnitude
    auto const step = static_cast<double>(static_cast<std::int64_t>(rest >> 16)) * 0x1p15 / static_cast<double>(root);
    root += static_cast<std::uint64_t>(static_cast<std::int64_t>(step)) - 1;  // not up to 2^64
    while (static_cast<uint128>(root) * root > x) --root;
    while (x - static_cast<uint128>(root) * root > 2 * static_cast<uint128>(root)) ++root;
    inexact = static_cast<uint128>(root) * root != x;
    return root;
}

/// The square root of a number that begins with these bits, rounded once.
template <class R>
WARPFOLD_HD inline R round_root(leading_bits lead) {
    if (lead.exponent & 1) {  // an even exponent halves exactly
        lead.sticky = lead.sticky || (lead.bits & 1);
        lead.bits >>= 1;
        ++lead.exponent;
    }
    bool inexact;
    std::uint64_t const root = integer_root(lead.bits, inexact);
    return round<R>(false, static_cast<uint128>(root) << 64, lead.exponent / 2 - 64, lead.sticky || inexact);
}
/// The square root of a · 2^exponent (and a little more, if sticky), rounded once.
template <class R, int A>
WARPFOLD_HD inline R round_root(natural<A> const& a, int exponent, bool sticky) {
    if (a.is_zero()) return R{0};
    leading_bits lead = leading(a);
    lead.exponent += exponent;
    lead.sticky = lead.sticky || sticky;
    return round_root<R>(lead);
}
/// The square root of an exact sum, which is not negative, rounded once.
template <class R, int Low, int High>
WARPFOLD_HD inline R round_root(fixed_point<Low, High> const& value) {
    bool negative;
    constexpr int extra = 4;  // 128 bits more for the root
    return round_root<R>(magnitude<extra>(value, negative), Low - 32 * extra, false);
}

/// (n · second − first²) / (n (n − ddof)), or the root of that, rounded once; n > ddof.
template <class R, bool Root, int Low, int High, int SecondLow, int SecondHigh>
WARPFOLD_HD inline R round_spread(fixed_point<Low, High> const& first, fixed_point<SecondLow, SecondHigh> const& second,
                                  std::uint64_t n, std::uint64_t ddof) {
    static_assert(SecondLow == 2 * Low);
    constexpr int extra = 8;  // 256 bits: the quotient keeps 128 after divisions by n and n − ddof
    bool negative;
    auto const squares = magnitude<0>(second, negative);
    auto const total = magnitude<0>(first, negative);
    if constexpr (std::is_same_v<R, float>) {
        // n · second and first² are within 2^-50 of themselves; so is what is left of them within 2^-43, if enough is.
        R result;
        double const root = near(total, Low), items = static_cast<double>(n), whole = near(squares, SecondLow) * items;
        double const rest = whole - root * root, quotient = rest / (items * static_cast<double>(n - ddof));
        if (rest > whole * 0x1p-6 && round_near(Root ? sqrt(quotient) : quotient, 0x1p-42, result)) return result;
    }
    auto a = raise<extra>(subtract(multiply(squares, n), multiply(total, total)));
    bool sticky = divide(a, n);
    sticky = divide(a, n - ddof) || sticky;
    constexpr int unit = SecondLow - 32 * extra;
    if constexpr (Root) return round_root<R>(a, unit, sticky);
    else return round<R>(false, a, unit, sticky);
}

}  // namespace warpfold::exact
