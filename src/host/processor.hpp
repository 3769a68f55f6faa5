// Which processor runs: where two of one instruction set want loops tuned apart.
#pragma once

namespace warpfold::host {

inline bool is_intel() {
#if defined(__x86_64__)
    return __builtin_cpu_is("intel");
#else
    return false;
#endif
}

inline bool is_zen4() {
#if defined(__x86_64__)
    return __builtin_cpu_is("amdfam19h") && __builtin_cpu_supports("avx512f");  // Zen 3 is of that family too
#else
    return false;
#endif
}

}  // namespace warpfold::host
