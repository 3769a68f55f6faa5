// Lanes: what one thread keeps of a gather while it reads. A lane may hold another form than the gather's state:
// whatever registers like best. It offers
//
//     partial                      what warps, blocks and the grid merge; trivially copyable
//     spill_words                  limbs of the spill area (spill.hpp) that it may add to; settle then tells it (touch)
//     private_words                64-bit words of shared memory for each thread
//     needs                        what tuning must know of it
//     lane(gather, thread_memory)
//     padding()                    if it has one, an item that changes nothing: tiles are then filled up with it
//     take(items, first, stride, area)
//                                  items[u][v] is at position first + u · stride + v; tiles come in any order, stride is
//                                  always the same. Several rows are taken by all threads of a warp together
//     settle(input, area)          the partial; all threads of a warp call it together
//     identity(gather), merge(gather, partial, later)
//     merge_warp(gather, partial)  if it has one, merges those of 32 lanes into the first faster than merge would
//     pieces, piece(partial, i), sum_of(sums, blocks)    if it has them, natural numbers below 2^44 that blocks add up
//                                  (meeting, in grid.hpp) and what their sums are; merge_warp then merges into all lanes,
//                                  and spilled(partial) says whether something lies in the spill area
//     approximates_sums, approximate_sums(partial, sums, blocks, items)
//                                  if `approximates_sums`, the state of these sums, sooner finished than any other, where
//                                  nothing was spilled; if results suit the shortcut, there is no brief state then
//     has_contest, meet<Fold>(words, partial, blocks, items)
//                                  if it has them, blocks meet by words (contest.hpp), and the last one's first warp has
//                                  the partial
//     fits(partial)                whether nothing was spilled and `brief` can be asked instead of `full`
//     brief, full(gather, partial, items, area)    the state that a fold finishes
//     approximates, near_state, approximate(gather, partial, items, area, spilled, near_state)
//                                  if `approximates`, one more such state, sooner finished than a full one; approximate says
//                                  whether it holds what the partial does, as far as a result that is decided is made of it; where
//                                  something was spilled, all threads of a warp call it, and the first has partial and state
//     shortcut, joint_shortcut     if it has them, for few items of one block and of several (shortcut.hpp)
//
// The header of a fold includes its lane. This one serves every fold that says nothing else: the gather's own state,
// item by item.
#pragma once

#include "../fold.hpp"
#include "spill.hpp"

namespace warpfold::device {

/// The shared memory that belongs to one thread: `word(i)` are words `stride` apart, so that lanes meet no conflicts.
struct thread_memory {
    std::int64_t* base;
    int stride;

    __device__ __forceinline__ std::int64_t& word(int i) const { return base[i * stride]; }
    /// 128 bits in words i and i + 1.
    __device__ __forceinline__ int128 wide(int i) const {
        return int128{word(i + 1)} << 64 | static_cast<std::uint64_t>(word(i));
    }
    __device__ __forceinline__ void set_wide(int i, int128 value) const {
        word(i) = static_cast<std::int64_t>(value);
        word(i + 1) = static_cast<std::int64_t>(value >> 64);
    }
    __device__ __forceinline__ thread_memory from(int i) const { return {base + i * stride, stride}; }
};

/// What a lane asks of tuning (tuning.hpp).
struct lane_needs {
    bool takes_pairs = false;  ///< and so holds two items for each position
    bool several = false;      ///< gathers, each with registers of its own
    bool tiles_ahead = false;  ///< takes a tile for so long that the next ones must be under way (tiles.hpp)
};

/// Item v of a vector. nvcc 13.0 spreads a byte with a sign over a register by two instructions of the pipe that
/// compares, shifts in C++ too; of these two shifts it makes one a multiplication, which has a pipe of its own.
template <class T, int V>
__device__ __forceinline__ T item_of(T const (&x)[V], int v) {
#if defined(__CUDA_ARCH__)
    if constexpr (std::is_same_v<T, std::int8_t> && V % 4 == 0) {
        std::int32_t spread;
        std::memcpy(&spread, &x[v / 4 * 4], 4);
        asm("shl.b32 %0, %0, %1; shr.s32 %0, %0, 24;" : "+r"(spread) : "r"(24 - v % 4 * 8));
        return static_cast<T>(spread);
    }
#endif
    return x[v];
}

template <class Gather>
class lane {
  public:
    using partial = typename Gather::state;
    static constexpr int spill_words = 0, private_words = 0;
    static constexpr lane_needs needs{};

    __device__ __forceinline__ lane(Gather const& gather, thread_memory) : gather_{gather}, state_{gather.identity()} {}

    template <class T, int U, int V>
    __device__ __forceinline__ void take(T const (&x)[U][V], index_t first, index_t stride, spill_area) {
        for (int u = 0; u < U; ++u)
            for (int v = 0; v < V; ++v) gather_.step(state_, item_of(x[u], v), first + u * stride + v);
    }
    template <class Input>
    __device__ __forceinline__ partial settle(Input const&, spill_area) { return state_; }

    __device__ __forceinline__ static partial identity(Gather const& gather) { return gather.identity(); }
    __device__ __forceinline__ static void merge(Gather const& gather, partial& p, partial const& later) { gather.merge(p, later); }
    __device__ __forceinline__ static bool fits(partial const&) { return true; }
    __device__ __forceinline__ static partial brief(Gather const&, partial const& p, index_t, spill_area) { return p; }
    __device__ __forceinline__ static partial full(Gather const&, partial const& p, index_t, spill_area) { return p; }

  private:
    Gather gather_;
    partial state_;
};

/// The lane of a fold, where there is no other one. Where results of the lane may be undecided, `decider` (decider.hpp)
/// reads again for these, by the lane that is `deciding`.
template <class Fold>
struct lane_of : std::type_identity<lane<typename gather_of<Fold>::type>> {
    using deciding = typename lane_of::type;
};

/// How many words the blocks of a lane meet at; 0 where they leave partials.
template <class Lane>
inline constexpr int pieces_of = [] {
    if constexpr (requires { Lane::pieces; }) return Lane::pieces;
    else return 0;
}();

template <class Lane>
inline constexpr bool lane_approximates = requires { requires Lane::approximates; };

}  // namespace warpfold::device
