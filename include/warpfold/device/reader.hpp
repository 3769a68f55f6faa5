// Readers: which tiles of an input one thread takes.
#pragma once

#include "shortcut.hpp"
#include "tiles.hpp"

namespace warpfold::device {

/// A warp's row is a vector for each of its threads, its tile `loads` rows, and a round one tile for each warp of a
/// block, all one behind the other; the first may begin before the items, the last may end behind them. Where a block's
/// share is a round, or rows that joint shortcuts may take, it has these; where it is more, blocks take rounds in turn;
/// where it is still more, each warp draws further rounds: several at once, far apart, those of each draw beside those
/// of the draw before, so that few stretches of memory are read at a time; in the end single ones, so that all warps
/// end together, however fast each is. Where order matters, each thread has one stretch. Alone, a block reads what all
/// blocks have.
template <tuning Tuning, bool Vectors, bool Ordered, class Lane, class Task, bool Alone = false>
class reader {
    using input = decltype(Task::input);
    using item = typename input::value_type;
    static constexpr int V = vector_items<input>, U = Tuning.loads, warps = Tuning.threads / warp_lanes;
    static constexpr bool counts = is_masked<input>, pads = requires { Lane::padding(); } && !counts;
    static constexpr index_t stride = Ordered ? V : warp_lanes * V, tile = stride * U, round = Ordered ? tile : tile * warps;
    using queue = tile_queue<Tuning, stride, Vectors, input>;
    static constexpr int ring = queue::ring, in_turn = ring + 1, none = -1, never = 0x7fffffff;  // in_turn: rounds before those that are drawn
    static constexpr int neighbours = [] {
        if constexpr (has_joint_shortcut<Lane, input>) return Lane::joint_shortcut::most_rows;
        else return U;
    }();

  public:
    /// Asks for what the thread reads first, so that it comes while the block makes ready (H200, sums of 2^16 to 2^22
    /// items: 0.1 to 0.3 µs sooner. To begin the ring itself so early made the ending of several folds 2 to 5 µs
    /// later).
    __device__ __forceinline__ reader(Lane& lane, Task const& t, index_t items, spill_area area) : lane_{lane}, t_{t}, area_{area}, items_{items} {
        int const thread = static_cast<int>(threadIdx.x), block = Alone ? 0 : static_cast<int>(blockIdx.x), blocks = blocks_that_read();
        index_t const before = t.head == 0 ? 0 : V - t.head;
        index_t first, end = items;  // of its warp's tile in the first round; of its rounds
        if constexpr (Ordered) {
            // Stretches of whole vectors, so that all begin aligned.
            index_t const threads = index_t{blocks} * Tuning.threads, stretch = (items + before + threads * V - 1) / (threads * V) * V;
            own_ = first = (index_t{block} * Tuning.threads + thread) * stretch - before;
            end = first + stretch;
            rounds_ = static_cast<int>((stretch + tile - 1) / tile);
        } else {
            int const rows = static_cast<int>(rows_of_block()), warp = thread / warp_lanes;
            first = (rows < U ? (index_t{block} * warps + warp) * rows : index_t{warp} * U) * stride - before;
            own_ = first + thread % warp_lanes * V;
            next_ = rows < U ? 0 : rows <= neighbours ? block * (rows / U) : block;
            if (rows > neighbours) step_ = blocks;
            else end = first + (next_ + (rows + U - 1) / U) * round;
            if (end > items) end = items;
            if (first < end) rounds_ = static_cast<int>((end - first + round - 1) / round);
            // Warps draw until they are refused. Together they do so as often as the counter counts, which then is zero
            // again.
            int const more = rounds_ > in_turn * blocks ? rounds_ - in_turn * blocks : 0;
            several_ = more / Tuning.drawn > blocks ? more / Tuning.drawn - blocks : 0;
            draws_ = static_cast<unsigned>(more - several_ * (Tuning.drawn - 1) + blocks);
            if (rows > neighbours && rows >= Tuning.rows_drawn) left_ = in_turn;
        }
        if (end < items) items_ = end;
        // Whole is a tile that all lanes of a warp have, so that they take it together. Only the first of all begins
        // before the items.
        if (!counts && (Ordered || rows_of_block() >= U) && items_ - first >= tile) {
            first_whole_ = first < 0;
            whole_ = static_cast<unsigned>((items_ - first - tile) / round) + 1 - first_whole_;
        }
        if (!Ordered && place(next_) >= 0 && place(next_) < items) access<input>::prefetch(t.input, place(next_));
    }

