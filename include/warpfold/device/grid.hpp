// The grid: one kernel reads every item once and ends with the result. Each block leaves a partial in the workspace and
// takes a ticket; the block with the last ticket merges the partials and finishes the fold.
#pragma once

#include "load.hpp"
#include "tuning.hpp"
#include "warp.hpp"

namespace warpfold::device {

/// Where a result goes. Pointers may be null, but not all.
template <class R>
struct sink {
    R* value = nullptr;
    status* state = nullptr;
    outcome<R>* both = nullptr;
    unsigned* flag = nullptr;  ///< set to `signal` once the result is visible to the host
    unsigned signal = 0;
};

/// Global memory that a kernel works in; zero before and after, but for the partials.
struct workspace {
    static constexpr std::size_t bytes = std::size_t{1} << 20;
    static constexpr std::size_t spill_bytes = std::size_t{1} << 14;
    unsigned char* base = nullptr;

    __device__ unsigned* ticket() const { return reinterpret_cast<unsigned*>(base); }
    __device__ std::int64_t* spill() const { return reinterpret_cast<std::int64_t*>(base + 256); }
    template <class Partial>
    __device__ Partial* partials() const {
        return reinterpret_cast<Partial*>(base + 256 + spill_bytes);
    }
    template <class Partial>
    static constexpr std::size_t most_partials = (bytes - 256 - spill_bytes) / sizeof(Partial);
};

/// How many rows items fill. A row is a vector for each thread of a block; the first may begin before the items, the last
/// may end behind them.
__host__ __device__ inline index_t rows_of(index_t items, index_t head, int threads, int vector) {
    index_t const row = index_t{threads} * vector, before = head == 0 ? 0 : vector - head;
    return (items + before + row - 1) / row;
}

/// What a kernel is given.
template <class Fold, class Input, class R>
struct task {
    Fold fold;
    Input input;
    alignment align;
    index_t items;               ///< at most
    index_t const* device_items; ///< where the device knows how many there are; null: `items`
    index_t rows;                ///< that each block takes of `items`
    workspace work;
    sink<R> out;
};

/// The partial of a lane, and how many items it took where not all are taken.
template <class Partial, bool Counted>
struct counted {
    Partial partial;
    index_t items;
};
template <class Partial>
struct counted<Partial, false> {
    Partial partial;
};

/// The words of a value, read past this multiprocessor's cache.
template <class T>
__device__ __forceinline__ T load_fresh(T const* from) {
    static_assert(sizeof(T) % 4 == 0 && alignof(T) >= 4);
    std::uint32_t word[sizeof(T) / 4];
#pragma unroll
    for (std::size_t i = 0; i < sizeof(T) / 4; ++i) word[i] = __ldcg(reinterpret_cast<std::uint32_t const*>(from) + i);
    T value;
    std::memcpy(&value, word, sizeof(T));
    return value;
}

/// What lies at `from`, in words that __ldcg and shuffles like: a state smaller than a word is padded to one.
template <class T>
struct alignas(alignof(T) < 4 ? 4 : alignof(T)) padded {
    T value;
};

template <class Fold, class Input>
using partial_of = padded<counted<typename lane<typename gather_of<Fold>::type>::partial, is_masked<Input>>>;

/// One thread takes its share of the items: its place in the rows of its block; or, where order matters, one stretch.
template <class Tuning, bool Vectors, bool Ordered, class Lane, class Input>
class reader {
    using item = typename Input::value_type;
    static constexpr int V = vector_items<Input>, U = Tuning::loads;
    static constexpr bool counts = is_masked<Input>;

  public:
    __device__ reader(Lane& lane, Input const& in, spill_area area, index_t items)
        : lane_{lane}, in_{in}, area_{area}, items_{items} {}

    __device__ __forceinline__ void read(index_t head, index_t rows) {
        auto const thread = static_cast<index_t>(threadIdx.x), block = static_cast<index_t>(blockIdx.x);
        if constexpr (Ordered) {
            index_t const all = static_cast<index_t>(gridDim.x) * Tuning::threads, self = block * Tuning::threads + thread;
            // Stretches of whole vectors, so that all but the first begin aligned.
            index_t const vectors = (items_ - head + V - 1) / V, stretch = (vectors + all - 1) / all;
            index_t begin = head + self * stretch * V, end = begin + stretch * V;
            if (end > items_) end = items_;
            if (self == 0) take_some(0, head < items_ ? head : items_);
            if constexpr (!counts)
                for (; begin + V <= end; begin += V) take_vector(begin, V);
            take_some(begin, end);
        } else {
            // Neighbouring rows for a block: that reads faster than rows in turn (H200, 4 GiB, 2026-11-21: 4.51 against
            // 4.45 TB/s at 256 threads × 2 vectors, as fast at 512 × 4).
            index_t const before = head == 0 ? 0 : V - head, begin = block * rows * stride;
            index_t const left = (items_ + before - begin + stride - 1) / stride;
            read_rows(begin + thread * V - before, rows < left ? rows : left);
        }
    }
    __device__ __forceinline__ index_t taken() const { return taken_; }

