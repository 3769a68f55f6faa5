// The grid: one kernel reads every item once and ends with the result. Each block leaves a partial in the workspace and
// takes a ticket; the block with the last ticket merges the partials and finishes the fold.
#pragma once

#include "reader.hpp"
#include "shortcut.hpp"

namespace warpfold::device {

/// What tells the host a result: 16 bytes, which arrive at once. A value that is longer lies behind them, and is there
/// before.
struct alignas(16) announcement {
    std::uint64_t value;
    std::uint64_t state;  ///< and, from bit 32 on, the signal that it waits for
};

/// Where a result goes: to `value`, of its type, and, where that is not null, to `state`; or, with a signal, to the
/// announcement at `value`, whose host waits for that.
struct place {
    void* value = nullptr;
    status* state = nullptr;
};
struct sink : place { unsigned signal = 0; };

/// Global memory that a kernel works in; zero before and after, but for the partials.
struct workspace {
    static constexpr std::size_t bytes = std::size_t{1} << 20;
    /// A ticket, from byte 128 on a word for each lane of a warp, then a counter for each warp of a block, far enough
    /// apart to count at the same time (H100: 0.48 times a nanosecond each).
    static constexpr std::size_t counters_at = 512, counter_bytes = 256, meeting_bytes = counters_at + warp_lanes * counter_bytes;
    static constexpr std::size_t spill_bytes = std::size_t{1} << 14;
    unsigned char* base = nullptr;

    /// Asks for what blocks meet by, which is far away else (H200: 0.05 µs).
    __device__ __forceinline__ void prefetch() const {
        for (index_t at = 0; at <= 128; at += 128) access<contiguous<unsigned char>>::prefetch({base, at}, at);
    }
    __device__ unsigned* ticket() const { return reinterpret_cast<unsigned*>(base); }
    __device__ unsigned* counter(int warp) const { return reinterpret_cast<unsigned*>(base + counters_at + warp * counter_bytes); }
    __device__ std::uint64_t* words() const { return reinterpret_cast<std::uint64_t*>(base + 128); }
    __device__ std::int64_t* spill() const { return reinterpret_cast<std::int64_t*>(base + meeting_bytes); }
    template <class Partial>
    __device__ stored<Partial>* partials() const {
        return reinterpret_cast<stored<Partial>*>(base + meeting_bytes + spill_bytes);
    }
    static constexpr std::size_t room = bytes - meeting_bytes - spill_bytes;
    /// As many blocks as may be forced.
    template <class Partial>
    static constexpr std::size_t most_partials = sizeof(stored<Partial>) < room / 4096 ? 4096 : room / sizeof(stored<Partial>);
};

/// What says which rows of an input a block takes.
struct block_share {
    index_t const* device_items;  ///< where the device knows how many items there are; null: as many as at most
    index_t rows;                 ///< for each block
};

/// What a kernel is given; first what it needs first, for a line of parameters that nobody has read yet is 140 cycles
/// away, and the first one has room for 48 bytes. Few: all that one block needs of items side by side, to the end (H200,
/// sums of 2^8 to 2^13 floats 0.03, of doubles 0.07, of int32 0.03, argmin 0.05 µs sooner). Several blocks need their
/// shares first (behind the rest, sums of 2^20 floats were 0.07 later).
template <bool Few, class Fold, class Input, class R>
struct task {
    Input input;
    index_t items;  ///< at most
    std::conditional_t<Few, place, block_share> first;
    int head;  ///< where the first vector of the input begins
    unsigned signal;
    std::conditional_t<Few, block_share, place> second;
    Fold fold;
    workspace work;