    /// memory: for a ring of tiles.
    __device__ __forceinline__ void read(uint4* memory) {
        queue coming{t_.input, memory};
        // The rounds whose tiles are under way, and the one behind them. None at first, so that what asks for tiles is
        // there once.
        bool const alone = rows_of_block() < U && !Ordered;
        int rounds[ring + 1];
        for (int& r : rounds) r = alone ? rounds_ : none;
        if (alone) rounds[0] = next_++;
#pragma unroll 1
        for (;; on(rounds)) {
#pragma unroll 1
            for (; is_whole(rounds[0]); on(rounds)) {
                __syncwarp();  // lanes that took something in another way do not meet again by themselves
                item x[U][V];
                coming.next(place(rounds[0]), x);
                coming.ask(is_whole(rounds[ring]), place(rounds[ring]));
                lane_.take(x, place(rounds[0]), stride, area_);
            }
            if (rounds[0] >= rounds_) return;
            coming.ask(is_whole(rounds[ring]), place(rounds[ring]));
            if (rounds[0] != none) take_ragged(place(rounds[0]));
            __syncwarp();
        }
    }
    __device__ __forceinline__ index_t taken() const { return taken_; }

  private:
    __device__ __forceinline__ static int blocks_that_read() { return Alone ? 1 : static_cast<int>(gridDim.x); }
    __device__ __forceinline__ index_t rows_of_block() const { return t_.share().rows * (Alone ? gridDim.x : 1); }
    /// Where the thread is in a round.
    __device__ __forceinline__ index_t place(int number) const { return own_ + number * round; }
    /// Whether the tile of a round is whole; the same in all threads of a warp, which call it together.
    __device__ __forceinline__ bool is_whole(int number) const {
        bool const whole = static_cast<unsigned>(number) - first_whole_ < whole_;
        return Ordered ? __all_sync(all_lanes, whole) : whole;
    }
    /// On by a round. All threads of a warp call it together.
    __device__ __forceinline__ void on(int (&rounds)[ring + 1]) {
        for (int i = 0; i < ring; ++i) rounds[i] = rounds[i + 1];
        if (!Ordered && --left_ <= 0) draw();
        rounds[ring] = next_;
        next_ += step_;
    }
    /// Draws where no further round is left, and takes up what was drawn a turn later: as late as can be, so that what
    /// is read first is asked for first, but while a tile is taken.
    __device__ __forceinline__ void draw() {
        if (left_ < 0) {
            int const number = static_cast<int>(__shfl_sync(all_lanes, drawn_, 0)), rounds = number < several_ ? Tuning.drawn : 1;
            next_ = in_turn * blocks_that_read() + number + (rounds > 1 ? 0 : several_ * (Tuning.drawn - 1));
            step_ = several_;
            left_ = (next_ < rounds_ ? rounds : never) - 1;
        }
        if (left_ == 0 && threadIdx.x % warp_lanes == 0)
            drawn_ = atomicInc(t_.work.counter(static_cast<int>(threadIdx.x / warp_lanes)), draws_ - 1);
    }
    /// A tile, parts of which may lie outside of the items.
    __device__ __forceinline__ void take_ragged(index_t at) {
        int const rows = Ordered || rows_of_block() > U ? U : static_cast<int>(rows_of_block());
        auto const inside = [&](index_t p) { return !counts && p >= 0 && p + V <= items_; };
        // Rows that hold no items are zeroed, and moved item by item: moved as bytes, unset, nvcc 13.0 mixes up the
        // rows of 16-bit floats (seen on an H200, three rows).
        item x[U][V]{};
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
    index_t items_, taken_ = 0, own_;  // own_: where the thread is in the first round
    // Rounds that it has tiles of; the next one; how far apart they are; how many up to one that is drawn; draws of
    // several rounds.
    int rounds_ = 0, next_ = 0, step_ = 1, left_ = never, several_ = 0;
    unsigned first_whole_ = 0, whole_ = 0, draws_ = 0, drawn_ = 0;  // the first that is whole, and how many; how often warps draw; what this one drew
};

}  // namespace warpfold::device
