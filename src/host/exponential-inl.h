// folds/exponential.hpp in lanes: the same operations, so the same bits. Included once for each SIMD target.

#if defined(WARPFOLD_EXPONENTIAL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_EXPONENTIAL_INL_H_
#undef WARPFOLD_EXPONENTIAL_INL_H_
#else
#define WARPFOLD_EXPONENTIAL_INL_H_
#endif

#include <hwy/highway.h>

#include <cmath>

#include "host/register-inl.h"
#include "warpfold/folds/exponential.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::host::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using folds::exponential_constants;

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

/// (x − 16 bin) / 4, rounded once: both products are exact, but of items so small that their exponential is 1.
template <class D>
HWY_INLINE hn::Vec<D> quarter_from_bin(D d, hn::Vec<D> x, hn::Vec<D> bin) {
    return hn::MulSub(x, hn::Set(d, hn::TFromD<D>{0.25}), hn::Mul(bin, hn::Set(d, hn::TFromD<D>{4})));
}

/// exp(4 r) · 2^Scale in place of each r, |r| < 2. Vectors go side by side, step by step: a processor does
/// not look far enough ahead to find the next vector's operations behind all that wait for one. For each vector
/// `meanwhile` runs once between the steps: work that they need not wait for.
template <int Scale, int N, class D, class Meanwhile>
HWY_INLINE void exponentials_of_four(D d, hn::Vec<D> (&r)[N], Meanwhile const& meanwhile) {
    using Float = hn::TFromD<D>;
    using constants = exponential_constants<Float>;
    hn::RebindToSigned<D> const di;
    hn::Vec<D> shifted[N], power[N];
    // The low bits of `shifted` are k + Scale; added to the exponent field they multiply by 2^(k + Scale).
    auto const round = hn::Set(d, constants::round + Float{Scale});
    for (int i = 0; i < N; ++i) shifted[i] = fused(d, r[i], hn::Set(d, 4 * constants::log2e), round);
    for (int i = 0; i < N; ++i) {
        auto const minus_k = hn::Sub(round, shifted[i]);
        auto f = fused(d, r[i], hn::Set(d, 4 * constants::log2e), minus_k);
        if constexpr (constants::log2e_low != 0) f = fused(d, r[i], hn::Set(d, 4 * constants::log2e_low), f);
        r[i] = f;
    }
    for (auto& p : power) p = hn::Set(d, constants::coefficient(0));
    // Unrolled, so that the arrays lie in registers.
#pragma GCC unroll 16
    for (int term = 1; term <= constants::terms; ++term) {
        auto const c = in_register(hn::Set(d, term < constants::terms ? constants::coefficient(term) : Float{1}));
        for (int i = 0; i < N; ++i) power[i] = fused(d, power[i], r[i], c);
        for (int i = (term - 1) * N / constants::terms; i < term * N / constants::terms; ++i) meanwhile(i);
    }
    for (int i = 0; i < N; ++i) {
        auto const exponent = hn::ShiftLeft<float_format<Float>::significand_bits>(hn::BitCast(di, shifted[i]));
        r[i] = hn::BitCast(d, hn::Add(hn::BitCast(di, power[i]), exponent));
    }
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

/// The same for any x. NaN and infinities yield no finite bin.
template <class D>
HWY_INLINE hn::Vec<D> any_bin(D d, hn::Vec<D> x) {
    using Float = hn::TFromD<D>;
    auto const is_near = hn::Lt(hn::Abs(x), hn::Set(d, bin_reach<Float>));
    return hn::IfThenElse(is_near, near_bin(d, x), hn::Round(hn::Mul(x, hn::Set(d, Float{0.0625}))));
}

}  // namespace warpfold::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