    __device__ __forceinline__ block_share const& share() const { if constexpr (Few) return second; else return first; }
    __device__ __forceinline__ sink out() const { if constexpr (Few) return {first, signal}; else return {second, signal}; }
};

/// The partial of a lane, and how many items it took where not all are taken.
struct no_count { __device__ explicit operator index_t() const { return 0; } };
template <class Partial, bool Counted>
struct counted {
    Partial partial;
    [[no_unique_address]] std::conditional_t<Counted, index_t, no_count> items;
};

template <class Fold, class Input>
using partial_of = counted<typename lane_of<Fold>::type::partial, is_masked<Input>>;

template <class R>
__device__ void deliver(sink const& out, outcome<R> const& result) {
    if (out.signal == 0) {
        *static_cast<R*>(out.value) = result.value;
        if (out.state) *out.state = result.state;
        return;
    }
    auto* const host = static_cast<announcement*>(out.value);
    announcement told{0, std::uint64_t{out.signal} << 32 | static_cast<std::uint64_t>(result.state)};
    constexpr bool fits = sizeof(R) <= sizeof(told.value);
    if constexpr (fits) std::memcpy(&told.value, &result.value, sizeof(R));
    else *reinterpret_cast<R*>(host + 1) = result.value;
    if constexpr (!fits) __threadfence_system();
#if defined(__CUDA_ARCH__)
    // Half a microsecond sooner on the host than a value, a fence and a flag (H200).
    asm volatile("{ .reg .b128 all; mov.b128 all, {%1, %2}; st.relaxed.sys.global.b128 [%0], all; }" ::"l"(host),
                 "l"(told.value), "l"(told.state) : "memory");
#else
    *host = told;
#endif
}

/// The end of what no short state holds: long, and out of line so that it costs the rest nothing.
template <class Lane, class Task, class Gather>
__device__ __noinline__ void finish_full(Task const& t, Gather const& gather, typename Lane::partial p, index_t items, spill_area area) {
    __threadfence();  // what other threads of this block spilled
    deliver(t.out(), warpfold::detail::as_outcome(t.fold.finish(Lane::full(gather, p, items, area))));
    area.template zero<Lane::spill_words, 1>();
}

/// Takes a ticket: what this thread wrote before is seen by who takes a later one.
__device__ __forceinline__ unsigned take_ticket(unsigned* ticket) {
#if defined(__CUDA_ARCH__)
    unsigned taken;  // a fifth of a microsecond faster than an atomic addition between two fences (H200)
    asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(taken) : "l"(ticket) : "memory");
    return taken;
#else
    __threadfence();
    unsigned const taken = atomicAdd(ticket, 1U);
    __threadfence();
    return taken;
#endif
}

/// How blocks add up natural numbers below 2^44, one for each of the first lanes of their first warps: an atomic
/// addition to the lower 54 bits of a word also counts, in the upper ten, who has been there. The block that comes last
/// has the sums at once; that is 0.9 µs sooner than by partials and a ticket (H200).
struct meeting {
    static constexpr int most_blocks = 1023;
    static constexpr std::uint64_t one = std::uint64_t{1} << 54;

    /// Whether this block comes last, and then the sums, in all lanes of its first warp, which calls it.
    template <int Pieces>
    __device__ __forceinline__ static bool join(std::uint64_t* words, std::uint64_t piece, int blocks, std::uint64_t (&sums)[Pieces]) {
        int const lane = static_cast<int>(threadIdx.x);
        auto* const word = reinterpret_cast<unsigned long long*>(words + lane);
        std::uint64_t sum = lane < Pieces ? atomicAdd(word, piece + one) + piece + one : 0;
        if (static_cast<int>(__shfl_sync(all_lanes, sum, 0) >> 54) != blocks) return false;
        // Who added to the first word has added to the others, or is about to.
        while (lane < Pieces && static_cast<int>(sum >> 54) != blocks) sum = atomicAdd(word, 0ULL);
        for (int i = 0; i < Pieces; ++i) sums[i] = __shfl_sync(all_lanes, sum, i) & (one - 1);
        if (lane < Pieces) atomicExch(word, 0ULL);
        return true;
    }
};

