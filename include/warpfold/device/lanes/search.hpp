// A lane that looks for an item: whether the thread has found one.
#pragma once

#include "../../folds/logic.hpp"
#include "../lane.hpp"
#include "../shortcut.hpp"

namespace warpfold::device {

template <class T, folds::wanted Wanted>
class lane<folds::search<T, Wanted>> {
    using gather = folds::search<T, Wanted>;

    /// Whether an item of a vector matches; of bytes, four at a time, of which one is 0 where 1, taken from each, borrows.
    template <int V>
    __device__ __forceinline__ static bool any_of(T const (&x)[V]) {
        bool found = false;
        if constexpr (sizeof(T) == 1 && V % 4 == 0) {
#pragma unroll
            for (int v = 0; v < V; v += 4) {
                std::uint32_t four;
                std::memcpy(&four, &x[v], 4);
                found |= (Wanted == folds::wanted::zero ? (four - 0x01010101U) & ~four & 0x80808080U : four) != 0;
            }
        } else {
#pragma unroll
            for (int v = 0; v < V; ++v) found |= gather::matches(x[v]);
        }
        return found;
    }
    bool found_ = false;

  public:
    using partial = typename gather::state;
    static constexpr int spill_words = 0, private_words = 0;
    static constexpr lane_needs needs{};
    __device__ static T padding() { return Wanted == folds::wanted::zero ? T(1) : T(0); }

    /// (H200, µs of 2^8, 2^12 and 2^13 zeros without this and with it: floats 4.26, 4.93, 4.93 and 3.55, 3.78, 4.00,
    /// bytes 4.35, 4.35, 4.58 and 3.46, 3.62, 3.62.)
    class shortcut {
        bool found_ = false;

      public:
        template <class>
        static constexpr bool suits = true;
        static constexpr bool always_sound = true;
        static constexpr int rows_alone = few_rows;
        __device__ static T padding() { return lane::padding(); }

        template <int V>
        __device__ __forceinline__ void take(T const (&x)[V], int) { found_ |= any_of(x); }
        __device__ __forceinline__ void merge_warp() { found_ = __any_sync(all_lanes, found_); }
        __device__ __forceinline__ partial state(index_t) const { return {found_}; }
        template <class>
        __device__ __forceinline__ static bool sound() { return true; }
    };

    __device__ __forceinline__ lane(gather const&, thread_memory) {}

    template <int U, int V>
    __device__ __forceinline__ void take(T const (&x)[U][V], index_t, index_t, spill_area) {
#pragma unroll
        for (int u = 0; u < U; ++u) found_ |= any_of(x[u]);
    }
    template <class Input>
    __device__ __forceinline__ partial settle(Input const&, spill_area) { return {found_}; }

    __device__ __forceinline__ static partial identity(gather const&) { return {}; }
    __device__ __forceinline__ static void merge(gather const& g, partial& p, partial const& later) { g.merge(p, later); }
    __device__ __forceinline__ static void merge_warp(gather const&, partial& p) { p.found = __any_sync(all_lanes, p.found); }
    /// How many blocks have found one.
    static constexpr int pieces = 1;
    __device__ __forceinline__ static std::uint64_t piece(partial const& p, int i) { return i == 0 && p.found; }
    __device__ __forceinline__ static partial sum_of(std::uint64_t const (&sums)[pieces], int) { return {sums[0] != 0}; }
    __device__ static bool spilled(partial const&) { return false; }
    __device__ __forceinline__ static bool fits(partial const&) { return true; }
    __device__ __forceinline__ static partial brief(gather const&, partial const& p, index_t, spill_area) { return p; }
    __device__ __forceinline__ static partial full(gather const&, partial const& p, index_t, spill_area) { return p; }
};

}  // namespace warpfold::device
