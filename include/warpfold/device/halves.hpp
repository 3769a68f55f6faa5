// Two 16-bit values in one register, taken together: one instruction each on compute capability 9.0.
#pragma once

#include "../types.hpp"

namespace warpfold::device {

inline constexpr std::uint32_t half_signs = 0x80008000U, half_magnitudes = 0x7fff7fffU;

#if !defined(__CUDA_ARCH__)
/// function(a, b) of the lower and of the upper halves, read as Half.
template <class Half, class Function>
std::uint32_t in_halves(std::uint32_t a, std::uint32_t b, Function const& function) {
    auto const low = static_cast<std::uint16_t>(function(static_cast<Half>(a), static_cast<Half>(b)));
    auto const high = static_cast<std::uint16_t>(function(static_cast<Half>(a >> 16), static_cast<Half>(b >> 16)));
    return static_cast<std::uint32_t>(high) << 16 | low;
}
#endif

/// Halves are natural numbers, where it does not say that they are signed.
__device__ __forceinline__ std::uint32_t min_halves(std::uint32_t a, std::uint32_t b) {
#if defined(__CUDA_ARCH__)
    return __vminu2(a, b);
#else
    return in_halves<std::uint16_t>(a, b, [](int x, int y) { return x < y ? x : y; });
#endif
}
__device__ __forceinline__ std::uint32_t max_halves(std::uint32_t a, std::uint32_t b) {
#if defined(__CUDA_ARCH__)
    return __vmaxu2(a, b);
#else
    return in_halves<std::uint16_t>(a, b, [](int x, int y) { return x > y ? x : y; });
#endif
}
__device__ __forceinline__ std::uint32_t max_signed_halves(std::uint32_t a, std::uint32_t b) {
#if defined(__CUDA_ARCH__)
    return __vmaxs2(a, b);
#else
    return in_halves<std::int16_t>(a, b, [](int x, int y) { return x > y ? x : y; });
#endif
}
/// min(a − 1, b), unsigned, where 0 − 1 is the greatest.
__device__ __forceinline__ std::uint32_t min_of_decremented_halves(std::uint32_t a, std::uint32_t b) {
#if defined(__CUDA_ARCH__)
    return __viaddmin_u16x2(a, 0xffffffffU, b);
#else
    return in_halves<std::uint16_t>(a, b, [](int x, int y) { return ((x - 1) & 0xffff) < y ? x - 1 : y; });
#endif
}
__device__ __forceinline__ std::uint32_t lesser_half(std::uint32_t a) {
    return (a & 0xffffU) < a >> 16 ? a & 0xffffU : a >> 16;
}

/// The item in the lower half, or in the upper.
template <class T>
__device__ __forceinline__ T half_of(std::uint32_t two, int which) {
    return bits_as<T>(static_cast<std::uint16_t>(which ? two >> 16 : two));
}

/// Item v and the next one; where there is no next one, `filler`.
template <class T, int V>
__device__ __forceinline__ std::uint32_t two_halves(T const (&x)[V], int v, std::uint16_t filler) {
    std::uint32_t const upper = v + 1 < V ? bits_as<std::uint16_t>(x[v + 1 < V ? v + 1 : v]) : filler;
    return upper << 16 | bits_as<std::uint16_t>(x[v]);
}

}  // namespace warpfold::device
