// The spill area: exact numbers for what does not fit the partials of lanes. Every thread of a grid may add to it; integer
// additions commute, so the order in which they arrive changes nothing. A block adds to 32-bit words of its own in shared
// memory, 16 bits to each; a word that grows large, and at the end all of them, go to 64-bit limbs in global memory.
#pragma once

#include "../exact/fixed_point.hpp"

namespace warpfold::device {

/// Limbs that are zero before a kernel, and again after it; and two words for each in shared memory, zero at first.
struct spill_area {
    std::int64_t* limbs;
    int* words;
    int* touched;  ///< in shared memory: whether a word was added to

    __device__ spill_area from(int i) const { return {limbs + i, words + 2 * i, touched}; }

    /// Adds to a limb at once; for counts.
    __device__ __forceinline__ void add(int i, std::int64_t value) const {
        atomicAdd(reinterpret_cast<unsigned long long*>(limbs + i), static_cast<unsigned long long>(value));
    }
    /// What the last block reads: past its own cache, where older values may lie.
    __device__ __forceinline__ std::int64_t read(int i) const { return __ldcg(reinterpret_cast<long long const*>(limbs) + i); }

    /// Adds value · 2^exponent, of less than 112 bits, to the limbs of a fixed_point<Low, …> that begin at limb i; exponent ≥ Low. Pieces and
    /// limbs have signs, so that they are not far larger than what they sum up to, and doubles of them are near it (near_of).
    template <int Low>
    __device__ __noinline__ void add_scaled(int i, int128 value, int exponent) const {
        int const offset = exponent - Low;
        int at = 2 * i + (offset >> 4);
        value = static_cast<int128>(static_cast<uint128>(value) << (offset & 15));
        if (value != 0) atomicOr(touched, 1);
#pragma unroll 1
        for (; value != 0; ++at) {
            int const piece = static_cast<std::int16_t>(value);
            value = (value >> 16) + (piece < 0);
            int const before = atomicAdd(words + at, piece);
            // 2^14 additions lead here, and 2^14 more may come in between.
            if (before > 1 << 30 || before < -(1 << 30)) empty(at);
        }
    }

    /// Zeroes the limbs, by the first so many threads of a block.
    template <int Limbs, int Threads>
    __device__ __forceinline__ void zero() const {
#pragma unroll 1
        for (int i = static_cast<int>(threadIdx.x); i < Limbs; i += Threads) limbs[i] = 0;
    }
    /// Zeroes the words, before the block's first barrier.
    template <int Limbs, int Threads>
    __device__ __forceinline__ void clear() const {
        for (int at = static_cast<int>(threadIdx.x); at < 2 * Limbs; at += Threads) words[at] = 0;
        if (threadIdx.x == 0) *touched = 0;
    }
    /// Moves the words to the limbs; a warp calls it when the block adds no more.
    template <int Limbs>
    __device__ __forceinline__ void flush() const {
        if (*touched == 0) return;
        for (int at = static_cast<int>(threadIdx.x % 32); at < 2 * Limbs; at += 32) empty(at);
        __syncwarp();
    }

  private:
    /// Moves a word to its limb and the next: a limb takes less than 2^32 at a time.
    __device__ void empty(int at) const {
        std::int64_t const value = static_cast<std::int64_t>(atomicExch(words + at, 0)) * (at % 2 ? 1 << 16 : 1);
        if (value == 0) return;
        auto const low = static_cast<std::int32_t>(value);
        add(at / 2, low);
        if (value != low) add(at / 2 + 1, (value - low) >> 32);
    }
};

}  // namespace warpfold::device
