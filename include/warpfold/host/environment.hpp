// The floating-point environment that folds are computed in.
#pragma once

#if !defined(__x86_64__)
#include <cfenv>
#endif

namespace warpfold::host {

/// While one lives, its thread computes in the default environment: rounded to nearest, subnormals kept, no traps. Then
/// the caller's modes are back, and its flags, beside those that were raised meanwhile. Threads of a scheduler have
/// modes of their own, so whatever runs a fold's code makes one. (Two reads of the control word, 2 ns each, where
/// nothing is to change.)
class default_environment {
  public:
    default_environment(default_environment const&) = delete;
    default_environment& operator=(default_environment const&) = delete;
#if defined(__x86_64__)
    default_environment() : callers_{__builtin_ia32_stmxcsr()} {
        if ((callers_ & ~flags) != masks) __builtin_ia32_ldmxcsr(masks);
    }
    ~default_environment() {
        if ((callers_ & ~flags) != masks) __builtin_ia32_ldmxcsr(callers_ | (__builtin_ia32_stmxcsr() & flags));
    }

  private:
    static constexpr unsigned flags = 0x3f, masks = 0x1f80;
    unsigned callers_;
#else
    default_environment() {
        std::fegetenv(&callers_);
        std::fesetenv(FE_DFL_ENV);
    }
    ~default_environment() { std::feupdateenv(&callers_); }

  private:
    std::fenv_t callers_;
#endif
};

}  // namespace warpfold::host
