// Shortcuts: what one block makes of a few items, sooner than a lane would. A shortcut offers
//
//     take(items, at)          items[v] is at position at + v; positions only grow
//     merge_warp()             into the first lane, at least
//     state(items)             what a fold finishes
//     sound<Fold>()            whether that is the lane's state, as far as a result of Fold, without NaN, is made of it
//     always_sound             if it has that, whether it always is the lane's state, NaN or not
//     suits<R>                 whether a result of type R can be made of it
//     rows_alone               that one block takes so, sooner than several otherwise
//
// and a joint shortcut, which several blocks take each (a lane may offer the same for both):
//
//     partial<Partial>()       the lane's; or, instead of it and of merge_warp, for lanes that meet by pieces (lane.hpp):
//     begin(zero)              once a thread's first items are asked for
//     add_to<Warps>(words), piece(words)
//                              what warps add to words, one for each lane of a warp, and the piece that they then make
//     most_rows                that a block takes so
//     hopeless()               whether it will not be sound, whatever comes and others have
//     certain                  whether it is sound where no thread's is hopeless; sound() is not asked then
//
// Where it is not sound, or a result is NaN or undecided, the lane reads the items again.
#pragma once

#include "load.hpp"
#include "warp.hpp"

namespace warpfold::device {

template <class Lane, class R>
concept has_shortcut = requires { requires Lane::shortcut::template suits<R>; };

/// Whether a lane has a joint shortcut that takes as many items of an input at once.
template <class Lane, class Input>
concept has_joint_shortcut =
    requires(typename Lane::joint_shortcut s, typename Input::value_type const (&x)[vector_items<Input>]) { s.take(x, 0); };

template <class Shortcut>
inline constexpr bool always_sound = requires { requires Shortcut::always_sound; };

/// How many rows of vectors a block asks for at once; where that is all, it takes them by code of its own. (Eight: sums
/// of 2^14 items 5.3 instead of 5.4 µs, minima 4.8 instead of 5.3, but all smaller ones 0.1 later; H200.)
inline constexpr int few_rows = 4;

/// How many items a thread takes by a lane's shortcut where one block takes all: 2^15 in all, for sums hold no more.
inline constexpr int most_items_alone = 64;
/// How many rows that one block takes so: fewer than the shortcut would, where vectors of a map have more items than
/// those of its results.
template <class Lane, class Input>
inline constexpr int rows_alone = Lane::shortcut::rows_alone * vector_items<Input> <= most_items_alone ? Lane::shortcut::rows_alone
                                                                                                      : most_items_alone / vector_items<Input>;

/// No float of a result is NaN.
template <class R>
__device__ __forceinline__ bool without_nan(R const& result) {
    if constexpr (requires { result.tail; }) return without_nan(result.head) && without_nan(result.tail);
    else return !is_nan(result);
}

/// What a block takes of a task (grid.hpp), few_rows vectors a thread at most, or, Many, as many at a time. Vectors
/// begin after `head` items; those before them and behind them are taken singly. A block has the same rows as a
/// reader's, for others may have to read theirs by lanes. The first warp has the result, if not `words`, of shared
/// memory. False, in all threads, where a joint shortcut is hopeless.
template <int Threads, bool Vectors, bool Many, class Task, class Shortcut>
__device__ __forceinline__ bool take_few(Task const& t, index_t all, Shortcut& s, std::uint32_t (&words)[warp_lanes]) {
    using input = decltype(t.input);
    constexpr int V = vector_items<input>, row = Threads * V, warps = Threads / warp_lanes;
    constexpr bool joint = requires { s.hopeless(); }, by_words = requires { s.piece(nullptr); };
    static_assert((warps & (warps - 1)) == 0 && (V & (V - 1)) == 0, "lanes are merged by halves, and vectors end at multiples of V");
    __shared__ stored<Shortcut> memory[warps];
    int const thread = static_cast<int>(threadIdx.x), items = static_cast<int>(all), head = static_cast<int>(t.head), rows = static_cast<int>(t.rows);
    int const begin = static_cast<int>(blockIdx.x) * rows * row - (-head & (V - 1)), last = begin + rows * row;
    int const first = begin + thread * V, end = last < items ? last : items, left = end - first;
    typename input::value_type x[few_rows][V], next[few_rows][V], edge[1];
    auto const ready = [&] {
        if (joint && thread == 0 && gridDim.x > 1) t.work.prefetch();
        if (by_words && thread < warp_lanes) words[thread] = 0;
        if constexpr (by_words) s.begin(static_cast<std::uint32_t>(__syncthreads_or(0)));  // while items are on their way
    };
    // One whole row, or whole tiles, in straight code: a load then has a scoreboard of its own, and is taken when it is
    // there. Behind a branch, threads wait for all that were asked for. (Only joint shortcuts by words come here, and
    // only for these is it compiled.)
    auto const take_whole = [&]<int Rows>() {
        if constexpr (by_words) {
            for (int u = 0; u < Rows; ++u) load<Vectors>(t.input, first + u * row, x[u]);
            ready();
#pragma unroll 1
            for (int from = Rows;; from += Rows) {
                bool const more = Rows > 1 && from < rows;
                for (int u = 0; u < Rows; ++u) {
                    s.take(x[u], first + (from - Rows + u) * row);
                    if (more) load<Vectors>(t.input, first + (from + u) * row, x[u]);
                }
                if (!more) break;
            }
        }
    };
    bool const whole = by_words && 0 <= begin && begin < last && last <= items;
    if (whole && rows == 1) take_whole.template operator()<1>();
    else if (whole && rows % few_rows == 0) take_whole.template operator()<few_rows>();
    else {
        auto const has_row = [&](int u) { return left >= u * row + V && (u > 0 || first >= 0); };
        bool const before = thread < head;
        int const at = before ? thread : ((items - head) & -V) + thread;
        bool const single = at >= begin && at < end && (before || at >= head);
        if (single) load<false>(t.input, at, edge);
        auto const ask = [&](int from, auto& x) {
            for (int u = 0; u < few_rows; ++u)
                if (has_row(from + u)) load<Vectors>(t.input, first + (from + u) * row, x[u]);
        };
        ask(0, x);
        ready();
        if (single && before) s.take(edge, at);
#pragma unroll 1
        for (int from = 0;; from += few_rows) {
            if constexpr (Many) ask(from + few_rows, next);
            for (int u = 0; u < few_rows; ++u)
                if (has_row(from + u)) s.take(x[u], first + (from + u) * row);
            if constexpr (Many)
                for (int u = 0; u < few_rows; ++u)
                    for (int v = 0; v < V; ++v) x[u][v] = next[u][v];
            if (!Many || from + few_rows >= rows) break;
            if constexpr (joint)
                if (s.hopeless()) break;
        }
        if (single && !before) s.take(edge, at);
    }
    if constexpr (by_words) {
        s.template add_to<warps>(words);
    } else {
        s.merge_warp();
        if (thread % warp_lanes == 0) memory[thread / warp_lanes].set(s);
    }
    if constexpr (!joint || always_sound<Shortcut>) __syncthreads();
    else if (__syncthreads_or(s.hopeless())) return false;
    if constexpr (!by_words)
        if (thread < warp_lanes) {
            s = thread < warps ? memory[thread].get() : Shortcut{};
            s.merge_warp();
        }
    return true;
}

}  // namespace warpfold::device
