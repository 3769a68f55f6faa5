// Lanes of exact sums of integers and of their squares.
#pragma once

#include "../../folds/sums.hpp"
#include "windows.hpp"

namespace warpfold::device {

/// sum + a[0] · b[0] + … + a[3] · b[3] of the bytes of two words, in one instruction.
template <bool Signed>
__device__ __forceinline__ int add_products_of_bytes(std::uint32_t a, std::uint32_t b, int sum) {
#if defined(__CUDA_ARCH__)
    if constexpr (Signed) return __dp4a(static_cast<int>(a), static_cast<int>(b), sum);
    else return static_cast<int>(__dp4a(a, b, static_cast<unsigned>(sum)));
#else
    using byte = std::conditional_t<Signed, std::int8_t, std::uint8_t>;
    for (int i = 0; i < 32; i += 8) sum += static_cast<byte>(a >> i) * static_cast<byte>(b >> i);
    return sum;
#endif
}

template <class T, folds::powers Powers, bool Absolute>
    requires is_integer<T>
class lane<folds::power_sums<T, Powers, Absolute>> {
    using gather = folds::power_sums<T, Powers, Absolute>;
    static constexpr bool has_first = gather::has_first, has_second = gather::has_second;
    static constexpr bool bytes = sizeof(T) == 1 && !std::is_same_v<T, bool> && !(Absolute && has_first);
    /// Sums of up to 32-bit items stay below 64 bits for 2^31 of them, more than a thread reads.
    using first_sum = std::conditional_t<(sizeof(T) < 8), std::int64_t, int128>;
    /// Squares of 64-bit items fill 128 bits: their upper and lower words are summed apart.
    static constexpr int second_parts = sizeof(T) < 8 ? 1 : 2;

  public:
    struct partial {
        wide_integer<4> first;
        wide_integer<4> second[has_second ? second_parts : 1];
    };
    static constexpr int spill_words = 0, private_words = 0;
    static constexpr lane_needs needs{};

    __device__ static T padding() { return T{}; }
    __device__ __forceinline__ lane(gather const&, thread_memory) {}

    template <int U, int V>
    __device__ __forceinline__ void take(T const (&x)[U][V], index_t, index_t, spill_area) {
        if constexpr (bytes && V % 4 == 0) {
            int first = 0, second = 0;  // a tile is less than 2^15 bytes
#pragma unroll
            for (int u = 0; u < U; ++u) {
#pragma unroll
                for (int v = 0; v < V; v += 4) {
                    std::uint32_t four;
                    std::memcpy(&four, &x[u][v], 4);
                    if constexpr (has_first) first = add_products_of_bytes<std::is_signed_v<T>>(four, 0x01010101U, first);
                    if constexpr (has_second) second = add_products_of_bytes<std::is_signed_v<T>>(four, four, second);
                }
            }
            first_ += first;
            second_[0] += static_cast<second_sum>(second);
        } else {
#pragma unroll
            for (int u = 0; u < U; ++u)
                for (int v = 0; v < V; ++v) take_one(x[u][v]);
        }
    }
    template <class Input>
    __device__ __forceinline__ partial settle(Input const&, spill_area) {
        partial p;
        p.first += first_;
        if constexpr (has_second)
            for (int i = 0; i < second_parts; ++i) p.second[i] += static_cast<int128>(second_[i]);
        return p;
    }
    __device__ __forceinline__ static partial identity(gather const&) { return {}; }
    __device__ __forceinline__ static void merge(gather const&, partial& p, partial const& later) {
        if constexpr (has_first) p.first += later.first.value();
        if constexpr (has_second)
            for (int i = 0; i < second_parts; ++i) p.second[i] += later.second[i].value();
    }
    __device__ __forceinline__ static void merge_warp(gather const&, partial& p) {
        if constexpr (has_first) p.first = sum_warp(p.first);
        if constexpr (has_second)
            for (int i = 0; i < second_parts; ++i) p.second[i] = sum_warp(p.second[i]);
    }
    __device__ static bool fits(partial const& p) {
        return !has_second || second_parts == 1 || p.second[second_parts - 1].value() < int128{1} << 60;
    }
    __device__ static auto brief(gather const&, partial const& p, index_t items, spill_area) {
        sums_state<exact::short_sum<0>, exact::short_sum<0>> s{};
        s.items = items;
        s.first.value = p.first.value();
        if constexpr (has_second)
            for (int i = 0; i < second_parts; ++i) s.second.value += p.second[i].value() << (64 * i);
        return s;
    }
    __device__ static auto full(gather const&, partial const& p, index_t items, spill_area) {
        sums_state<exact::sum_of<T>, exact::sum_of_products<T>> s{};
        s.items = items;
        s.first.add(p.first.value(), 0);
        if constexpr (has_second)
            for (int i = 0; i < second_parts; ++i) add_part(s.second, p.second[i].value(), 64 * i);
        return s;
    }

  private:
    /// Part sums have up to 127 bits, the upper limbs of the accumulator hold fewer.
    template <class Limbs>
    __device__ static void add_part(Limbs& sum, int128 value, int exponent) {
        sum.add(static_cast<std::int64_t>(static_cast<std::uint32_t>(value)), exponent);
        sum.add(static_cast<std::int64_t>(value >> 32), exponent + 32);
    }
    __device__ __forceinline__ void take_one(T x) {
        if constexpr (has_first) {
            if constexpr (Absolute) first_ += static_cast<first_sum>(folds::magnitude_of(x));
            else first_ += x;
        }
        if constexpr (has_second) {
            if constexpr (second_parts == 1) {
                using product = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::uint64_t>;
                auto const m = static_cast<product>(folds::magnitude_of(x));
                second_[0] += static_cast<product>(m * m);
            } else {
                std::uint64_t const m = folds::magnitude_of(x);
                uint128 const square = static_cast<uint128>(m) * m;
                second_[0] += static_cast<std::uint64_t>(square);
                second_[1] += static_cast<std::uint64_t>(square >> 64);
            }
        }
    }
    using second_sum = std::conditional_t<(sizeof(T) < 4), std::uint64_t, uint128>;
    first_sum first_ = 0;
    second_sum second_[second_parts] = {};
};

}  // namespace warpfold::device
