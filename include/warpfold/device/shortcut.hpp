// Shortcuts: what one block makes of a few items, sooner than a lane would. A shortcut offers
//
//     take(items, at)          items[v] is at position at + v; positions only grow
//     padding()                if it has one, an item that changes nothing, wherever it is
//     take_rows(items)         if it has that, and padding: several rows at once, wherever they are; not of a joint one
//     merge_warp()             into all lanes, alike; of a joint shortcut, into the first at least
//     merge_stored(memory, warps)
//                              if it has that, as merge_warp, but of what a block's warps left in shared memory; behind
//                              it are shortcuts that took nothing
//     state(items)             what a fold finishes
//     sound<Fold>()            whether that is the lane's state, as far as a result of Fold, without NaN, is made of it
//     always_sound             if it has that, whether it always is the lane's state, NaN or not
//     suits<R>                 whether a result of type R can be made of it
//     rows_alone               that one block takes so, sooner than several otherwise
//     long_warps               if it has that, and padding, whether a warp takes twice few_rows of them
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

/// How many rows a warp of one block takes: the fewer warps, the fewer wait for each other.
template <class Lane, class Input>
inline constexpr int rows_of_warp = requires { requires Lane::shortcut::long_warps && (rows_alone<Lane, Input> > few_rows); } ? 2 * few_rows : few_rows;

/// No float of a result is NaN; or, Decided, none is undecided.
template <bool Decided = false, class R>
__device__ __forceinline__ bool without_nan(R const& result) {
    if constexpr (requires { result.tail; }) return without_nan<Decided>(result.head) && without_nan<Decided>(result.tail);
    else if constexpr (Decided && is_float<R>) return magnitude_bits(result) != magnitude_bits(undecided_of<R>);
    else return !is_nan(result);
}

/// What a thread takes of its block's share of a task (grid.hpp), Rows vectors at most, or, Many, as many at a time;
/// `ready` is called once the first are asked for. Vectors begin after `head` items; those before and behind them are
/// taken singly, but where all threads have Rows of them, or a multiple of that, Whole. A block of several has the same
/// rows as a reader's, for others may have to read theirs by lanes; one that is Alone may have fewer than Threads, and
/// its warps have Rows rows of their own each, and take those past few_rows if any item is there. What is not there is
/// padding, if there is such an item, so that no branch parts loads from what takes them: a load in straight code has a
/// scoreboard of its own, and is taken when it is there; behind a branch, a thread waits for all that were asked for.
template <int Threads, bool Vectors, bool Alone, bool Many, int Rows = few_rows, bool Whole = false, class Task, class Shortcut, class Ready>
__device__ __forceinline__ void take_rows(Task const& t, index_t all, Shortcut& s, Ready const& ready) {
    using item = typename decltype(t.input)::value_type;
    constexpr int V = vector_items<decltype(t.input)>, row = (Alone ? warp_lanes : Threads) * V, group = Rows < few_rows ? Rows : few_rows;
    constexpr bool pads = !Whole && requires { Shortcut::padding(); };
    static_assert((V & (V - 1)) == 0 && (Rows == group || (Alone && pads && !Many)), "vectors end at multiples of V; warps of blocks are not long");
    int const thread = static_cast<int>(threadIdx.x), items = static_cast<int>(all), head = t.head, rows = static_cast<int>(t.share().rows);
    int const begin = (Alone ? 0 : static_cast<int>(blockIdx.x) * rows * row) - (-head & (V - 1)), last = begin + rows * row;
    int const first = begin + (Alone ? thread + (thread & -warp_lanes) * (Rows - 1) : thread) * V;
    int const end = Alone || items < last ? items : last, left = end - first;
    bool const before = thread < head;
    int const at = before ? thread : ((items - head) & -V) + thread;
    bool const single = !Whole && (Alone || at >= begin) && at < end && (before || at >= head);
    item x[Rows / group][group][V], next[group][V], edge[1];
    auto const pad = [](auto& x) { if constexpr (pads) for (item& one : x) one = Shortcut::padding(); };
    // Of the vectors from row `from` on, of those a block has, a multiple of Rows, the next but u.
    auto const place = [&](int from, int u) { return from * Threads * V + u * row; };
    auto const has = [&](int from, int u) { return Whole ? from + u < Rows || from + u < rows : left >= place(from, u) + V && (from + u > 0 || first >= 0); };
    auto const ask = [&](int from, int u, item (&x)[V]) { if (has(from, u)) load<Vectors>(t.input, first + place(from, u), x); };
    auto const take = [&](item (&x)[group][V], int from, int past) {
        constexpr bool at_once = pads && requires { s.take_rows(x); };
        if constexpr (at_once) s.take_rows(x);
        for (int u = 0; u < group && !at_once; ++u) {
            if (pads || Whole || has(from, past + u)) s.take(x[u], first + place(from, past + u));
            if (Whole && Rows > 1) ask(from + Rows, u, x[u]);
        }
    };
    for (int u = 0; u < Rows; ++u) pad(x[u / group][u % group]);
    pad(edge);
    for (int u = 0; u < Rows; ++u) ask(0, u, x[u / group][u % group]);
    if (single) load<false>(t.input, at, edge);
    ready();
    if (pads || (single && before)) s.take(edge, at);
    if (Whole || (Many && rows > Rows)) {
#pragma unroll 1
        for (int from = 0;; from += Rows) {
            for (int u = 0; u < group && !Whole; ++u) pad(next[u]), ask(from + Rows, u, next[u]);
            take(x[0], from, 0);
            if ((Rows == 1 ? rows : from + Rows) >= rows) break;
            for (int k = 0; k < group * V && !Whole; ++k) x[0][k / V][k % V] = next[k / V][k % V];
            if constexpr (requires { s.hopeless(); }) if (s.hopeless()) break;
        }
    } else for (int past = 0; past < Rows; past += group)
        if (past == 0 || left + (thread % warp_lanes) * V > past * row) take(x[past / group], 0, past);
    if (!pads && single && !before) s.take(edge, at);
}

