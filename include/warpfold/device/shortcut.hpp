// Shortcuts: what one block makes of a few items, sooner than a lane would. A shortcut offers
//
//     take(items, at)          items[v] is at position at + v; positions only grow
//     merge_warp<Lanes>()      into the first lane, at least
//     state(items)             what a fold finishes
//     sound()                  whether that is the lane's state, as far as a result without NaN is made of it
//     suits<R>                 whether a result of type R can be made of it
//     partial<Partial>()       if it has one, the lane's: then blocks take a shortcut each
//
// Where it is not sound or a result is NaN, the lane reads the items again.
#pragma once

#include "load.hpp"
#include "warp.hpp"

namespace warpfold::device {

template <class Lane, class R>
concept has_shortcut = requires { requires Lane::shortcut::template suits<R>; };

/// Whether blocks take a shortcut each.
template <class Shortcut, class Partial>
concept joins = requires(Shortcut const& s) { s.template partial<Partial>(); };

/// How many rows of vectors a block takes by a shortcut. (Eight: sums of 2^14 items 5.3 instead of 5.4 µs, minima 4.8 instead of
/// 5.3, but all smaller ones 0.1 later; H200.)
inline constexpr int few_rows = 4;

/// No float of a result is NaN.
template <class R>
__device__ __forceinline__ bool without_nan(R const& result) {
    if constexpr (requires { result.tail; }) return without_nan(result.head) && without_nan(result.tail);
    else return !is_nan(result);
}

/// The items of a block, at most few_rows vectors a thread, which begin after `head` items; the first block takes those before
/// them, too, and the last one those behind. The first warp has the result.
template <class Shortcut, int Threads, bool Vectors, class Input>
__device__ __forceinline__ Shortcut take_few(Input const& in, int items, int head, int rows,
                                             stored<Shortcut> (&memory)[Threads / warp_lanes]) {
    using item = typename Input::value_type;
    constexpr int V = vector_items<Input>, warps = Threads / warp_lanes;
    static_assert((warps & (warps - 1)) == 0 && (V & (V - 1)) == 0, "lanes are merged by halves, and vectors end at multiples of V");
    int const thread = static_cast<int>(threadIdx.x);
    int const first = head + (static_cast<int>(blockIdx.x) * rows * Threads + thread) * V, left = items - first;
    auto const has_row = [&](int u) { return u < rows && left >= (u * Threads + 1) * V; };
    item x[few_rows][V], edge[1];
    for (int u = 0; u < few_rows; ++u)
        if (has_row(u)) load<Vectors>(in, first + u * Threads * V, x[u]);
    int const at = thread < head ? thread : ((items - head) & -V) + thread;
    bool const before = blockIdx.x == 0 && thread < head && thread < items;
    bool const behind = blockIdx.x == gridDim.x - 1 && at >= head && at < items;
    if (before || behind) load<false>(in, at, edge);
    Shortcut s;
    if (before) s.take(edge, at);
    for (int u = 0; u < few_rows; ++u)
        if (has_row(u)) s.take(x[u], first + u * Threads * V);
    if (behind) s.take(edge, at);
    s.template merge_warp<warp_lanes>();
    if (thread % warp_lanes == 0) memory[thread / warp_lanes].set(s);
    __syncthreads();
    if (thread < warp_lanes) {
        s = Shortcut{};
        if (thread < warps) s = memory[thread].get();
        s.template merge_warp<warps>();
    }
    return s;
}

}  // namespace warpfold::device