/// Few: one block, of as many warps as have rows, takes at most rows_alone rows, whose items the host has counted, by a
/// lane's shortcut, and again, one by one, by a lane where that does not decide the result. Nothing is asked but where the
/// items lie, and what several blocks need is not there to be fetched (H200, sums of 2^8 to 2^13 floats 0.1 to 0.3 µs
/// sooner than by one kernel for all).
template <bool Few, bool Vectors, class Gather, class Fold, class Input, class R>
__global__ void __launch_bounds__(own_tuning<Input, Gather>.threads, Few ? 1 : own_tuning<Input, Gather>.blocks)
    reduce_kernel(__grid_constant__ task<Few, Fold, Input, R> const t) {
    constexpr tuning own = own_tuning<Input, Gather>;
    using lane_type = std::conditional_t<Few, typename lane_of<Fold>::deciding, typename lane_of<Fold>::type>;
    constexpr bool counts = is_masked<Input>, has_decider = !Few && requires { typename lane_of<Fold>::decider; };
    using partial = counted<typename lane_type::partial, counts>;
    extern __shared__ __align__(128) std::int64_t private_memory[];
    __shared__ stored<partial> memory[own.threads / warp_lanes];
    __shared__ std::uint32_t words[warp_lanes];

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");  // launches count on it: prepared<…>::waits
#endif
    int const threads = Few ? static_cast<int>(blockDim.x) : own.threads;
    if constexpr (Few) {
        typename lane_of<Fold>::type::shortcut s;
        constexpr bool sure = always_sound<decltype(s)>;
        constexpr int rows = rows_of_warp<typename lane_of<Fold>::type, Input>;
        take_rows<own.threads, Vectors, true, (rows_alone<typename lane_of<Fold>::type, Input> > rows), rows>(t, t.items, s, [] {});
        // Where the end is short, all warps make the same of what they have together, so that none waits for another to say
        // whether that is the result (H200: 0.05 µs; mean with variance 0.15 later).
        constexpr bool each = !sure && !requires(R r) { r.tail; };
        merge_warps<own.threads, true, each>(s);
        if (sure && threadIdx.x != 0) return;
        auto const finish_shortly = [&] { return warpfold::detail::as_outcome(t.fold.finish(s.state(t.items))); };
        decltype(finish_shortly()) result{{}, status::undecided};
        if (sure || ((each || threadIdx.x == 0) && s.template sound<Fold>())) result = finish_shortly();
        bool decided = sure || (result.state != status::undecided && without_nan(result.value));
        if (!sure && !each) decided = __syncthreads_or(decided);
        if (decided) return threadIdx.x == 0 ? deliver(t.out(), result) : void();
        fetch_no_further();
    }
    Gather const& g = t.fold;
    constexpr int limbs = lane_type::spill_words;
    __shared__ int spilled_words[2 * limbs + 1];
    spill_area const area{t.work.spill(), spilled_words, spilled_words + 2 * limbs};
    index_t items = t.items;
    if (index_t const* const counted = Few ? nullptr : t.share().device_items; counted && *counted < items) items = *counted > 0 ? *counted : 0;
    partial p, nothing{lane_type::identity(g), {}};
    auto const merge = [&](partial& p, partial const& later) {
        lane_type::merge(g, p.partial, later.partial);
        if constexpr (counts) p.items += later.items;
    };
    auto const merge_lanes = [&](partial& p) {
        if constexpr (Few) merge_warp<true>(p, merge);
        else if constexpr (!counts && requires { lane_type::merge_warp(g, p.partial); }) lane_type::merge_warp(g, p.partial);
        else merge_warp(p, merge);
    };
    // What blocks have, in their first warps, becomes the result. It is there twice, so that it follows the shortcut at
    // once: code that has to be jumped to is fetched late (H200: sum and minimum of 2^16 floats 0.05 and 0.15 µs
    // sooner).
    // meets: whether blocks do, by this piece of the thread's if lanes have pieces. False, in all threads of a block,
    // if the result is undecided. nears: whether their sums are rounded by doubles, and where these do not decide, in full.
    constexpr int pieces = counts ? 0 : pieces_of<lane_type>;
    constexpr bool nears = !Few && !counts && has_shortcut<lane_type, R> && requires { requires lane_type::approximates_sums; };
    auto const end = [&](bool meets, std::uint64_t piece) __attribute__((always_inline)) -> bool {
        auto const blocks = static_cast<int>(gridDim.x), thread = static_cast<int>(threadIdx.x);
        if constexpr (Few) {
            if (thread >= warp_lanes) return true;
        } else if constexpr (!counts && requires { requires lane_type::has_contest; }) {
            if (thread >= warp_lanes || (meets && !lane_type::template meet<Fold>(t.work.words(), p.partial, blocks, items))) return true;
        } else if constexpr (pieces > 0) {
            if (thread >= warp_lanes) return true;  // all lanes of the first warp have the partial
            if (meets) {
                if (lane_type::spilled(p.partial)) __threadfence();
                std::uint64_t sums[pieces];
                if (!meeting::join(t.work.words(), piece, blocks, sums)) return true;
                p.partial = lane_type::sum_of(sums, blocks);
                if constexpr (nears) {
                    auto const result = warpfold::detail::as_outcome(t.fold.finish(lane_type::approximate_sums(p.partial, sums, blocks, items)));
                    if (!lane_type::spilled(p.partial) && without_nan(result.value)) return thread == 0 ? deliver(t.out(), result) : void(), true;
                }
            }
        } else if (meets) {
            // By the first warp, where its lanes have to read a few each (H200: argmin of 2^14 to 2^16 items 0.4 µs
            // sooner, eight folds 1 to 5, but argmin of 2^22, 264 blocks, 0.4 later).
            // All threads stay where they may have to decide.
            bool const alone = blocks <= 5 * warp_lanes, leave = alone && !has_decider;
            if (leave && thread >= warp_lanes) return true;
            auto* const partials = t.work.template partials<partial>();
            if (thread == 0) partials[blockIdx.x].set(p);
            bool const last = thread == 0 && take_ticket(t.work.ticket()) == gridDim.x - 1;
            if (leave ? !__any_sync(all_lanes, last) : !__syncthreads_or(last)) return true;
            __syncwarp();  // what the thread with the ticket acquired, its warp has
            // Every thread merges neighbours, so that the order of items is kept.
            int const readers = alone ? warp_lanes : threads, share = (blocks + readers - 1) / readers, begin = thread * share;
            p = nothing;
            for (int i = begin; i < begin + share && i < blocks; ++i) merge(p, partials[i].template get<true>());
            merge_block(p, nothing, memory, merge_lanes, readers);
            if (thread == 0) atomicExch(t.work.ticket(), 0U);
        }
        // What was spilled is read by the first warp, of which only the first thread has the partial.
        bool spilled = false;
        if constexpr (lane_approximates<lane_type>)
            spilled = thread < warp_lanes && __any_sync(all_lanes, thread == 0 && lane_type::spilled(p.partial));
        index_t const all = counts ? static_cast<index_t>(p.items) : items;
        auto const finish = [&] { return warpfold::detail::as_outcome(t.fold.finish(lane_type::brief(g, p.partial, all, area))); };
        if constexpr (has_decider) return lane_of<Fold>::decider::deliver_if_decided(t.out(), finish);
        if (thread != 0 && !spilled) return true;
        if (!nears && !spilled && lane_type::fits(p.partial)) return deliver(t.out(), finish()), true;
        // In line: what a function out of line is given by reference, it loads from memory (mean with variance of 2^20
        // items 18.6 µs, without that and digit by digit division 10.3; H200).
        if constexpr (lane_approximates<lane_type>) {
            typename lane_type::near_state s{};
            if (spilled) {  // also by other blocks, whose words some of the warp's threads have seen
                __threadfence();
                __syncwarp();
            }
            bool found = lane_type::approximate(g, p.partial, all, area, spilled, s) && thread == 0;
            if (spilled) __syncwarp();  // what was read is zeroed
            if (found) {
                auto const result = warpfold::detail::as_outcome(t.fold.finish(s));
                found = without_nan<requires { requires Fold::rounds_last; }>(result.value);
                if (found) deliver(t.out(), result);
            }
            if (spilled && __any_sync(all_lanes, found)) return area.template zero<limbs, warp_lanes>(), true;
            if (found || thread != 0) return true;
        }
        finish_full<lane_type>(t, g, p.partial, all, area);
        return true;
    };
    auto const reduce = [&]() __attribute__((always_inline)) -> bool {  // as `end`
        if constexpr (!Few && has_joint_shortcut<lane_type, Input> && has_shortcut<lane_type, R> && !counts) {
            using joint = typename lane_type::joint_shortcut;
            if (t.share().rows <= joint::most_rows) {
                joint s;
                constexpr bool many = joint::most_rows > few_rows, by_words = requires { s.piece(words); };
                // Where whole rows have code of their own (shortcut.hpp), what is left needs one copy, which the
                // second call then names too.
                if (many && (by_words || t.share().rows > few_rows) ? take_share<own.threads, Vectors, many>(t, items, s, words)
                                                            : take_share<own.threads, Vectors, many && by_words>(t, items, s, words)) {
                    if constexpr (by_words) return end(true, s.piece(words));
                    else {
                        bool sound = threadIdx.x < warp_lanes;
                        if constexpr (!joint::certain) sound = sound && s.template sound<Fold>();
                        if (sound) p.partial = s.template partial<typename lane_type::partial>();
                        if (joint::certain || __syncthreads_or(sound)) return end(gridDim.x > 1, 0);
                    }
                }
                fetch_no_further();
            }
        }
        // A branch whose target is in a register: nothing behind it is fetched before it is needed (H200, what lanes without
        // a joint shortcut read of 2^14 to 2^22 items 0.15 to 0.3 µs sooner).
        if constexpr (!Few && !has_joint_shortcut<lane_type, Input>) fetch_no_further();
        // How its warps merge where folds bring that (lanes/block_words.hpp).
        constexpr bool merges_by_words = !Few && pieces > 0 && requires { add_words<1>(p.partial, words); };
        lane_type l{g, {private_memory + threadIdx.x, own.threads}};
        if constexpr (Few) {
            area.template clear<limbs>(threads);
#pragma unroll 1  // item by item: tiles and their reader take as long to compile as all else that few items need
            for (index_t i = threadIdx.x; i < items; i += threads) {
                typename Input::value_type x[1][1];
                load<false>(t.input, i, x[0]);
                l.take(x, i, threads, area);
            }
        } else {
            reader<own, Vectors, !is_commutative<Gather>, lane_type, task<Few, Fold, Input, R>> r{l, t, items, area};
            if (threadIdx.x == 0 && gridDim.x > 1) t.work.prefetch();
            if (merges_by_words && threadIdx.x < warp_lanes) words[threadIdx.x] = 0;
            area.template clear<limbs>(threads);
            r.read(reinterpret_cast<uint4*>(private_memory + lane_type::private_words * own.threads));
            if constexpr (counts) p.items = r.taken();
        }
        p.partial = l.settle(t.input, area);
        bool added = false;
        if constexpr (merges_by_words) added = !__syncthreads_or(!add_words<own.threads / warp_lanes>(p.partial, words));
        if (!added) merge_block(p, nothing, memory, merge_lanes, threads);
        if (limbs > 0 && threadIdx.x < warp_lanes) area.template flush<limbs>();
        std::uint64_t piece = 0;
        if constexpr (pieces > 0)
            if (threadIdx.x < warp_lanes && !added) piece = lane_type::piece(p.partial, static_cast<int>(threadIdx.x));
        if constexpr (merges_by_words)
            if (threadIdx.x < warp_lanes && added) piece = piece_of_words(p.partial, words);
        return end(!Few && (added || gridDim.x > 1), piece);
    };
    if constexpr (!has_decider) reduce();
    else if (!reduce()) lane_of<Fold>::decider::template decide<own, Vectors, Gather>(t, items, private_memory);
}

}  // namespace warpfold::device
