// The read limit: the least that any kernel can do with its input, in several shapes; the best of them counts.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace bench {

/// Reads every 16-byte word once, Loads of them in flight for each thread; xors them, and stores what it nearly never
/// finds, so that no load can be left out. Passing: words are the first to leave the cache, which other lines then need
/// not.
template <int Threads, int Loads, bool Passing = false>
__global__ void __launch_bounds__(Threads) read_all(uint4 const* x, std::int64_t words, unsigned* never) {
    unsigned all = 0;
    std::int64_t const tile = std::int64_t{Threads} * Loads;
    std::int64_t const tiles = words / tile;
    for (std::int64_t t = blockIdx.x; t < tiles; t += gridDim.x) {
        uint4 w[Loads];
#pragma unroll
        for (int u = 0; u < Loads; ++u) {
            uint4 const* const from = x + t * tile + u * Threads + threadIdx.x;
            w[u] = Passing ? __ldcs(from) : *from;
        }
#pragma unroll
        for (int u = 0; u < Loads; ++u) all ^= w[u].x ^ w[u].y ^ w[u].z ^ w[u].w;
    }
    if (all == 0x9e3779b9U) *never = all;
}

}  // namespace bench
