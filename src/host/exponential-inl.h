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

/// Whether distances from the middle of a bin are kept as quarters, which lie in it where they are below 2: a bit of
/// their exponents tells, of several vectors at once. That takes a fused operation more, of which AVX-512 has too few
/// to spare. (Zen 3, one core, as many times as fast as by whole distances, each compared: floats 1.06, doubles 1.01.)
inline constexpr bool by_quarters = !(HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3);
template <class Float>
inline constexpr Float distance_unit = by_quarters ? 4 : 1;

/// The distance of x from the middle of its bin, (x − 16 bin) / distance_unit, rounded once: both products are exact,
/// but of items so small that their exponential is 1. Where it is whole, a subtraction leaves the multipliers to the
/// polynomial.
template <class D>
HWY_INLINE hn::Vec<D> from_bin(D d, hn::Vec<D> x, hn::Vec<D> bin) {
    using Float = hn::TFromD<D>;
    auto const middle = hn::Mul(bin, hn::Set(d, 16 / distance_unit<Float>));
    if constexpr (by_quarters) return hn::MulSub(x, hn::Set(d, 1 / distance_unit<Float>), middle);
    else return hn::Sub(x, middle);
}
/// Whether distances are so short that their items lie in their bin.
template <class D>
class short_distances {
    using Float = hn::TFromD<D>;
    using words = hn::RebindToSigned<D>;

  public:
    HWY_INLINE short_distances() : seen_(none()) {}
    HWY_INLINE void look(hn::Vec<D> r) {
        if constexpr (by_quarters) seen_ = hn::Or(seen_, hn::BitCast(words{}, r));
        else seen_ = hn::And(seen_, hn::Lt(hn::Abs(r), hn::Set(D{}, Float{8})));
    }
    HWY_INLINE bool all() const {
        if constexpr (by_quarters) return hn::AllTrue(words{}, hn::Eq(hn::And(seen_, hn::BitCast(words{}, hn::Set(D{}, Float{2}))), hn::Zero(words{})));
        else return hn::AllTrue(D{}, seen_);
    }

  private:
    static HWY_INLINE auto none() {
        if constexpr (by_quarters) return hn::Zero(words{});
        else return hn::FirstN(D{}, hn::Lanes(D{}));
    }
    decltype(none()) seen_;  ///< all bits, or whether all before were short
};

/// The exponential of each distance, times 2^Scale, in its place. Vectors go side by side, step by step: a processor
/// does not look far enough ahead to find the next vector's operations behind all that wait for one. For each vector
/// `meanwhile` runs once between the steps: work that they need not wait for.
template <int Scale, int N, class D, class Meanwhile>
HWY_INLINE void exponentials_from_bin(D d, hn::Vec<D> (&r)[N], Meanwhile const& meanwhile) {
    using Float = hn::TFromD<D>;
    using constants = exponential_constants<Float>;
    hn::RebindToSigned<D> const di;
    hn::Vec<D> shifted[N], power[N];
    // The low bits of `shifted` are k + Scale; added to the exponent field they multiply by 2^(k + Scale).
    auto const round = hn::Set(d, constants::round + Float{Scale});
    for (int i = 0; i < N; ++i) shifted[i] = fused(d, r[i], hn::Set(d, distance_unit<Float> * constants::log2e), round);
    for (int i = 0; i < N; ++i) {
        auto const minus_k = hn::Sub(round, shifted[i]);
        auto f = fused(d, r[i], hn::Set(d, distance_unit<Float> * constants::log2e), minus_k);
        if constexpr (constants::log2e_low != 0) f = fused(d, r[i], hn::Set(d, distance_unit<Float> * constants::log2e_low), f);
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
