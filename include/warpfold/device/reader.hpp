// Readers: which tiles of an input one thread takes.
#pragma once

#include "shortcut.hpp"
#include "tiles.hpp"

namespace warpfold::device {

/// Rows, of a vector for each thread of a block, lie one behind the other; the first may begin before the items, the last may end behind
/// them. A tile is `loads` rows. Where a block's share is a tile, or rows that joint shortcuts may take, it has these; where it is more, blocks
/// take tiles in turn; where it is still more, chunks of tiles: the first that of a block's number, then the next that no block has, so that all
/// read one stretch of memory at a time, however fast each is. Where order matters, each thread has one stretch.
template <tuning Tuning, bool Vectors, bool Ordered, class Lane, class Task>
class reader {
    using input = decltype(Task::input);
    using item = typename input::value_type;
    static constexpr int V = vector_items<input>, U = Tuning.loads, chunks = -1;
    static constexpr bool counts = is_masked<input>, pads = requires { Lane::padding(); } && !counts;
    static constexpr index_t stride = Ordered ? V : index_t{Tuning.threads} * V, tile = stride * U, chunk = tile * Tuning.chunk, nowhere = -stride;
    static constexpr int neighbours = [] {
        if constexpr (has_joint_shortcut<Lane, input>) return Lane::joint_shortcut::most_rows;
        else return U;
    }();

  public:
    /// Asks for what the thread reads first, so that it comes while the block makes ready (H200, sums of 2^16 to 2^22 items:
    /// 0.1 to 0.3 µs sooner. To begin the ring itself so early made the ending of several folds 2 to 5 µs later).
    __device__ __forceinline__ reader(Lane& lane, Task const& t, index_t items, spill_area area) : lane_{lane}, t_{t}, area_{area}, items_{items} {
        index_t const thread = static_cast<index_t>(threadIdx.x), block = static_cast<index_t>(blockIdx.x), blocks = static_cast<index_t>(gridDim.x);
        if constexpr (Ordered) {
            // Stretches of whole vectors, so that all but the first begin aligned.
            index_t const threads = blocks * Tuning.threads, stretch = (items - t.head + threads * V - 1) / (threads * V) * V;
            at_ = t.head + (block * Tuning.threads + thread) * stretch;
            end_ = at_ + stretch;
            if (end_ < items) items_ = end_;
        } else {
            index_t const rows = t.rows <= neighbours ? t.rows : t.rows < Tuning.rows_in_turn ? U : Tuning.chunk * U;
            end_ = items + thread * V;
            at_ = block * rows * stride + own();
            left_ = tiles_ = static_cast<int>((rows + U - 1) / U);
            jump_ = rows == t.rows ? 0x7fffffff : rows == U ? static_cast<int>(blocks) - 1 : chunks;
            ask();
            if (at_ >= 0 && at_ < items) access<input>::prefetch(t.input, at_);
        }
    }

    /// memory: for a ring of tiles.
    __device__ __forceinline__ void read(uint4* memory) {
        tile_queue<Tuning, stride, Vectors, input> coming{t_.input, memory};
        constexpr int ring = decltype(coming)::ring;
        // Whole is a tile that all lanes of a warp have, so that they take it together. Only the first of all tiles begins before the items.
        index_t const lane = Ordered ? 0 : static_cast<index_t>(threadIdx.x % warp_lanes) * V, lanes = Ordered ? V : warp_lanes * V;
        index_t const beyond = counts || (t_.rows < U && !Ordered) ? -tile : items_ + lane - lanes - (U - 1) * stride + 1;
        index_t next[ring + 1];  // where this thread is in the tiles that are under way, and in the one behind them
        for (index_t& at : next) at = nowhere;  // at first; so that what asks for tiles is there once
        unsigned whole = 0;                     // a bit for each
        if (Ordered && blockIdx.x == 0 && threadIdx.x == 0) take_some(0, t_.head);
#pragma unroll 1
        while (next[0] < end_) {
            index_t const at = next[0];
            __syncwarp();  // lanes that took something in another way do not meet again by themselves
            if (whole & 1) [[likely]] {  // whose code is then in one piece
                item x[U][V];
                coming.next(at, x);
                coming.ask(whole >> ring, next[ring]);
                lane_.take(x, at, stride, area_);
            } else {
                coming.ask(whole >> ring, next[ring]);
                if (at > nowhere) take_ragged(at);
            }
            for (int i = 0; i < ring; ++i) next[i] = next[i + 1];
            next[ring] = pass();
            whole = whole >> 1 | unsigned{next[ring] >= lane && next[ring] < beyond} << ring;
        }
    }
    __device__ __forceinline__ index_t taken() const { return taken_; }

