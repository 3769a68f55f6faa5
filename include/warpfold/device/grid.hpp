// The grid: one kernel reads every item once and ends with the result. Each block leaves a partial in the workspace and
// takes a ticket; the block with the last ticket merges the partials and finishes the fold.
#pragma once

#include "block.hpp"
#include "load.hpp"
#include "tuning.hpp"

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
    __device__ spill_area spill() const { return {reinterpret_cast<std::int64_t*>(base + 256)}; }
    template <class Partial>
    __device__ Partial* partials() const {
        return reinterpret_cast<Partial*>(base + 256 + spill_bytes);
    }
    template <class Partial>
    static constexpr std::size_t most_partials = (bytes - 256 - spill_bytes) / sizeof(Partial);
};

/// What a kernel is given.
template <class Fold, class Input, class R>
struct task {
    Fold fold;
    Input input;
    alignment align;
    index_t items;               ///< at most
    index_t const* device_items; ///< where the device knows how many there are; null: `items`
    double inverse_blocks;       ///< 1 / the number of blocks
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

/// One thread takes its share of the items: tiles of the whole grid in turn; or, where order matters, one stretch.
template <class Tuning, bool Vectors, bool Ordered, class Lane, class Input>
class reader {
    using item = typename Input::value_type;
    static constexpr int V = vector_items<Input>, U = Tuning::loads;
    static constexpr bool counts = is_masked<Input>;

  public:
    __device__ reader(Lane& lane, Input const& in, spill_area area, double inverse_blocks)
        : lane_{lane}, in_{in}, area_{area}, inverse_blocks_{inverse_blocks} {}

    __device__ __forceinline__ void read(index_t items, alignment align) {
        auto const thread = static_cast<index_t>(threadIdx.x), block = static_cast<index_t>(blockIdx.x);
        index_t const all = static_cast<index_t>(gridDim.x) * Tuning::threads, self = block * Tuning::threads + thread;
        if constexpr (Ordered) {
            // Stretches of whole vectors, so that all but the first begin aligned.
            index_t const vectors = (items - align.head + V - 1) / V, share = (vectors + all - 1) / all;
            index_t begin = align.head + self * share * V, end = begin + share * V;
            if (end > items) end = items;
            if (self == 0)
                for (index_t i = 0; i < align.head && i < items; ++i) take_one(i);
            if constexpr (!counts)
                for (; begin + V <= end; begin += V) take_tile<1>(begin);
            for (; begin < end; ++begin) take_one(begin);
        } else {
            // Tiles of whole vectors: the first may begin before the items, the last may end behind them.
            constexpr index_t tile = index_t{Tuning::threads} * V * U;
            index_t const begin = align.head == 0 ? 0 : align.head - V;
            read_tiles(begin + thread * V, (items - begin + tile - 1) / tile, items);
        }
    }
    __device__ __forceinline__ index_t taken() const { return taken_; }

  private:
    static constexpr bool pads = requires { Lane::padding(); };
    static constexpr index_t stride = index_t{Tuning::threads} * V;

