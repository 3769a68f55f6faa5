// Lanes of exact sums of the squares of integers, and of these themselves.
#pragma once

#include "integer_sums.hpp"

namespace warpfold::device {

template <class T, folds::powers Powers>
    requires(is_integer<T> && Powers != folds::powers::first)
class lane<folds::power_sums<T, Powers, false>> {
    using gather = folds::power_sums<T, Powers, false>;
    static constexpr bool has_first = gather::has_first;
    using first_total = sum_if<has_first, integer_total<T, false>>;
    /// Squares of 64-bit items fill 128 bits: their upper and lower words are summed apart.
    static constexpr int parts = sizeof(T) < 8 ? 1 : 2;
    using square = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::conditional_t<(sizeof(T) < 8), std::uint64_t, uint128>>;
    using second_sum = std::conditional_t<(sizeof(T) < 4), std::uint64_t, uint128>;

  public:
    struct partial {
        [[no_unique_address]] sum_if<has_first, wide_integer<4>> first;
        wide_integer<4> second[parts];
    };
    static constexpr int spill_words = 0, private_words = 0;
    static constexpr lane_needs needs{};

    __device__ static T padding() { return T{}; }
    __device__ __forceinline__ lane(gather const&, thread_memory) {}

    template <int U, int V>
    __device__ __forceinline__ void take(T const (&x)[U][V], index_t, index_t, spill_area) {
#pragma unroll
        for (int u = 0; u < U; ++u) {
            if constexpr (has_first) first_.add(x[u]);
            add_squares(x[u]);
        }
    }
    template <class Input>
    __device__ __forceinline__ partial settle(Input const&, spill_area) {
        partial p;
        if constexpr (has_first) p.first.set(first_.value);
        for (int i = 0; i < parts; ++i) p.second[i].set(static_cast<int128>(second_[i]));
        return p;
    }
    __device__ __forceinline__ static partial identity(gather const&) { return {}; }
    __device__ __forceinline__ static void merge(gather const&, partial& p, partial const& later) {
        if constexpr (has_first) p.first += later.first.value();
        for (int i = 0; i < parts; ++i) p.second[i] += later.second[i].value();
    }
    __device__ __forceinline__ static void merge_warp(gather const&, partial& p) {
        if constexpr (has_first) p.first = sum_warp(p.first);
        for (auto& part : p.second) part = sum_warp(part);
    }
    /// Whether all squares fit 127 bits.
    __device__ static bool fits(partial const& p) { return parts == 1 || p.second[parts - 1].value() < int128{1} << 60; }
    __device__ static auto brief(gather const&, partial const& p, index_t items, spill_area) {
        sums_state<sum_if<has_first, exact::short_sum<0>>, exact::short_sum<0>> s{};
        s.items = items;
        if constexpr (has_first) s.first.value = p.first.value();
        for (int i = 0; i < parts; ++i) s.second.value += p.second[i].value() << (64 * i);
        return s;
    }
    __device__ static auto full(gather const&, partial const& p, index_t items, spill_area) {
        sums_state<sum_if<has_first, exact::sum_of<T>>, exact::sum_of_products<T>> s{};
        s.items = items;
        if constexpr (has_first) s.first.add(p.first.value(), 0);
        for (int i = 0; i < parts; ++i) s.second.add(p.second[i].value(), 64 * i);
        return s;
    }

  private:
    template <int V>
    __device__ __forceinline__ void add_squares(T const (&x)[V]) {
        if constexpr (come_as_words<T, V>) {
            int sum = 0;
#pragma unroll
            for (int v = 0; v < V; v += 4) {
                std::uint32_t four;
                std::memcpy(&four, &x[v], 4);
                sum = add_products_of_bytes<std::is_signed_v<T>>(four, four, sum);
            }
            second_[0] += static_cast<second_sum>(sum);
        } else {
#pragma unroll
            for (int v = 0; v < V; ++v) {
                auto const m = static_cast<square>(folds::magnitude_of(x[v]));
                auto const of = static_cast<square>(m * m);
                second_[0] += parts == 1 ? of : static_cast<std::uint64_t>(of);
                if constexpr (parts == 2) second_[1] += static_cast<std::uint64_t>(of >> 64);
            }
        }
    }

    [[no_unique_address]] first_total first_;
    second_sum second_[parts] = {};
};

}  // namespace warpfold::device