  private:
    static constexpr bool pads = requires { Lane::padding(); } && !counts;
    static constexpr index_t stride = index_t{Tuning::threads} * V;

    /// `at`: the position of this thread in the first of `rows` rows.
    __device__ __forceinline__ void read_rows(index_t at, index_t rows) {
        if (at < 0 && rows > 0) {  // only the first row of all begins before the items
            take_ragged(at, 1);
            --rows;
            at += stride;
        }
        index_t const last = items_ - V;  // where the last whole vector begins
        index_t const whole = counts || at > last ? 0 : (last - at) / stride + 1;
        int tiles = static_cast<int>((whole < rows ? whole : rows) / U);
        rows -= index_t{tiles} * U;
        if (tiles > 0) {
            item x[U][V];
            fetch(x, at);
#pragma unroll 1
            while (true) {
                bool const more = --tiles > 0;
                item next[U][V];
                if (Tuning::prefetch && more) fetch(next, at + U * stride);
                lane_.take(x, at, stride, area_);
                at += U * stride;
                if (!more) break;
                if constexpr (Tuning::prefetch) std::memcpy(x, next, sizeof(x));
                else fetch(x, at);
            }
        }
        for (; rows > 0; rows -= U, at += U * stride) take_ragged(at, rows);
    }
    __device__ __forceinline__ void fetch(item (&x)[U][V], index_t at) const {
#pragma unroll
        for (int u = 0; u < U; ++u) load<Vectors>(in_, at + u * stride, x[u]);
    }
    /// At most U rows, parts of which may lie outside of the items.
    __device__ __forceinline__ void take_ragged(index_t at, index_t rows) {
        // Rows that hold no items are zeroed, and moved item by item: moved as bytes, unset, nvcc 13.0 mixes up the rows of
        // 16-bit floats (seen on an H200, three rows).
        item x[U][V]{};
#pragma unroll
        for (int u = 0; u < U; ++u) {
            index_t const p = at + u * stride;
            if (u >= rows) break;
            if (inside(p)) {
                load<Vectors>(in_, p, x[u]);
            } else if constexpr (pads) {
#pragma unroll
                for (int v = 0; v < V; ++v) {
                    item one[1] = {Lane::padding()};
                    if (p + v >= 0 && p + v < items_) load<false>(in_, p + v, one);
                    x[u][v] = one[0];
                }
            }
        }
        // Rolled, the next row moved to the front: a lane is much code, and one more copy of it enough.
#pragma unroll 1
        for (int u = 0; u < U && u < rows; ++u, at += stride) {
            if (pads || inside(at)) lane_.take(reinterpret_cast<item const(&)[1][V]>(x[0]), at, stride, area_);
            else take_some(at > 0 ? at : 0, at + V < items_ ? at + V : items_);
#pragma unroll
            for (int r = 0; r + 1 < U; ++r)
#pragma unroll
                for (int v = 0; v < V; ++v) x[r][v] = x[r + 1][v];
        }
    }
    __device__ __forceinline__ bool inside(index_t at) const { return !counts && at >= 0 && at + V <= items_; }
    __device__ __forceinline__ void take_vector(index_t first, index_t stride) {
        item x[1][V];
        load<Vectors>(in_, first, x[0]);
        lane_.take(x, first, stride, area_);
    }
    __device__ __forceinline__ void take_some(index_t begin, index_t end) {
#pragma unroll 1
        for (index_t i = begin; i < end; ++i) {
            if constexpr (counts) {
                typename std::remove_cvref_t<decltype(in_.mask)>::value_type mask[1];
                load<false>(in_.mask, i, mask);
                if (!mask[0]) continue;
            }
            item x[1][1];
            load<false>(in_, i, x[0]);
            lane_.take(x, i, 1, area_);
            ++taken_;
        }
    }

