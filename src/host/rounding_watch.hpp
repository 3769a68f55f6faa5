// Whether a computation rounded anywhere, which processors keep track of.
#pragma once

#include <hwy/detect_targets.h>

#if HWY_ARCH_X86_64
#include <xmmintrin.h>
#endif

namespace warpfold::host {

#if HWY_ARCH_X86_64
inline constexpr bool can_watch_rounding = true;

/// Watches computations in the default floating-point environment (default_environment: host/environment.hpp), where an
/// operation that rounds raises a flag, which stays up. In the end the flags that were up before are back, beside those
/// that were raised meanwhile. The control word is written as seldom as may be: that takes 50 ns, and to read it less
/// than 2 (Sapphire Rapids).
class rounding_watch {
  public:
    rounding_watch() : before_{_mm_getcsr()} {}
    ~rounding_watch() { set(before_ | (_mm_getcsr() & _MM_EXCEPT_MASK)); }
    rounding_watch(rounding_watch const&) = delete;
    rounding_watch& operator=(rounding_watch const&) = delete;

    /// Before a computation. Compilers do not know that operations have this side effect: only those that depend on
    /// `items` are sure to stay behind.
    HWY_INLINE void start(float const*& items) const {
        set(_MM_MASK_MASK);
        asm volatile("" : "+r"(items));
    }
    /// After it: whether an operation rounded. Only those that `result` depends on are sure to stay ahead.
    HWY_INLINE bool rounded(double& result) const {
        asm volatile("" : "+x"(result));
        return _mm_getcsr() & _MM_EXCEPT_INEXACT;
    }

  private:
    HWY_INLINE static void set(unsigned word) {
        if (_mm_getcsr() != word) _mm_setcsr(word);
    }

    unsigned before_;
};
#else
inline constexpr bool can_watch_rounding = false;
/// Knows nothing.
class rounding_watch {
  public:
    void start(float const*) const {}
    bool rounded(double) const { return true; }
};
#endif

}  // namespace warpfold::host
