// A lane that counts the items of which a predicate holds.
#pragma once

#include "../../folds/logic.hpp"
#include "../lane.hpp"
#include "../warp.hpp"

namespace warpfold::device {

template <class Predicate>
class lane<count_if<Predicate>> {
    using gather = count_if<Predicate>;
    Predicate predicate_;
    index_t count_ = 0;

  public:
    using partial = index_t;
    static constexpr int spill_words = 0, private_words = 0;
    static constexpr lane_needs needs{};

    __device__ __forceinline__ lane(gather const& g, thread_memory) : predicate_{g.predicate} {}

    /// A tile at a time, in a float: that is exact, and where floats are added is less to do than where predicates are
    /// asked. (H200, 4 GiB of int8: 930 µs, by int 1000, by index_t 1361.)
    template <class T, int U, int V>
    __device__ __forceinline__ void take(T const (&x)[U][V], index_t, index_t, spill_area) {
        float count = 0;
        for (int u = 0; u < U; ++u)
            for (int v = 0; v < V; ++v) count += predicate_(item_of(x[u], v)) ? 1.0F : 0.0F;
        count_ += static_cast<int>(count);
    }
    template <class Input>
    __device__ __forceinline__ partial settle(Input const&, spill_area) { return count_; }

    __device__ __forceinline__ static partial identity(gather const&) { return 0; }
    __device__ __forceinline__ static void merge(gather const&, partial& p, partial later) { p += later; }
    __device__ __forceinline__ static void merge_warp(gather const&, partial& p) { p = static_cast<partial>(sum_warp(int128{p})); }
    static constexpr int pieces = 2, piece_bits = 43;
    __device__ __forceinline__ static std::uint64_t piece(partial p, int i) {
        auto const count = static_cast<std::uint64_t>(p);
        return i == 0 ? count & ((std::uint64_t{1} << piece_bits) - 1) : i == 1 ? count >> piece_bits : 0;
    }
    __device__ __forceinline__ static partial sum_of(std::uint64_t const (&sums)[pieces], int) {
        return static_cast<partial>(sums[0] + (sums[1] << piece_bits));
    }
    __device__ static bool spilled(partial const&) { return false; }
    __device__ __forceinline__ static bool fits(partial const&) { return true; }
    __device__ __forceinline__ static partial brief(gather const&, partial p, index_t, spill_area) { return p; }
    __device__ __forceinline__ static partial full(gather const&, partial p, index_t, spill_area) { return p; }
};

}  // namespace warpfold::device
