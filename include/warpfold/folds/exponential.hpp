// exp(x − 16 j) by one sequence of fused and single operations: the same bits on every machine, in one lane
// (here) as in many (src/host/exponential-inl.h). No compiler option contracts a sequence that is fused already.
#pragma once

#include <cmath>

#include "../types.hpp"

namespace warpfold::folds {

/// Constants of the reduction s = r − k ln 2, and of exp(s) = 1 + s · (c0 s^(n−1) + … + cn−1) on |s| ≤ ln 2 / 2.
/// The coefficients are Chebyshev fits of (exp(s) − 1) / s; their relative error is below 2^-28 and 2^-56.
template <class Float>
struct exponential_constants;

template <>
struct exponential_constants<float> {
    static constexpr float round = 0x1.8p23F;  // adding and subtracting it rounds to an integer
    static constexpr float log2e = 0x1.715476p+0F, ln2_high = 0x1.62e4p-1F, ln2_low = 0x1.7f7d1cp-20F;
    static constexpr int terms = 6;
    WARPFOLD_HD static constexpr float coefficient(int i) {
        constexpr float c[terms] = {0.001393364999630925043F, 0.0083691556736976967831F, 0.041666464925285905408F,
                                    0.16666505195758111341F,  0.50000000134658092001F,   1.0F};
        return c[i];
    }
};
template <>
struct exponential_constants<double> {
    static constexpr double round = 0x1.8p52;
    static constexpr double log2e = 0x1.71547652b82fep+0, ln2_high = 0x1.62e42fefa3a00p-1,
                            ln2_low = -0x1.0ca86c3898d00p-49;
    static constexpr int terms = 12;
    WARPFOLD_HD static constexpr double coefficient(int i) {
        constexpr double c[terms] = {
            2.0918137737642736429e-9,   2.5110049204818659793e-8,  2.7557263279088496905e-7, 2.7557240887229868596e-6,
            0.000024801587336442237861, 0.00019841269890076402829, 0.0013888888888879073994, 0.0083333333333195896163,
            0.041666666666666676774,    0.1666666666666668082,     0.5,                      1.0};
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

/// exp(x − 16 bin), for the bin of x.
template <class Float>
WARPFOLD_HD inline Float exponential_in_bin(Float x, Float bin) {
    using constants = exponential_constants<Float>;
    using word = std::make_signed_t<typename float_format<Float>::bits>;
    Float const r = std::fma(bin, Float{-16}, x);
    Float const shifted = std::fma(r, constants::log2e, constants::round);
    Float const k = shifted - constants::round;
    Float const s = std::fma(k, -constants::ln2_low, std::fma(k, -constants::ln2_high, r));
    Float p = constants::coefficient(0);
    for (int i = 1; i < constants::terms; ++i) p = std::fma(p, s, constants::coefficient(i));
    Float const power = std::fma(p, s, Float{1});
    // The low bits of `shifted` are k; added to the exponent field they multiply by 2^k.
    auto const exponent = static_cast<typename float_format<Float>::bits>(bits_as<word>(shifted))
                          << float_format<Float>::significand_bits;
    return bits_as<Float>(static_cast<typename float_format<Float>::bits>(bits_as<typename float_format<Float>::bits>(power) + exponent));
}

}  // namespace warpfold::folds
