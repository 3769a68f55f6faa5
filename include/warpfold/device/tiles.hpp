// Tiles: the rows that a thread takes at once. Of folds that take long, some are under way to a ring in shared memory while
// one is taken, and need no registers meanwhile.
#pragma once

#include "tuning.hpp"

namespace warpfold::device {

/// The tiles of one thread. It reads from the ring what it has copied itself: no barrier.
/// (H200, 4 GiB, of the read limit, with the next tile in registers and with the ring: dot of floats 0.89 and 0.98, of doubles
/// 0.95 and 0.98, sum of doubles 0.96 and 0.985, norm_l2 of floats 0.95 and 0.985. To ask the second-level cache for tiles ahead
/// instead was slower: dot of floats 0.86, asked for by each thread, 0.54 to 0.65 in bulk.)
template <tuning Tuning, bool Vectors, class Input>
class tile_queue {
    static constexpr int rows = Tuning.loads, ring = Vectors && access<Input>::copies ? Tuning.tiles : 0;
    static constexpr index_t stride = index_t{Tuning.threads} * vector_items<Input>;

  public:
    /// The first of `tiles` tiles lies at `at`, and each `turns`-th behind it is the thread's. memory: shared_words (tuning.hpp) for
    /// the block, from a multiple of 128 bytes on: a warp that copies one cache line to two reads it twice (dot of floats 0.80 of
    /// the limit).
    __device__ __forceinline__ tile_queue(Input const& in, uint4* memory, index_t at, int tiles, int turns)
        : in_{in}, memory_{memory + threadIdx.x}, turns_{turns} {
        if constexpr (ring > 0)
            for (int i = 0; i < ring; ++i) ask(i * turns < tiles, at + i * turns * rows * stride);
    }
    /// Loads the tile at `at`, the first of `tiles` that are left.
    template <class T, int V>
    __device__ __forceinline__ void next(index_t at, [[maybe_unused]] int tiles, T (&x)[rows][V]) {
        if constexpr (ring > 0) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
            asm volatile("cp.async.wait_group %0;" ::"n"(ring - 1) : "memory");
#endif
            for (int u = 0; u < rows; ++u) load<true>(access<Input>::copied(in_, word(u), Tuning.threads), 0, x[u]);
            ask(tiles > ring * turns_, at + ring * turns_ * rows * stride);
        } else {
            for (int u = 0; u < rows; ++u) load<Vectors>(in_, at + u * stride, x[u]);
        }
    }

  private:
    /// Begins to copy the tile at `at`, or nothing in its turn, to where the oldest one was.
    __device__ __forceinline__ void ask(bool wanted, index_t at) {
        for (int u = 0; wanted && u < rows; ++u) access<Input>::copy(in_, at + u * stride, word(u), Tuning.threads);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        asm volatile("cp.async.commit_group;" ::: "memory");
#endif
        slot_ = slot_ + 1 == ring ? 0 : slot_ + 1;
    }
    __device__ __forceinline__ uint4* word(int u) const {
        return memory_ + (slot_ * rows + u) * access<Input>::ranges * Tuning.threads;
    }

    Input const& in_;
    uint4* memory_;
    int turns_, slot_ = 0;
};

}  // namespace warpfold::device
