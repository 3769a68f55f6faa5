// Lanes of exact sums of integers and, with integer_squares.hpp, of their squares.
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

/// What a lane of integers has of their squares: nothing where it sums none. Else: integer_squares.hpp, which folds/moments.hpp brings.
template <class T, bool Has>
struct integer_squares {
    struct totals {
        __device__ void merge(totals const&) {}
        __device__ void merge_warp() {}
        __device__ static bool fits() { return true; }
        template <class Sum>
        __device__ void add_to(Sum&) const {}
    };
    __device__ void take(T) {}
    __device__ static int add_bytes(std::uint32_t, int sum) { return sum; }
    __device__ void take_sum(int) {}
    __device__ static totals settle() { return {}; }
};

template <class T, folds::powers Powers, bool Absolute>
    requires is_integer<T>
class lane<folds::power_sums<T, Powers, Absolute>> {
    using gather = folds::power_sums<T, Powers, Absolute>;
    static constexpr bool has_first = gather::has_first, has_second = gather::has_second;
    static constexpr bool bytes = sizeof(T) == 1 && !std::is_same_v<T, bool> && !(Absolute && has_first);
    /// Sums of up to 32-bit items stay below 64 bits for 2^31 of them, more than a thread reads.
    using first_sum = std::conditional_t<(sizeof(T) < 8), std::int64_t, int128>;
    using squares = integer_squares<T, has_second>;

  public:
    struct partial {
        wide_integer<4> first;
        [[no_unique_address]] typename squares::totals second;
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
                    second = squares::add_bytes(four, second);
                }
            }
            first_ += first;
            squares_.take_sum(second);
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
        p.second = squares_.settle();
        return p;
    }
    __device__ __forceinline__ static partial identity(gather const&) { return {}; }
    __device__ __forceinline__ static void merge(gather const&, partial& p, partial const& later) {
        if constexpr (has_first) p.first += later.first.value();
        p.second.merge(later.second);
    }
    __device__ __forceinline__ static void merge_warp(gather const&, partial& p) {
        if constexpr (has_first) p.first = sum_warp(p.first);
        p.second.merge_warp();
    }
    __device__ static bool fits(partial const& p) { return p.second.fits(); }
    __device__ static auto brief(gather const&, partial const& p, index_t items, spill_area) {
        sums_state<exact::short_sum<0>, exact::short_sum<0>> s{};
        s.items = items;
        s.first.value = p.first.value();
        p.second.add_to(s.second);
        return s;
    }
    __device__ static auto full(gather const&, partial const& p, index_t items, spill_area) {
        sums_state<exact::sum_of<T>, exact::sum_of_products<T>> s{};
        s.items = items;
        s.first.add(p.first.value(), 0);
        p.second.add_to(s.second);
        return s;
    }

  private:
    __device__ __forceinline__ void take_one(T x) {
        if constexpr (has_first) {
            if constexpr (Absolute) first_ += static_cast<first_sum>(folds::magnitude_of(x));
            else first_ += x;
        }
        squares_.take(x);
    }
    first_sum first_ = 0;
    [[no_unique_address]] squares squares_;
};

}  // namespace warpfold::device
