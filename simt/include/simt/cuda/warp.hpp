// Warp intrinsics: shuffles, votes, matches, reductions, the warp barrier.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "simt/cuda/builtin.hpp"
#include "simt/cuda/keywords.hpp"
#include "simt/detail/runtime.hpp"

namespace simt::detail {

// The types that CUDA shuffles: arithmetic ones of 4 or 8 bytes.
template <class T>
concept shuffled = std::is_arithmetic_v<T> &&(sizeof(T) == 4 || sizeof(T) == 8);

template <class T>
__forceinline__ std::uint64_t to_bits(T value) {
    if constexpr (sizeof(T) == 4) {
        return std::bit_cast<std::uint32_t>(value);
    } else {
        return std::bit_cast<std::uint64_t>(value);
    }
}

template <class T>
__forceinline__ T from_bits(std::uint64_t bits) {
    if constexpr (sizeof(T) == 4) {
        return std::bit_cast<T>(static_cast<std::uint32_t>(bits));
    } else {
        return std::bit_cast<T>(bits);
    }
}

template <shuffled T>
__forceinline__ T shuffle(warp_op op, unsigned mask, T value, int argument, int width) {
    return from_bits<T>(warp_exchange(op, mask, to_bits(value), argument, width));
}

}  // namespace simt::detail

template <simt::detail::shuffled T>
__forceinline__ T __shfl_sync(unsigned mask, T value, int source_lane, int width = warpSize) {
    return simt::detail::shuffle(simt::detail::warp_op::shuffle, mask, value, source_lane, width);
}
template <simt::detail::shuffled T>
__forceinline__ T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize) {
    return simt::detail::shuffle(simt::detail::warp_op::shuffle_up, mask, value, static_cast<int>(delta), width);
}
template <simt::detail::shuffled T>
__forceinline__ T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize) {
    return simt::detail::shuffle(simt::detail::warp_op::shuffle_down, mask, value, static_cast<int>(delta), width);
}
template <simt::detail::shuffled T>
__forceinline__ T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = warpSize) {
    return simt::detail::shuffle(simt::detail::warp_op::shuffle_xor, mask, value, lane_mask, width);
}

__forceinline__ void __syncwarp(unsigned mask = 0xffffffffU) {
    simt::detail::warp_exchange(simt::detail::warp_op::sync, mask, 0, 0, warpSize);
}
__forceinline__ unsigned __ballot_sync(unsigned mask, int predicate) {
    return static_cast<unsigned>(
        simt::detail::warp_exchange(simt::detail::warp_op::ballot, mask, predicate != 0, 0, warpSize));
}
__forceinline__ int __any_sync(unsigned mask, int predicate) {
    return static_cast<int>(simt::detail::warp_exchange(simt::detail::warp_op::any, mask, predicate != 0, 0, warpSize));
}
__forceinline__ int __all_sync(unsigned mask, int predicate) {
    return static_cast<int>(simt::detail::warp_exchange(simt::detail::warp_op::all, mask, predicate != 0, 0, warpSize));
}
__forceinline__ unsigned __activemask() {
    return static_cast<unsigned>(simt::detail::warp_exchange(simt::detail::warp_op::active_mask, 0, 0, 0, warpSize));
}

template <simt::detail::shuffled T>
__forceinline__ unsigned __match_any_sync(unsigned mask, T value) {
    return static_cast<unsigned>(
        simt::detail::warp_exchange(simt::detail::warp_op::match_any, mask, simt::detail::to_bits(value), 0, warpSize));
}
template <simt::detail::shuffled T>
__forceinline__ unsigned __match_all_sync(unsigned mask, T value, int* all_equal) {
    auto const lanes = static_cast<unsigned>(
        simt::detail::warp_exchange(simt::detail::warp_op::match_all, mask, simt::detail::to_bits(value), 0, warpSize));
    *all_equal = lanes != 0;
    return lanes;
}

template <class T>
requires std::is_same_v<T, int> || std::is_same_v<T, unsigned> __forceinline__ T __reduce_add_sync(unsigned mask,
                                                                                                   T value) {
    return simt::detail::shuffle(simt::detail::warp_op::add, mask, value, 0, warpSize);
}
template <class T>
requires std::is_same_v<T, int> || std::is_same_v<T, unsigned> __forceinline__ T __reduce_min_sync(unsigned mask,
                                                                                                   T value) {
    using enum simt::detail::warp_op;
    return simt::detail::shuffle(std::is_signed_v<T> ? minimum_signed : minimum, mask, value, 0, warpSize);
}
template <class T>
requires std::is_same_v<T, int> || std::is_same_v<T, unsigned> __forceinline__ T __reduce_max_sync(unsigned mask,
                                                                                                   T value) {
    using enum simt::detail::warp_op;
    return simt::detail::shuffle(std::is_signed_v<T> ? maximum_signed : maximum, mask, value, 0, warpSize);
}
__forceinline__ unsigned __reduce_and_sync(unsigned mask, unsigned value) {
    return simt::detail::shuffle(simt::detail::warp_op::bit_and, mask, value, 0, warpSize);
}
__forceinline__ unsigned __reduce_or_sync(unsigned mask, unsigned value) {
    return simt::detail::shuffle(simt::detail::warp_op::bit_or, mask, value, 0, warpSize);
}
__forceinline__ unsigned __reduce_xor_sync(unsigned mask, unsigned value) {
    return simt::detail::shuffle(simt::detail::warp_op::bit_xor, mask, value, 0, warpSize);
}