  private:
    /// Where the thread is in the first row of all.
    __device__ __forceinline__ index_t own() const { return index_t{threadIdx.x} * V - (t_.head == 0 ? 0 : V - t_.head); }
    /// Where the thread is in its next tile, which it passes. All threads of a block call it together.
    __device__ __forceinline__ index_t pass() {
        index_t const at = at_;
        at_ += tile;
        if (!Ordered && --left_ == 0) {
            left_ = tiles_;
            at_ += jump_ * tile;
            if (jump_ == chunks) {
                __shared__ unsigned told[2];  // the second one while some threads have yet to read the first
                if (threadIdx.x == 0) told[turn_] = asked_;
                __syncthreads();
                at_ = (index_t{told[turn_]} + gridDim.x) * chunk + own();
                turn_ ^= 1;
                ask();
            }
        }
        return at;
    }
    /// Asks for a chunk. Blocks do until they are refused once, which counts to all the chunks there are, and then is zero again.
    __device__ __forceinline__ void ask() {
        if (jump_ == chunks && at_ < end_ && threadIdx.x == 0) asked_ = atomicInc(t_.work.next_chunk(), static_cast<unsigned>((end_ - own() - 1) / chunk));
    }
    /// A tile, parts of which may lie outside of the items.
    __device__ __forceinline__ void take_ragged(index_t at) {
        int const rows = Ordered || t_.rows > U ? U : static_cast<int>(t_.rows);
        auto const inside = [&](index_t p) { return !counts && p >= 0 && p + V <= items_; };
        // Rows that hold no items are zeroed, and moved item by item: moved as bytes, unset, nvcc 13.0 mixes up the rows of
        // 16-bit floats (seen on an H200, three rows).
        item x[U][V]{};
#pragma unroll
        for (int u = 0; u < U && u < rows; ++u) {
            index_t const p = at + u * stride;
            if (inside(p)) load<Vectors>(t_.input, p, x[u]);
            else if constexpr (pads)
                for (int v = 0; v < V; ++v) {
                    item one[1] = {Lane::padding()};
                    if (p + v >= 0 && p + v < items_) load<false>(t_.input, p + v, one);
                    x[u][v] = one[0];
                }
        }
        // Rolled, the next row moved to the front: a lane is much code, and one more copy of it enough.
#pragma unroll 1
        for (int u = 0; u < rows; ++u, at += stride) {
            if (pads || inside(at)) lane_.take(reinterpret_cast<item const(&)[1][V]>(x[0]), at, stride, area_);
            else take_some(at, at + V);
#pragma unroll
            for (int r = 0; r + 1 < U; ++r)
                for (int v = 0; v < V; ++v) x[r][v] = x[r + 1][v];
        }
    }
    /// Items [begin, end), as far as there are any.
    __device__ __forceinline__ void take_some(index_t begin, index_t end) {
#pragma unroll 1
        for (index_t i = begin < 0 ? 0 : begin; i < end && i < items_; ++i) {
            if constexpr (counts) {
                typename std::remove_cvref_t<decltype(t_.input.mask)>::value_type mask[1];
                load<false>(t_.input.mask, i, mask);
                if (!mask[0]) continue;
                ++taken_;
            }
            item x[1][1];
            load<false>(t_.input, i, x[0]);
            lane_.take(x, i, stride, area_);
        }
    }

    Lane& lane_;
    Task const& t_;
    spill_area area_;
    index_t items_, taken_ = 0;
    index_t at_, end_;                         // where the thread is in its next tile; where tiles, or those of its stretch, end
    int left_ = 0, tiles_ = 0, jump_ = 0;      // tiles of those that follow each other, and as many at first; how far others are, or `chunks`
    unsigned asked_ = 0, turn_ = 0;            // what the first thread was told; where it tells
};

}  // namespace warpfold::device