/// Merges what the warps of a block have, Alone of fewer than Threads perhaps, into its first warp, or, ToAll, into each.
/// False, in all threads, where a joint shortcut is hopeless.
template <int Threads, bool Alone, bool ToAll, class Shortcut>
__device__ __forceinline__ bool merge_warps(Shortcut& s) {
    __shared__ stored<Shortcut> memory[Threads / warp_lanes];
    constexpr bool asks = !Alone && !always_sound<Shortcut>, stores = Alone && requires { s.merge_stored(memory, 1); };
    int const lane = own_lane(), warp = static_cast<int>(threadIdx.x / warp_lanes), threads = Alone ? static_cast<int>(blockDim.x) : Threads;
    bool const hopeless = [&] { if constexpr (asks) return s.hopeless(); else return false; }();
    s.merge_warp();
    if (Alone && threads <= warp_lanes) return true;
    if (lane == 0) memory[warp].set(s);
    if (stores && threads / warp_lanes <= static_cast<int>(threadIdx.x) && threadIdx.x < Threads / warp_lanes) memory[threadIdx.x].set(Shortcut{});
    if constexpr (!asks) __syncthreads();
    else if (__syncthreads_or(hopeless)) return false;
    if (!ToAll && warp > 0) return true;
    if constexpr (stores) return s.merge_stored(memory, threads / warp_lanes), true;
    s = lane < threads / warp_lanes ? memory[lane].get() : Shortcut{};
    return s.merge_warp(), true;
}

/// What a block takes of its share by a joint shortcut. The first warp has the result, if not `words`, of shared memory.
/// False, in all threads, where it is hopeless.
template <int Threads, bool Vectors, bool Many, class Task, class Shortcut>
__device__ __forceinline__ bool take_share(Task const& t, index_t all, Shortcut& s, std::uint32_t (&words)[warp_lanes]) {
    auto const ready = [&] {
        if (threadIdx.x == 0 && gridDim.x > 1) t.work.prefetch();
        if constexpr (requires { s.piece(words); }) {
            if (threadIdx.x < warp_lanes) words[threadIdx.x] = 0;
            s.begin(static_cast<std::uint32_t>(__syncthreads_or(0)));  // while items are on their way
        }
    };
    if constexpr (!requires { s.piece(words); }) return take_rows<Threads, Vectors, false, Many>(t, all, s, ready), merge_warps<Threads, false, false>(s);
    else {
        constexpr int V = vector_items<decltype(t.input)>;
        int const rows = static_cast<int>(t.share().rows), size = rows * Threads * V, begin = static_cast<int>(blockIdx.x) * size - (-t.head & (V - 1));
        bool const whole = rows > 0 && begin >= 0 && begin + size <= static_cast<int>(all);
        if (whole && rows == 1) take_rows<Threads, Vectors, false, false, 1, true>(t, all, s, ready);
        else if (whole && rows % few_rows == 0) take_rows<Threads, Vectors, false, true, few_rows, true>(t, all, s, ready);
        else take_rows<Threads, Vectors, false, Many>(t, all, s, ready);
        s.template add_to<Threads / warp_lanes>(words);
        return !__syncthreads_or(s.hopeless());
    }
}

}  // namespace warpfold::device
