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
    // Rolled: run once, it is the fetching of instructions that takes time.
#pragma unroll 1
    for (int distance = 1; distance < Lanes; distance *= 2) {
        // Lane i holds lanes i … i + distance − 1: what comes next is what lane i + distance holds.
        T const later = shuffle_down(value, distance);
        merge(value, later);
    }
}

/// The sum of the values of all lanes, in lane 0.
__device__ __forceinline__ int128 sum_warp(int128 value) {
#pragma unroll 1
    for (int distance = 1; distance < warp_lanes; distance *= 2) {
        // In halves: as 16 bytes at once it would go through local memory.
        auto const low = __shfl_down_sync(all_lanes, static_cast<unsigned long long>(value), static_cast<unsigned>(distance));
        auto const high = __shfl_down_sync(all_lanes, static_cast<long long>(value >> 64), static_cast<unsigned>(distance));
        value += static_cast<int128>(static_cast<uint128>(static_cast<unsigned long long>(high)) << 64 | low);
    }
    return value;
}

}  // namespace warpfold::device
