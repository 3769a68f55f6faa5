// The spill area: exact numbers for what does not fit the partials of lanes. Every thread of a grid may add to it;
// integer additions commute, so the order in which they arrive changes nothing. A block adds to 32-bit words of its own
// in shared memory, 16 bits to each; a word that grows large, and at the end all of them, go to 64-bit limbs in global
// memory.
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

    /// Adds value · 2^exponent, of |value| < 2^Bits, to the limbs of a fixed_point<Low, …> that begin at limb i;
    /// exponent ≥ Low. Pieces and limbs have signs, so that they are not far larger than what they sum up to, and
    /// doubles of them are near it (near_of). Straight code, which a warp's threads run together; to pass pieces over
    /// that are zero took twice as long.
    template <int Low, int Bits, class Value>
    __device__ __forceinline__ void add_scaled(int i, Value value, int exponent) const {
        int const offset = exponent - Low, at = 2 * i + (offset >> 4);
        if constexpr (sizeof(Value) > 8) add_wide<Bits>(at, value, offset & 15);
        else add_pieces<Bits>(at, value, offset & 15);
    }
    /// Says that a thread of this warp, which calls it together, added to the words.
    __device__ __forceinline__ void touch(bool added) const {
        if (__any_sync(0xffffffffU, added) && threadIdx.x % 32 == 0) atomicOr(touched, 1);
    }

    /// Zeroes the limbs, by the first so many threads of a block.
    template <int Limbs, int Threads>
    __device__ __forceinline__ void zero() const {
#pragma unroll 1
        for (int i = static_cast<int>(threadIdx.x); i < Limbs; i += Threads) limbs[i] = 0;
    }
    /// Zeroes the words, by all threads of a block, so many; they meet at a barrier then, but where there are none.
    template <int Limbs>
    __device__ __forceinline__ void clear(int threads) const {
        for (int at = static_cast<int>(threadIdx.x); at < 2 * Limbs; at += threads) words[at] = 0;
        if (Limbs > 0 && threadIdx.x == 0) *touched = 0;
        if constexpr (Limbs > 0) __syncthreads();
    }
    /// Moves the words to the limbs; a warp calls it when the block adds no more.
    template <int Limbs>
    __device__ __forceinline__ void flush() const {
        __syncwarp();  // a block of one warp has met at no barrier
        if (*touched == 0) return;
        for (int at = static_cast<int>(threadIdx.x % 32); at < 2 * Limbs; at += 32) empty(at);
        __syncwarp();
    }

  private:
    /// Adds value · 2^shift, shift < 16, to the words from `at` on.
    template <int Bits, class Value>
    __device__ __forceinline__ void add_pieces(int at, Value value, int shift) const {
        constexpr int pieces = (Bits + 15 + 15) / 16;
        using integer = std::conditional_t<Bits + 15 < 64, std::int64_t, int128>;
        constexpr integer below = (integer{1} << (16 * (pieces - 1))) - 1, halves = below / 0xffff << 15;
        integer const bits = integer{value} << shift, raised = (bits & below) + halves;
        bool far = false;
        for (int p = 0; p < pieces; ++p) {
            int piece = static_cast<int>(raised >> (16 * p)) & 0xffff;  // of the last, what the others carried
            piece += p + 1 < pieces ? -(1 << 15) : static_cast<int>(bits >> (16 * p));
            int const before = atomicAdd(words + at + p, piece);
            far = far || before > 1 << 30 || before < -(1 << 30);  // 2^14 additions lead there, and 2^14 more may come in between
        }
#pragma unroll 1  // seldom run
        for (int p = 0; far && p < pieces; ++p) empty(at + p);
    }
    /// Out of line: beside what is run often, so much code costs 1 µs (variance of 2^18 doubles, H100).
    template <int Bits>
    __device__ __noinline__ void add_wide(int at, int128 value, int shift) const { add_pieces<Bits>(at, value, shift); }
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
