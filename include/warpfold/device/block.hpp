// Blocks: partials of warps become one, through shared memory.
#pragma once

#include "warp.hpp"

namespace warpfold::device {

/// Room for a partial of each warp, as words: partials may have constructors, which shared memory may not.
template <class Partial, int Threads>
struct block_memory {
    static_assert(sizeof(Partial) % sizeof(std::uint32_t) == 0);
    std::uint32_t words[Threads / warp_lanes][sizeof(Partial) / sizeof(std::uint32_t)];
};

/// Merges the partials of all threads into thread 0, in the order of threads. All threads of the block call it.
/// `merge_lanes(partial)` merges those of a warp into its first lane, in order; `identity` changes nothing.
template <int Threads, class Partial, class Merge>
__device__ __forceinline__ void merge_block(Partial& value, Partial const& identity, block_memory<Partial, Threads>& memory,
                                            Merge const& merge_lanes) {
    constexpr int warps = Threads / warp_lanes;
    constexpr std::size_t words = sizeof(Partial) / sizeof(std::uint32_t);
    static_assert(warps <= warp_lanes);
    merge_lanes(value);
    if constexpr (warps > 1) {
        auto const thread = threadIdx.x;
        std::uint32_t word[words];
        if (thread % warp_lanes == 0) {
            std::memcpy(word, &value, sizeof(Partial));
#pragma unroll
            for (std::size_t i = 0; i < words; ++i) memory.words[thread / warp_lanes][i] = word[i];
        }
        __syncthreads();
        if (thread < warp_lanes) {
            value = identity;
            if (thread < warps) {
#pragma unroll
                for (std::size_t i = 0; i < words; ++i) word[i] = memory.words[thread][i];
                std::memcpy(&value, word, sizeof(Partial));
            }
            merge_lanes(value);
        }
    }
}

}  // namespace warpfold::device
