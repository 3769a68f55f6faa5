// Which processor runs: where two of one instruction set want loops tuned apart.
#pragma once

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace warpfold::host {

inline bool is_intel() {
#if defined(__x86_64__)
    return __builtin_cpu_is("intel");
#else
    return false;
#endif
}

/// Zens 3 and 4 by their models, as a virtual machine may not be let see AVX-512: a family of theirs, Zen 3 models 00
/// to 0f and 20 to 5f.
enum class zen { none, three, four };

inline zen which_zen() {
#if defined(__x86_64__)
    static zen const which = [] {
        unsigned a, b, c, d;
        if (!__builtin_cpu_is("amdfam19h") || !__get_cpuid(1, &a, &b, &c, &d)) return zen::none;
        unsigned const model = (a >> 12 & 0xf0) | (a >> 4 & 0xf);
        return model / 16 == 1 || model / 16 >= 6 ? zen::four : zen::three;
    }();
    return which;
#else
    return zen::none;
#endif
}

inline bool is_zen3() { return which_zen() == zen::three; }
inline bool is_zen4() { return which_zen() == zen::four; }

}  // namespace warpfold::host
