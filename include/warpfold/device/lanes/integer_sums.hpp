// Lanes of exact sums of integers. Of their squares: integer_squares.hpp.
#pragma once

#include "../../folds/sums.hpp"
#include "../shortcut.hpp"
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

/// Items of 8 bits that come by fours.
template <class T, int V>
inline constexpr bool come_as_words = sizeof(T) == 1 && !std::is_same_v<T, bool> && V % 4 == 0;

/// The sum of integers, or of their magnitudes, that a thread takes: up to 32 bits each, less than 2^31.
template <class T, bool Absolute>
struct integer_total {
    std::conditional_t<(sizeof(T) < 8), std::int64_t, int128> value = 0;

    template <int V>
    __device__ __forceinline__ void add(T const (&x)[V]) {
        if constexpr (come_as_words<T, V>) {
            int sum = 0;
#pragma unroll
            for (int v = 0; v < V; v += 4) {
                std::uint32_t four;
                std::memcpy(&four, &x[v], 4);
                // Ones, and −1 for what is negative.
                std::uint32_t const ones = 0x01010101U + (Absolute && std::is_signed_v<T> ? (four >> 7 & 0x01010101U) * 254 : 0);
                sum = add_products_of_bytes<std::is_signed_v<T>>(four, ones, sum);
            }
            value += sum;
        } else {
#pragma unroll
            for (int v = 0; v < V; ++v)
                if constexpr (Absolute) value += static_cast<decltype(value)>(folds::magnitude_of(x[v]));
                else value += x[v];
        }
    }
};

/// A shortcut of their sums: the sums themselves, of which warps add up so many pieces (warp.hpp), for there are 2^15
/// items at most. (H200, by lanes and by this, µs: 2^8, 2^12 and 2^14 items of 32 bits 4.2, 4.55, 5.7 and 3.75, 3.95,
/// 4.3, 2^8 and 2^13 of 64 bits 4.35, 6.0 and 3.85, 4.4, of 8 bits 4.1, 4.2 and 3.5, 3.85.)
template <class T, bool Absolute>
class integers_shortcut {
    integer_total<T, Absolute> sum_;

  public:
    template <class>
    static constexpr bool suits = true;
    static constexpr bool always_sound = true;
    static constexpr int rows_alone = sizeof(T) < 4 ? few_rows : 8, pieces = sizeof(T) == 1 ? 1 : sizeof(T) < 8 ? 2 : 3;

    template <int V>
    __device__ __forceinline__ void take(T const (&x)[V], int) { sum_.add(x); }
    __device__ __forceinline__ void merge_warp() { sum_.value = sum_pieces<pieces>(sum_.value); }
    __device__ __forceinline__ auto state(index_t items) const {
        return sums_state<exact::short_sum<0>, no_sum>{items, {}, false, {sum_.value}, {}};
    }
    template <class>
    __device__ __forceinline__ bool sound() const { return true; }
};

template <class T, bool Absolute>
    requires is_integer<T>
class lane<folds::power_sums<T, folds::powers::first, Absolute>> {
    using gather = folds::power_sums<T, folds::powers::first, Absolute>;
    integer_total<T, Absolute> sum_;

  public:
    using shortcut = integers_shortcut<T, Absolute>;
    using partial = wide_integer<4>;
    static constexpr int spill_words = 0, private_words = 0;
    static constexpr lane_needs needs{};

    __device__ static T padding() { return T{}; }
    __device__ __forceinline__ lane(gather const&, thread_memory) {}

    template <int U, int V>
    __device__ __forceinline__ void take(T const (&x)[U][V], index_t, index_t, spill_area) {
        for (int u = 0; u < U; ++u) sum_.add(x[u]);
    }
    template <class Input>
    __device__ __forceinline__ partial settle(Input const&, spill_area) {
        partial p;
        p.set(sum_.value);
        return p;
    }
    __device__ __forceinline__ static partial identity(gather const&) { return {}; }
    __device__ __forceinline__ static void merge(gather const&, partial& p, partial const& later) { p += later.value(); }
    __device__ __forceinline__ static void merge_warp(gather const&, partial& p) { p = sum_warp(p); }
    /// The last one raised.
    static constexpr int pieces = 3, piece_bits = 43;
    static constexpr std::int64_t raise = std::int64_t{1} << (piece_bits - 1);
    __device__ __forceinline__ static std::uint64_t piece(partial const& p, int i) {
        if (i < pieces - 1) return static_cast<std::uint64_t>(p.value() >> (piece_bits * i)) & ((std::uint64_t{1} << piece_bits) - 1);
        return i == pieces - 1 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(p.value() >> (piece_bits * i)) + raise) : 0;
    }
    __device__ __forceinline__ static partial sum_of(std::uint64_t const (&sums)[pieces], int blocks) {
        int128 const high = static_cast<std::int64_t>(sums[2]) - blocks * raise;
        partial p;
        p.set(int128{sums[0]} + (int128{sums[1]} << piece_bits) + high * (int128{1} << 2 * piece_bits));
        return p;
    }
    __device__ static bool spilled(partial const&) { return false; }
    __device__ static bool fits(partial const&) { return true; }
    __device__ static auto brief(gather const&, partial const& p, index_t items, spill_area) {
        return sums_state<exact::short_sum<0>, no_sum>{items, {}, false, {p.value()}, {}};
    }
    __device__ static auto full(gather const& g, partial const& p, index_t items, spill_area area) { return brief(g, p, items, area); }
};

}  // namespace warpfold::device
