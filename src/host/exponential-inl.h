// exp(x − 16 j), j = x / 16 rounded to nearest: one sequence of fused and single operations, so that every target, and
// one lane as well as many, gives the same bits. Included once for each SIMD target.

#if defined(WARPFOLD_EXPONENTIAL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_EXPONENTIAL_INL_H_
#undef WARPFOLD_EXPONENTIAL_INL_H_
#else
#define WARPFOLD_EXPONENTIAL_INL_H_
#endif

#include <hwy/highway.h>

#include <cmath>

#include "warpfold/types.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::host::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Constants of the reduction s = r − k ln 2, and of exp(s) = 1 + s · (c0 s^(n−1) + … + cn−1) on |s| ≤ ln 2 / 2.
/// The coefficients are Chebyshev fits of (exp(s) − 1) / s; their relative error is below 2^-28 and 2^-56.
template <class Float>
struct exponential_constants;

template <>
struct exponential_constants<float> {
    static constexpr float round = 0x1.8p23F;  // adding and subtracting it rounds to an integer
    static constexpr float log2e = 0x1.715476p+0F, ln2_high = 0x1.62e4p-1F, ln2_low = 0x1.7f7d1cp-20F;
    static constexpr float coefficients[] = {0.001393364999630925043F, 0.0083691556736976967831F, 0.041666464925285905408F,
                                             0.16666505195758111341F,  0.50000000134658092001F,   1.0F};
};
template <>
struct exponential_constants<double> {
    static constexpr double round = 0x1.8p52;
    static constexpr double log2e = 0x1.71547652b82fep+0, ln2_high = 0x1.62e42fefa3a00p-1,
                            ln2_low = -0x1.0ca86c3898d00p-49;
    static constexpr double coefficients[] = {
        2.0918137737642736429e-9, 2.5110049204818659793e-8, 2.7557263279088496905e-7, 2.7557240887229868596e-6,
        0.000024801587336442237861, 0.00019841269890076402829, 0.0013888888888879073994, 0.0083333333333195896163,
        0.041666666666666676774, 0.1666666666666668082, 0.5, 1.0};
};

/// a · b + c, rounded once; one lane after the other where the target has no such instruction.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V fused(D d, V a, V b, V c) {
    if constexpr (HWY_NATIVE_FMA) {
        return hn::MulAdd(a, b, c);
    } else {
        HWY_ALIGN hn::TFromD<D> x[hn::MaxLanes(D{})], y[hn::MaxLanes(D{})], z[hn::MaxLanes(D{})];
        hn::Store(a, d, x);
        hn::Store(b, d, y);
        hn::Store(c, d, z);
        for (std::size_t i = 0; i < hn::Lanes(d); ++i) x[i] = std::fma(x[i], y[i], z[i]);
        return hn::Load(d, x);
    }
}

template <class D>
struct exponential_lanes {
    hn::Vec<D> bin;
    hn::Vec<D> value;
};

/// exp(x − 16 bin) · 2^Scale for a bin that x / 16 rounds to.
template <int Scale, class D>
HWY_INLINE hn::Vec<D> exponential_in_bin(D d, hn::Vec<D> x, hn::Vec<D> bin) {
    using Float = hn::TFromD<D>;
    using constants = exponential_constants<Float>;
    hn::RebindToSigned<D> const di;
    auto const r = fused(d, bin, hn::Set(d, Float{-16}), x);
    // The low bits of `shifted` are k + Scale; added to the exponent field they multiply by 2^(k + Scale).
    auto const round = hn::Set(d, constants::round + Float{Scale});
    auto const shifted = fused(d, r, hn::Set(d, constants::log2e), round);
    auto const k = hn::Sub(shifted, round);
    auto const s = fused(d, k, hn::Set(d, -constants::ln2_low), fused(d, k, hn::Set(d, -constants::ln2_high), r));
    auto p = hn::Set(d, constants::coefficients[0]);
    for (std::size_t i = 1; i < sizeof(constants::coefficients) / sizeof(Float); ++i)
        p = fused(d, p, s, hn::Set(d, constants::coefficients[i]));
    auto const power = fused(d, p, s, hn::Set(d, Float{1}));
    auto const exponent = hn::ShiftLeft<float_format<Float>::significand_bits>(hn::BitCast(di, shifted));
    return hn::BitCast(d, hn::Add(hn::BitCast(di, power), exponent));
}

/// x / 16 rounded to nearest, for |x| below bin_reach: one addition rounds.
template <class D>
HWY_INLINE hn::Vec<D> near_bin(D d, hn::Vec<D> x) {
    using Float = hn::TFromD<D>;
    auto const round = hn::Set(d, exponential_constants<Float>::round);
    return hn::Sub(fused(d, x, hn::Set(d, Float{0.0625}), round), round);
}
template <class Float>
inline constexpr Float bin_reach = exponential_constants<Float>::round * 2;

/// The same for any x: far out every sixteenth is an integer already. NaN and infinities yield no finite bin.
template <class D>
HWY_INLINE hn::Vec<D> any_bin(D d, hn::Vec<D> x) {
    using Float = hn::TFromD<D>;
    auto const is_near = hn::Lt(hn::Abs(x), hn::Set(d, bin_reach<Float>));
    return hn::IfThenElse(is_near, near_bin(d, x), hn::Mul(x, hn::Set(d, Float{0.0625})));
}

}  // namespace warpfold::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
