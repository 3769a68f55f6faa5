// Deciders: what reads all items again where the result of a shorter lane is undecided.
#pragma once

#include "grid.hpp"

namespace warpfold::device {

/// Reads by a lane that is slower and decides more. A fold whose lane may leave a result undecided names one
/// (lane.hpp).
template <class Lane>
struct decider_by {
    static_assert(Lane::spill_words == 0, "it has no spill area");

    /// Delivers what the first thread of a block finishes, or says that it is undecided. All threads call it.
    template <class Finish>
    __device__ __forceinline__ static bool deliver_if_decided(sink const& out, Finish const& finish) {
        decltype(finish()) result{};
        if (threadIdx.x == 0) result = finish();
        if (__syncthreads_or(result.state == status::undecided)) return false;
        if (threadIdx.x == 0) deliver(out, result);
        return true;
    }
    /// Delivers the result of all items of a task, `items` at most; by the block that calls it, after all others. (In
    /// line, at the end of the kernel: called from where it is needed, products of 8 and 16 blocks took 7.5 instead of
    /// 6.0 µs, though they never got there; H200.)
    template <tuning Tuning, bool Vectors, class Gather, class Task>
    __device__ __forceinline__ static void decide(Task const& t, index_t items, std::int64_t* memory) {
        fetch_no_further();
        constexpr bool counts = is_masked<decltype(t.input)>;
        constexpr tuning by_rows{Tuning.threads, 1, Tuning.blocks, 2 * Tuning.tiles};  // less code, and no more shared memory
        using partial = counted<typename Lane::partial, counts>;
        __shared__ stored<partial> of_warps[Tuning.threads / warp_lanes];
        Gather const& g = t.fold;
        Lane l{g, {memory + threadIdx.x, Tuning.threads}};
        reader<by_rows, Vectors, false, Lane, Task, true> r{l, t, items, {}};
        r.read(reinterpret_cast<uint4*>(memory + Lane::private_words * Tuning.threads));
        partial p{l.settle(t.input, {}), {}}, nothing{Lane::identity(g), {}};
        if constexpr (counts) p.items = r.taken();
        auto const merge = [&](partial& p, partial const& later) {
            Lane::merge(g, p.partial, later.partial);
            if constexpr (counts) p.items += later.items;
        };
        merge_block(p, nothing, of_warps, [&](partial& p) { merge_warp<true>(p, merge); }, Tuning.threads);
        if constexpr (counts) items = p.items;
        if (threadIdx.x == 0) deliver(t.out(), warpfold::detail::as_outcome(t.fold.finish(Lane::brief(g, p.partial, items, {}))));
    }
};

}  // namespace warpfold::device
