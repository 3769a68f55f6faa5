// Contests: how blocks find the greatest of a number each, without partials that one of them would have to read.
#pragma once

#include "warp.hpp"

namespace warpfold::device {

/// Of at most 4096 blocks, one word of 64 bits for each of the first lanes of their first warps: the greatest number so
/// far, and below it how many have been there and how many of those left a mark. Two atomics do it, one right behind
/// the other, which stay in order for they go to one word: a maximum, which says what it replaced, and an addition. Who
/// replaced a smaller number adds what that had counted once more. No count is ever lost, so who makes it full comes
/// last, and has the greatest. (H200, the minimum of 2^16 and 2^20 floats 4.85 and 6.45 µs; by partials, a ticket and a
/// look at all of them 5.65 and 7.45.)
struct contest {
    static constexpr std::uint64_t one = 1, mark = 1 << 16;

    /// Whether this block comes last, and then the words, in all lanes of its first warp, which calls it. A word is
    /// zero before and after.
    template <int Words>
    __device__ __forceinline__ static bool join(std::uint64_t* words, std::uint32_t number, bool marks, int blocks,
                                                std::uint64_t (&result)[Words]) {
        int const lane = static_cast<int>(threadIdx.x);
        auto const full = [blocks](std::uint64_t word) { return (word & (mark - 1)) == static_cast<std::uint64_t>(blocks); };
        std::uint64_t word = 0;
        if (lane < Words) {
            auto* const here = reinterpret_cast<unsigned long long*>(words + lane);
            unsigned long long const mine = static_cast<unsigned long long>(number) << 32, counts = one + (marks ? mark : 0);
            unsigned long long const before = atomicMax(here, mine);
            word = atomicAdd(here, counts) + counts;
            auto const replaced = static_cast<std::uint32_t>(before);
            if (mine > before && replaced != 0) word = atomicAdd(here, static_cast<unsigned long long>(replaced)) + replaced;
        }
        if (!full(__shfl_sync(all_lanes, word, 0))) return false;
        // Who filled the first word has filled the others, or another is about to.
        while (lane < Words && !full(word)) word = atomicAdd(reinterpret_cast<unsigned long long*>(words + lane), 0ULL);
        for (int i = 0; i < Words; ++i) result[i] = __shfl_sync(all_lanes, word, i);
        if (lane < Words) atomicExch(reinterpret_cast<unsigned long long*>(words + lane), 0ULL);
        return true;
    }
    __device__ static std::uint32_t number_of(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }
    __device__ static bool is_marked(std::uint64_t word) { return static_cast<std::uint32_t>(word) >= mark; }
};

}  // namespace warpfold::device