    /// `first`: where this thread begins in tile 0. Blocks take neighbouring tiles: that reads faster than tiles in turn
    /// (H200, 4 GiB, 2026-11-21: 4.51 against 4.45 TB/s at 256 threads × 2 vectors, as fast at 512 × 4).
    __device__ __forceinline__ void read_tiles(index_t first, index_t tiles, index_t items) {
        constexpr index_t tile = stride * U;
        auto const block = static_cast<index_t>(blockIdx.x);
        // By a reciprocal and a correction: a 64-bit division is a call, and fetching its code takes half a microsecond.
        auto share = static_cast<index_t>(static_cast<double>(tiles) * inverse_blocks_);
        index_t extra = tiles - share * static_cast<index_t>(gridDim.x);
        if (extra < 0) {
            --share;
            extra += static_cast<index_t>(gridDim.x);
        } else if (extra >= static_cast<index_t>(gridDim.x)) {
            ++share;
            extra -= static_cast<index_t>(gridDim.x);
        }
        index_t t = block * share + (block < extra ? block : extra);
        index_t const end = t + share + (block < extra ? 1 : 0);
        if constexpr (Tuning::prefetch) {
            if (t >= end) return;
            item x[U][V];
            bool whole = fetch_tile(x, first + t * tile, items);
            while (true) {
                item y[U][V];
                bool const more = t + 1 < end;
                bool const next_whole = more && fetch_tile(y, first + (t + 1) * tile, items);
                take_fetched(x, whole, first + t * tile, items);
                if (!more) return;
                std::memcpy(x, y, sizeof(x));
                whole = next_whole;
                ++t;
            }
        } else {
#pragma unroll 1
            for (; t < end; ++t) {
                item x[U][V];
                bool const whole = fetch_tile(x, first + t * tile, items);
                take_fetched(x, whole, first + t * tile, items);
            }
        }
    }
    __device__ __forceinline__ void take_fetched(item const (&x)[U][V], bool whole, index_t at, index_t items) {
        if (whole || (pads && !counts)) lane_.take(x, at, stride, area_);
        else take_some(at, items);
    }
    /// Loads what one thread has in a tile. Where a part of it is outside of the items: pads it, or returns false.
    __device__ __forceinline__ bool fetch_tile(item (&x)[U][V], index_t at, index_t items) {
        if (!counts && at >= 0 && at + (U - 1) * stride + V <= items) {
            fetch(x, at, stride);
            return true;
        }
        if constexpr (pads && !counts) {
#pragma unroll
            for (int u = 0; u < U; ++u) {
#pragma unroll
                for (int v = 0; v < V; ++v) {
                    index_t const i = at + u * stride + v;
                    item one[1] = {Lane::padding()};
                    if (i >= 0 && i < items) load<false>(in_, i, one);
                    x[u][v] = one[0];
                }
            }
        }
        return false;
    }
    /// Takes the items of a tile that exist, one by one.
    __device__ __forceinline__ void take_some(index_t at, index_t items) {
#pragma unroll 1
        for (int u = 0; u < U; ++u) {
#pragma unroll 1
            for (int v = 0; v < V; ++v) {
                index_t const i = at + u * stride + v;
                if (i >= 0 && i < items) take_one(i);
            }
        }
    }
    template <int N>
    __device__ __forceinline__ void fetch(item (&x)[N][V], index_t first, index_t stride) {
#pragma unroll
        for (int u = 0; u < N; ++u) load<Vectors>(in_, first + u * stride, x[u]);
    }
    template <int N>
    __device__ __forceinline__ void take_tile(index_t first) {
        item x[N][V];
        fetch(x, first, V);
        lane_.take(x, first, V, area_);
    }
    __device__ __forceinline__ void take_one(index_t i) {
        item x[1];
        load<false>(in_, i, x);
        if constexpr (counts) {
            typename std::remove_cvref_t<decltype(in_.mask)>::value_type mask[1];
            load<false>(in_.mask, i, mask);
            if (!mask[0]) return;
        }
        take_item(x[0], i);
    }
    __device__ __forceinline__ void take_item(item const& x, index_t i) {
        item const one[1][1] = {{x}};
        lane_.take(one, i, 1, area_);
        ++taken_;
    }

    Lane& lane_;
    Input const& in_;
    spill_area area_;
    double inverse_blocks_;
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
    deliver(out, warpfold::detail::as_outcome(fold.finish(Lane::full(gather, p, items, area))));
    for (int i = 0; i < Lane::spill_words; ++i) area.words[i] = 0;
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
    __shared__ bool last;

    gather const& g = t.fold;
    spill_area const area = t.work.spill();
    index_t const items = t.device_items && *t.device_items < t.items ? *t.device_items : t.items;
    auto const merge = [&](partial& p, partial const& later) {
        lane_type::merge(g, p.value.partial, later.value.partial);
        if constexpr (counts) p.value.items += later.value.items;
    };

    lane_type l{g, {private_memory + threadIdx.x, Tuning::threads}};
    reader<Tuning, Vectors, ordered, lane_type, Input> r{l, t.input, area, t.inverse_blocks};
    r.read(items, t.align);
    partial p;
    p.value.partial = l.settle(t.input, area);
    if constexpr (counts) p.value.items = r.taken();
    merge_block<Tuning::threads>(p, memory, merge);

    if (gridDim.x > 1) {
        auto* const partials = t.work.template partials<partial>();
        if (threadIdx.x == 0) {
            partials[blockIdx.x] = p;
            __threadfence();
            last = atomicAdd(t.work.ticket(), 1U) == gridDim.x - 1;
            __threadfence();
        }
        __syncthreads();
        if (!last) return;
        // Every thread merges neighbours, so that the order of items is kept.
        int const blocks = static_cast<int>(gridDim.x), share = (blocks + Tuning::threads - 1) / Tuning::threads;
        int const begin = static_cast<int>(threadIdx.x) * share;
        p.value.partial = lane_type::identity(g);
        if constexpr (counts) p.value.items = 0;
        for (int i = begin; i < begin + share && i < blocks; ++i) merge(p, load_fresh(partials + i));
        merge_block<Tuning::threads>(p, memory, merge);
        // Volatile: nothing but the order of tickets puts other blocks' atomics before this.
        if (threadIdx.x == 0) *static_cast<unsigned volatile*>(t.work.ticket()) = 0;
    } else {
        // What other threads spilled.
        if (lane_type::spill_words > 0) __syncthreads();
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
