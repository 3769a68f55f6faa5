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

/// By its model, as a virtual machine may not be let see AVX-512: Zen 3 is of that family too, models 00 to 0f and 20 to 5f.
inline bool is_zen4() {
#if defined(__x86_64__)
    static bool const is = [] {
        unsigned a, b, c, d;
        if (!__builtin_cpu_is("amdfam19h") || !__get_cpuid(1, &a, &b, &c, &d)) return false;
        unsigned const model = (a >> 12 & 0xf0) | (a >> 4 & 0xf);
        return model / 16 == 1 || model / 16 >= 6;
    }();
    return is;
#else
    return false;
#endif
}

}  // namespace warpfold::host
