// Warps: partials of 32 lanes become one, by shuffles.
#pragma once

#include "../types.hpp"

namespace warpfold::device {

inline constexpr unsigned all_lanes = 0xffffffffU;
inline constexpr int warp_lanes = 32;

/// The value that the lane `distance` further on holds; trivially copyable values of any size, word by word.
template <class T>
__device__ __forceinline__ T shuffle_down(T const& value, int distance) {
    constexpr std::size_t words = (sizeof(T) + 3) / 4;
    std::uint32_t word[words] = {};
    std::memcpy(word, &value, sizeof(T));
#pragma unroll
    for (std::size_t i = 0; i < words; ++i)
        word[i] = __shfl_down_sync(all_lanes, word[i], static_cast<unsigned>(distance));
    T result;
    std::memcpy(&result, word, sizeof(T));
    return result;
}

/// Merges the values of the first `Lanes` lanes into lane 0, in the order of lanes. `merge(a, b)` takes b, which is
/// later, into a. Other lanes end with values that mean nothing.
template <int Lanes = warp_lanes, class T, class Merge>
__device__ __forceinline__ void merge_warp(T& value, Merge const& merge) {
#pragma unroll
    for (int distance = 1; distance < Lanes; distance *= 2) {
        // Lane i holds lanes i … i + distance − 1: what comes next is what lane i + distance holds.
        T const later = shuffle_down(value, distance);
        merge(value, later);
    }
}

/// The sum of a word over all lanes, in each of them.
__device__ __forceinline__ std::uint32_t sum_warp(std::uint32_t value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    for (int distance = 1; distance < warp_lanes; distance *= 2) value += __shfl_xor_sync(all_lanes, value, distance);
    return value;
#else
    return __reduce_add_sync(all_lanes, value);
#endif
}
/// The bits that all lanes have in common, in each of them.
__device__ __forceinline__ std::uint32_t common_bits(std::uint32_t value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    for (int distance = 1; distance < warp_lanes; distance *= 2) value &= __shfl_xor_sync(all_lanes, value, distance);
    return value;
#else
    return __reduce_and_sync(all_lanes, value);
#endif
}

/// The least value of all lanes, in each of them; T is int or unsigned.
template <class T>
__device__ __forceinline__ T min_warp(T value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    for (int distance = 1; distance < warp_lanes; distance *= 2) {
        T const other = __shfl_xor_sync(all_lanes, value, distance);
        value = other < value ? other : value;
    }
    return value;
#else
    return __reduce_min_sync(all_lanes, value);
#endif
}

/// A signed integer of Words · 32 bits, at most 128: an int128 would be aligned to 16 bytes, and pad what holds it.
template <int Words>
struct wide_integer {
    std::uint32_t word[Words] = {};

    __device__ __forceinline__ int128 value() const {
        uint128 bits = 0;
#pragma unroll
        for (int i = 0; i < Words; ++i) bits |= static_cast<uint128>(word[i]) << (32 * i);
        constexpr int unused = 128 - 32 * Words;
        return static_cast<int128>(bits << unused) >> unused;
    }
    __device__ __forceinline__ void set(int128 value) {
#pragma unroll
        for (int i = 0; i < Words; ++i) word[i] = static_cast<std::uint32_t>(value >> (32 * i));
    }
    __device__ __forceinline__ void operator+=(int128 x) { set(value() + x); }
};

/// The sum of the values of all lanes, in each of them: 24 bits at a time, of which 32 have a sum of one word.
template <int Words>
__device__ __forceinline__ wide_integer<Words> sum_warp(wide_integer<Words> const& x) {
    constexpr int pieces = (32 * Words + 23) / 24;
    int128 const value = x.value();
    int128 sum = 0;
#pragma unroll
    for (int i = 0; i < pieces; ++i) {
        if (i + 1 < pieces) sum += static_cast<int128>(sum_warp(static_cast<std::uint32_t>(value >> (24 * i)) & 0xffffffU)) << (24 * i);
        else sum += static_cast<int128>(static_cast<std::int32_t>(sum_warp(static_cast<std::uint32_t>(value >> (24 * i))))) << (24 * i);
    }
    wide_integer<Words> result;
    result.set(sum);
    return result;
}

__device__ __forceinline__ int128 sum_warp(int128 value) {
    wide_integer<4> x;
    x.set(value);
    return sum_warp(x).value();
}

}  // namespace warpfold::device
