// Study E's histograms: how often each of 256 values of an unsigned 8-bit item occurs. `counts` holds 256 words that
// must be zero before. Within one launch a block counts in 32 bits, so it may read at most 2^32 - 1 items.
#pragma once

#include "lab/kernels/device.cuh"

namespace warpfold::lab {

constexpr unsigned bins = 256;
using bin_count = unsigned long long;  // the 64-bit type that atomicAdd takes

/// H1: one global atomic an item.
template <class Item>
__global__ void h1_histogram_global(Item const* in, std::uint64_t n, bin_count* counts) {
    for (std::uint64_t i = grid_thread(); i < n; i += grid_threads()) atomicAdd(&counts[in[i]], bin_count{1});
}

/// H2: one shared histogram a block, merged into the global one by atomics.
template <class Item>
__global__ void h2_histogram_block(Item const* in, std::uint64_t n, bin_count* counts) {
    __shared__ unsigned count[bins];
    for (unsigned bin = threadIdx.x; bin < bins; bin += blockDim.x) count[bin] = 0;
    __syncthreads();
    for (std::uint64_t i = grid_thread(); i < n; i += grid_threads()) atomicAdd(&count[in[i]], 1u);
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < bins; bin += blockDim.x) {
        if (count[bin] > 0) atomicAdd(&counts[bin], bin_count{count[bin]});
    }
}

/// H3: one shared histogram a warp; the block sums its warps' histograms and merges the sums by atomics. A template, so
/// that a block of few warps takes no more shared memory than it needs.
template <class Item, unsigned warps>
__global__ void h3_histogram_warp(Item const* in, std::uint64_t n, bin_count* counts) {
    __shared__ unsigned count[warps][bins];
    unsigned const warp = threadIdx.x / warp_size;
    for (unsigned bin = threadIdx.x; bin < warps * bins; bin += blockDim.x) count[bin / bins][bin % bins] = 0;
    __syncthreads();
    for (std::uint64_t i = grid_thread(); i < n; i += grid_threads()) atomicAdd(&count[warp][in[i]], 1u);
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < bins; bin += blockDim.x) {
        unsigned sum = 0;
        for (unsigned w = 0; w < warps; ++w) sum += count[w][bin];
        if (sum > 0) atomicAdd(&counts[bin], bin_count{sum});
    }
}

}  // namespace warpfold::lab
