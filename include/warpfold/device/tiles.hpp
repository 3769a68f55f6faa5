// Tiles: the rows that a thread takes at once. Of folds that take long, some are under way to a ring in shared memory
// while one is taken, and need no registers meanwhile.
#pragma once

#include "tuning.hpp"

namespace warpfold::device {

/// The tiles of one thread, whose rows are Stride items apart. It reads from the ring what it has copied itself: no
/// barrier. (H200, 4 GiB, of the read limit, with the next tile in registers and with the ring: dot of floats 0.89 and
/// 0.98, of doubles 0.95 and 0.98, sum of doubles 0.96 and 0.985, norm_l2 of floats 0.95 and 0.985. To ask the
/// second-level cache for tiles ahead instead was slower: dot of floats 0.86, asked for by each thread, 0.54 to 0.65 in
/// bulk.)
template <tuning Tuning, index_t Stride, bool Vectors, class Input>
class tile_queue {
    static constexpr int rows = Tuning.loads;

  public:
    static constexpr int ring = Vectors && access<Input>::copies ? Tuning.tiles : 0;

    /// memory: shared_words (tuning.hpp) for the block, from a multiple of 128 bytes on: a warp that copies one cache
    /// line to two reads it twice (dot of floats 0.80 of the limit).
    __device__ __forceinline__ tile_queue(Input const& in, uint4* memory) : in_{in}, memory_{memory + threadIdx.x} {}

    /// Begins to copy the tile at `at`, or nothing in its turn, to where the oldest one was.
    __device__ __forceinline__ void ask([[maybe_unused]] bool wanted, [[maybe_unused]] index_t at) {
        if constexpr (ring > 0) {
#pragma unroll
            for (int u = 0; wanted && u < rows; ++u) access<Input>::copy(in_, at + u * Stride, word(u), Tuning.threads);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
            asm volatile("cp.async.commit_group;" ::: "memory");
#endif
            slot_ = slot_ + 1 == ring ? 0 : slot_ + 1;
        }
    }
    /// Loads the tile at `at`, which is the oldest that was asked for.
    template <class T, int V>
    __device__ __forceinline__ void next(index_t at, T (&x)[rows][V]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        if constexpr (ring > 0) asm volatile("cp.async.wait_group %0;" ::"n"(ring - 1) : "memory");
#endif
        for (int u = 0; u < rows; ++u)
            if constexpr (ring > 0) load<true>(access<Input>::copied(in_, word(u), Tuning.threads), 0, x[u]);
            else load<Vectors>(in_, at + u * Stride, x[u]);
    }

  private:
    __device__ __forceinline__ uint4* word(int u) const {
        return memory_ + (slot_ * rows + u) * access<Input>::ranges * Tuning.threads;
    }

    Input const& in_;
    uint4* memory_;
    int slot_ = 0;
};

}  // namespace warpfold::device
