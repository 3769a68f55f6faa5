// Included once for each SIMD target.

#if defined(WARPFOLD_REGISTER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_REGISTER_INL_H_
#undef WARPFOLD_REGISTER_INL_H_
#else
#define WARPFOLD_REGISTER_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace warpfold::host::HWY_NAMESPACE {

/// x, in a register: GCC would load it again for each use, and a core waits for its caches (AVX-512, float64 dot from
/// the second-level cache: 109 → 128 GB/s a core; AVX2 of a Zen 3 loads two vectors in a cycle).
template <class V>
HWY_INLINE V in_register(V x) {
#if HWY_ARCH_X86
    asm("" : "+v"(x.raw));
#endif
    return x;
}

}  // namespace warpfold::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