    Lane& lane_;
    Input const& in_;
    spill_area area_;
    index_t items_;
    index_t taken_ = 0;
};

template <class R>
__device__ void deliver(sink<R> const& out, outcome<R> const& result) {
    if (out.value) *out.value = result.value;
    if (out.state) *out.state = result.state;
    if (out.both) *out.both = result;
    if (out.flag) {
        __threadfence_system();
        *static_cast<unsigned volatile*>(out.flag) = out.signal;
    }
}

/// The end where something was spilled: long, and out of line so that it costs the rest nothing.
template <class Lane, class Fold, class Gather, class R>
__device__ __noinline__ void finish_full(Fold const& fold, Gather const& gather, typename Lane::partial p, index_t items,
                                         spill_area area, sink<R> const& out) {
    __threadfence();  // what other threads of this block spilled
    deliver(out, warpfold::detail::as_outcome(fold.finish(Lane::full(gather, p, items, area))));
    for (int i = 0; i < Lane::spill_words; ++i) area.limbs[i] = 0;
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

template <class Tuning, bool Vectors, class Fold, class Input, class R>
__global__ void __launch_bounds__(Tuning::threads, Tuning::blocks) reduce_kernel(__grid_constant__ task<Fold, Input, R> const t) {
    using gather = typename gather_of<Fold>::type;
    using lane_type = lane<gather>;
    constexpr bool ordered = !is_commutative<gather>;
    constexpr bool counts = is_masked<Input>;
    using partial = partial_of<Fold, Input>;
    extern __shared__ std::int64_t private_memory[];
    __shared__ block_memory<partial, Tuning::threads> memory;

    gather const& g = t.fold;
    constexpr int limbs = lane_type::spill_words;
    __shared__ int spilled_words[2 * limbs + 1];
    spill_area const area{t.work.spill(), spilled_words, spilled_words + 2 * limbs};
    if constexpr (limbs > 0) {
        area.template clear<limbs, Tuning::threads>();
        __syncthreads();
    }
    index_t items = t.items;
    if (t.device_items && *t.device_items < items) items = *t.device_items;
    lane_type l{g, {private_memory + threadIdx.x, Tuning::threads}};
    reader<Tuning, Vectors, ordered, lane_type, Input> r{l, t.input, area, items};
    r.read(t.align.head, t.rows);

    auto const merge = [&](partial& p, partial const& later) {
        lane_type::merge(g, p.value.partial, later.value.partial);
        if constexpr (counts) p.value.items += later.value.items;
    };
    auto const merge_lanes = [&](partial& p) {
        if constexpr (!counts && requires { lane_type::merge_warp(p.value.partial); }) lane_type::merge_warp(p.value.partial);
        else merge_warp(p, merge);
    };
    partial nothing;
    nothing.value.partial = lane_type::identity(g);
    if constexpr (counts) nothing.value.items = 0;
    partial p;
    p.value.partial = l.settle(t.input, area);
    if constexpr (counts) p.value.items = r.taken();
    merge_block<Tuning::threads>(p, nothing, memory, merge_lanes);
    if (threadIdx.x >= warp_lanes) return;
    if constexpr (limbs > 0) area.template flush<limbs>();

    if (gridDim.x > 1) {
        auto* const partials = t.work.template partials<partial>();
        unsigned last = 0;
        if (threadIdx.x == 0) {
            partials[blockIdx.x] = p;
            last = take_ticket(t.work.ticket()) == gridDim.x - 1;
        }
        if (!__shfl_sync(all_lanes, last, 0)) return;
        __syncwarp();
        // Every lane merges neighbours, so that the order of items is kept.
        int const blocks = static_cast<int>(gridDim.x), share_of_lane = (blocks + warp_lanes - 1) / warp_lanes;
        int const begin = static_cast<int>(threadIdx.x) * share_of_lane;
        int const end = begin + share_of_lane < blocks ? begin + share_of_lane : blocks;
        p = nothing;
#pragma unroll 4
        for (int i = begin; i < end; ++i) merge(p, load_fresh(partials + i));
        merge_lanes(p);
        if (threadIdx.x == 0) atomicExch(t.work.ticket(), 0U);
    }
    if (threadIdx.x == 0) {
        index_t counted_items = items;
        if constexpr (counts) counted_items = p.value.items;
        if (lane_type::fits(p.value.partial))
            deliver(t.out, warpfold::detail::as_outcome(t.fold.finish(lane_type::brief(g, p.value.partial, counted_items, area))));
        else finish_full<lane_type>(t.fold, g, p.value.partial, counted_items, area, t.out);
    }
}

}  // namespace warpfold::device
