// The least and the greatest value of a warp's lanes, of 32 or 64 bits.
#pragma once

#include "warp.hpp"

namespace warpfold::device {

/// The least value of all lanes, in each of them; T is an integer of 32 or 64 bits.
template <class T>
__device__ __forceinline__ T min_warp(T value) {
    if constexpr (sizeof(T) == 8) {
        // Of those whose upper word is least, the one whose lower word is.
        using upper_word = std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>;
        auto const upper = static_cast<upper_word>(value >> 32), least = min_warp(upper);
        auto const lower = upper == least ? static_cast<std::uint32_t>(value) : ~0U;
        return static_cast<T>(static_cast<std::uint64_t>(static_cast<std::uint32_t>(least)) << 32 | min_warp(lower));
    } else {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
        return exchange_warp(value, [](T a, T b) { return b < a ? b : a; });
#else
        return __reduce_min_sync(all_lanes, value);
#endif
    }
}
/// The greatest value of all lanes, in each of them.
template <class T>
    requires(sizeof(T) == 8)
__device__ __forceinline__ T max_warp(T value) {
    return ~min_warp(static_cast<T>(~value));
}

}  // namespace warpfold::device
