// Readers: which tiles of an input one thread takes.
#pragma once

#include "shortcut.hpp"
#include "tiles.hpp"

namespace warpfold::device {

/// Rows, of a vector for each thread of a block, lie one behind the other; the first may begin before the items, the last may end behind them. A
/// tile is `loads` rows. A block whose share is a tile, or rows that joint shortcuts may take, has these; of more rows, blocks take tiles in
/// turn; of still more, chunks of tiles: the first that of a block's number, then the next that no block has, so that all blocks read
/// one stretch of memory at a time, however fast each is. Where order matters, each thread has one stretch.
template <tuning Tuning, bool Vectors, bool Ordered, class Lane, class Task>
class reader {
    using input = decltype(Task::input);
    using item = typename input::value_type;
    static constexpr int V = vector_items<input>, U = Tuning.loads;
    static constexpr bool counts = is_masked<input>, pads = requires { Lane::padding(); } && !counts;
    static constexpr index_t stride = Ordered ? V : index_t{Tuning.threads} * V, tile = stride * U, chunk = tile * Tuning.chunk, chunks = -1;
    using queue = tile_queue<Tuning, stride, Vectors, input>;
    static constexpr int ring = queue::ring;
    static constexpr int neighbours = [] {
        if constexpr (has_joint_shortcut<Lane, input>) return Lane::joint_shortcut::most_rows > U ? Lane::joint_shortcut::most_rows : U;
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
            own_ = thread * V - (t.head == 0 ? 0 : V - t.head);
            end_ = items + thread * V;
            at_ = block * rows * stride + own_;
            left_ = tiles_ = static_cast<int>((rows + U - 1) / U);
            jump_ = rows == t.rows ? end_ : rows == U ? (blocks - 1) * tile : chunks;
            ask();
            if (at_ >= 0 && at_ < items) access<input>::prefetch(t.input, at_);
        }
    }

    /// memory: for a ring of tiles.
    __device__ __forceinline__ void read([[maybe_unused]] uint4* memory) {
        queue coming{t_.input, memory};
        // Whole is a tile that all lanes of a warp have, so that they take it together. Only the first of all tiles begins before the items.
        index_t const lane = Ordered ? 0 : static_cast<index_t>(threadIdx.x % warp_lanes) * V, lanes = Ordered ? V : warp_lanes * V;
        index_t const beyond = counts || (t_.rows < U && !Ordered) ? -tile : items_ + lane - lanes - (U - 1) * stride + 1;
        index_t next[ring + 1];  // where this thread is in the tiles that are under way, and in the one behind them
        unsigned whole = 0;      // a bit for each
        for (int i = 0; i <= ring; ++i) {
            next[i] = pass();
            whole |= unsigned{next[i] >= lane && next[i] < beyond} << i;
            if (i < ring) coming.ask(whole >> i, next[i]);
        }
        if (Ordered && blockIdx.x == 0 && threadIdx.x == 0) take_some(0, t_.head);
#pragma unroll 1
        while (next[0] < end_) {
            index_t const at = next[0];
            item x[U][V];
            if (whole & 1) coming.next(at, x);
            else if constexpr (pads) load_padded(at, x);
            coming.ask(whole >> ring, next[ring]);
            __syncwarp();  // lanes that took something in another way do not meet again by themselves
            if (pads || whole & 1) lane_.take(x, at, stride, area_);
            else
                for (int u = 0; u < U && (Ordered || u < t_.rows); ++u) take_some(at + u * stride, at + u * stride + V);
            for (int i = 0; i < ring; ++i) next[i] = next[i + 1];
            next[ring] = pass();
            whole = whole >> 1 | unsigned{next[ring] < beyond} << ring;
        }
    }
    __device__ __forceinline__ index_t taken() const { return taken_; }

  private:
    /// Where the thread is in its next tile, which it passes. All threads of a block call it together.
    __device__ __forceinline__ index_t pass() {
        index_t const at = at_;
        at_ += tile;
        if (!Ordered && --left_ == 0) {
            left_ = tiles_;
            at_ += jump_;
            if (jump_ == chunks) {
                __shared__ unsigned told[2];  // the second one while some threads have yet to read the first
                if (threadIdx.x == 0) told[turn_] = asked_;
                __syncthreads();
                at_ = (index_t{told[turn_]} + gridDim.x) * chunk + own_;
                turn_ ^= 1;
                ask();
            }
        }
        return at;
    }
    /// Asks for a chunk. Blocks do until they are refused once, which counts to all the chunks there are, and then is zero again.
    __device__ __forceinline__ void ask() {
        if (jump_ == chunks && at_ < end_ && threadIdx.x == 0) asked_ = atomicInc(t_.work.next_chunk(), static_cast<unsigned>((end_ - own_ - 1) / chunk));
    }
    /// A tile, parts of which may lie outside of the items.
    __device__ __forceinline__ void load_padded(index_t at, item (&x)[U][V]) {
#pragma unroll
        for (int u = 0; u < U; ++u, at += stride) {
            index_t const end = u < t_.rows ? items_ : 0;
            if (at >= 0 && at + V <= end) load<Vectors>(t_.input, at, x[u]);
            else
#pragma unroll
                for (int v = 0; v < V; ++v) {
                    item one[1] = {Lane::padding()};
                    if (at + v >= 0 && at + v < end) load<false>(t_.input, at + v, one);
                    x[u][v] = one[0];
                }
        }
    }
    /// Items [begin, end), as far as there are any; by vectors, where it begins with a whole one.
    __device__ __forceinline__ void take_some(index_t begin, index_t end) {
        auto const take = [&]<int N>() {
            item x[1][N];
            load<Vectors && N == V>(t_.input, begin, x[0]);
            lane_.take(x, begin, stride, area_);
        };
        begin = begin < 0 ? 0 : begin;
        end = end < items_ ? end : items_;
#pragma unroll 1
        for (int step; begin < end; begin += step) {
            step = !counts && begin + V <= end ? V : 1;
            if constexpr (counts) {
                typename std::remove_cvref_t<decltype(t_.input.mask)>::value_type mask[1];
                load<false>(t_.input.mask, begin, mask);
                if (!mask[0]) continue;
                ++taken_;
            }
            if (step == V) take.template operator()<V>();
            else take.template operator()<1>();
        }
    }

    Lane& lane_;
    Task const& t_;
    spill_area area_;
    index_t items_, taken_ = 0;
    // Where the thread is in its next tile; where tiles, or those of its stretch, end; where it is in the first row of all; how far it goes to
    // tiles elsewhere, or `chunks`: to the next one.
    index_t at_, end_, own_ = 0, jump_ = 0;
    int left_ = 0, tiles_ = 0;       // until it goes there: so many are left, of so many
    unsigned asked_ = 0, turn_ = 0;  // what the first thread was told; where it tells
};

}  // namespace warpfold::device
