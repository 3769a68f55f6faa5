// exp(x − 16 j) by one sequence of fused and single operations: the same bits on every machine, in one lane
// (here) as in many (src/host/exponential-inl.h). No compiler option contracts a sequence that is fused already.
#pragma once

#include <cmath>

#include "../types.hpp"

namespace warpfold::folds {

/// exp(r) = 2^k · 2^f for r log2(e) = k + f, |f| ≤ 1/2, and 2^f = 1 + f · (c0 f^(n−1) + … + cn−1). The coefficients are
/// minimax fits of the relative error (E. Remez, 1934), each rounded before those of higher powers were fitted; they
/// leave less than 2^-27 and 2^-55.
template <class Float>
struct exponential_constants;

template <>
struct exponential_constants<float> {
    static constexpr float round = 0x1.8p23F;  // adding and subtracting it rounds to an integer
    static constexpr float log2e = 0x1.715476p+0F, log2e_low = 0x1.4ae0cp-26F;
    static constexpr int terms = 6;
    WARPFOLD_HD static constexpr float coefficient(int i) {
        constexpr float c[terms] = {0x1.43b5aep-13F, 0x1.5f11eep-10F, 0x1.3b2b9ap-7F, 0x1.c6af76p-5F, 0x1.ebfbdep-3F, 0x1.62e43p-1F};
        return c[i];
    }
};
template <>
struct exponential_constants<double> {
    static constexpr double round = 0x1.8p52;
    static constexpr double log2e = 0x1.71547652b82fep+0, log2e_low = 0;  // 2^-55.4 off: of a term, less than 2^-52.9
    static constexpr int terms = 11;
    WARPFOLD_HD static constexpr double coefficient(int i) {
        constexpr double c[terms] = {0x1.e90843026e130p-32, 0x1.e610babbecc10p-28, 0x1.b5254506bbcbap-24, 0x1.62bfce90ec573p-20,
                                     0x1.ffcbfc6846722p-17, 0x1.4309130be4fdep-13, 0x1.5d87fe789a088p-10, 0x1.3b2ab6fba0ed9p-7,
                                     0x1.c6b08d704a15bp-5,  0x1.ebfbdff82c5a1p-3,  0x1.62e42fefa39efp-1};
        return c[i];
    }
};

/// x / 16, rounded to nearest. x is finite.
template <class Float>
WARPFOLD_HD inline Float exponential_bin(Float x) {
    constexpr Float round = exponential_constants<Float>::round;
    if (!(x > -2 * round && x < 2 * round)) return std::nearbyint(x * Float{0.0625});
    return std::fma(x, Float{0.0625}, round) - round;
}

/// exp(4 quarter). (A quarter of an item's distance from the middle of its bin is 2 at most: a bit of its exponent
/// tells.)
template <class Float>
WARPFOLD_HD inline Float exponential_of_four(Float quarter) {
    using constants = exponential_constants<Float>;
    using word = std::make_signed_t<typename float_format<Float>::bits>;
    Float const shifted = std::fma(quarter, 4 * constants::log2e, constants::round);
    Float const k = shifted - constants::round;
    Float f = std::fma(quarter, 4 * constants::log2e, -k);
    if constexpr (constants::log2e_low != 0) f = std::fma(quarter, 4 * constants::log2e_low, f);
    Float p = constants::coefficient(0);
    for (int i = 1; i < constants::terms; ++i) p = std::fma(p, f, constants::coefficient(i));
    Float const power = std::fma(p, f, Float{1});
    // The low bits of `shifted` are k; added to the exponent field they multiply by 2^k.
    auto const exponent = static_cast<typename float_format<Float>::bits>(bits_as<word>(shifted))
                          << float_format<Float>::significand_bits;
    return bits_as<Float>(static_cast<typename float_format<Float>::bits>(bits_as<typename float_format<Float>::bits>(power) + exponent));
}
/// exp(x − 16 bin), for the bin of x.
template <class Float>
WARPFOLD_HD inline Float exponential_in_bin(Float x, Float bin) {
    return exponential_of_four(std::fma(bin, Float{-16}, x) * Float{0.25});
}

}  // namespace warpfold::folds
