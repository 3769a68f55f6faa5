// Study A: one item a thread, from one atomic an item to two items a thread and cooperative groups. Every kernel adds
// into one word that must be zero before.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "lab/kernels/device.cuh"

namespace warpfold::lab {

/// A1: every thread adds its item to one global word.
template <class T>
__global__ void a1_atomic_global(T const* in, std::uint64_t n, T* sum) {
    std::uint64_t const i = grid_thread();
    if (i < n) atomicAdd(sum, in[i]);
}

/// A2: every thread adds its item to one word of the block; one global atomic a block.
template <class T>
__global__ void a2_atomic_shared(T const* in, std::uint64_t n, T* sum) {
    __shared__ T block_sum;
    if (threadIdx.x == 0) block_sum = T(0);
    __syncthreads();

    std::uint64_t const i = grid_thread();
    if (i < n) atomicAdd(&block_sum, in[i]);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(sum, block_sum);
}

/// A3: a tree in shared memory, sequential addressing, one barrier a step.
template <class T>
__global__ void a3_tree_shared(T const* in, std::uint64_t n, T* sum) {
    __shared__ T partial[max_block];
    std::uint64_t const i = grid_thread();
    partial[threadIdx.x] = i < n ? in[i] : T(0);
    __syncthreads();
    tree(partial, 1);
    if (threadIdx.x == 0) atomicAdd(sum, partial[0]);
}

/// A4: the tree down to 32 partials, then shuffles that name their source lane.
template <class T>
__global__ void a4_tree_shuffle(T const* in, std::uint64_t n, T* sum) {
    __shared__ T partial[max_block];
    std::uint64_t const i = grid_thread();
    partial[threadIdx.x] = i < n ? in[i] : T(0);
    __syncthreads();
    tree(partial, warp_size);
    if (threadIdx.x < warp_size) {
        unsigned const lane = threadIdx.x;
        T value = partial[lane];
        for (unsigned offset = warp_size / 2; offset > 0; offset /= 2) {
            value += __shfl_sync(full_mask, value, static_cast<int>(lane + offset));
        }
        if (lane == 0) atomicAdd(sum, value);
    }
}

/// A5: the tree down to 64 partials, then six unrolled steps by the first warp in shared memory.
template <class T>
__global__ void a5_tree_unrolled(T const* in, std::uint64_t n, T* sum) {
    __shared__ T partial[max_block];
    std::uint64_t const i = grid_thread();
    partial[threadIdx.x] = i < n ? in[i] : T(0);
    __syncthreads();
    tree(partial, 2 * warp_size);
    if (threadIdx.x < warp_size) unrolled_warp(partial);
    if (threadIdx.x == 0) atomicAdd(sum, partial[0]);
}

/// A6: the tree down to 64 partials, then a reduction over a tile of 32 threads by cooperative groups.
template <class T>
__global__ void a6_tree_cg(T const* in, std::uint64_t n, T* sum) {
    namespace cg = cooperative_groups;
    __shared__ T partial[max_block];
    std::uint64_t const i = grid_thread();
    partial[threadIdx.x] = i < n ? in[i] : T(0);
    __syncthreads();
    tree(partial, 2 * warp_size);
    if (threadIdx.x < warp_size) {
        auto const tile = cg::tiled_partition<warp_size>(cg::this_thread_block());
        T const value = partial[threadIdx.x] + partial[threadIdx.x + warp_size];
        T const total = cg::reduce(tile, value, cg::plus<T>());
        if (tile.thread_rank() == 0) atomicAdd(sum, total);
    }
}

/// What a thread of A7 starts with: items i and i + n/2, and where n is odd, one thread of the last block takes the
/// last item too.
template <class T>
__device__ T a7_two_loads(T const* in, std::uint64_t n) {
    std::uint64_t const i = grid_thread();
    std::uint64_t const half = n / 2;
    T value = i < half ? in[i] + in[i + half] : T(0);
    if (n % 2 == 1 && blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) value += in[n - 1];
    return value;
}

/// A7: A6 with two items a thread, half the blocks.
template <class T>
__global__ void a7_cg_two_loads(T const* in, std::uint64_t n, T* sum) {
    namespace cg = cooperative_groups;
    __shared__ T partial[max_block];
    partial[threadIdx.x] = a7_two_loads(in, n);
    __syncthreads();
    tree(partial, 2 * warp_size);
    if (threadIdx.x < warp_size) {
        auto const tile = cg::tiled_partition<warp_size>(cg::this_thread_block());
        T const value = partial[threadIdx.x] + partial[threadIdx.x + warp_size];
        T const total = cg::reduce(tile, value, cg::plus<T>());
        if (tile.thread_rank() == 0) atomicAdd(sum, total);
    }
}

// As published: the barrier stands before each step of the tree, so none stands after the last one, and the first warp
// reads partials 32 to 63 that the second warp may not have written yet.

template <class T>
__device__ void tree_as_published(T* partial) {
    for (unsigned stride = blockDim.x / 2; stride > warp_size; stride /= 2) {
        __syncthreads();
        if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
    }
}

template <class T>
__global__ void a5_tree_unrolled_as_published(T const* in, std::uint64_t n, T* sum) {
    __shared__ T partial[max_block];
    std::uint64_t const i = grid_thread();
    partial[threadIdx.x] = i < n ? in[i] : T(0);
    tree_as_published(partial);
    if (threadIdx.x < warp_size) unrolled_warp_as_published<T>(partial);
    if (threadIdx.x == 0) atomicAdd(sum, partial[0]);
}

template <class T>
__device__ void cg_tail_as_published(T* partial, T* sum) {
    namespace cg = cooperative_groups;
    if (threadIdx.x < warp_size) {
        auto const tile = cg::tiled_partition<warp_size>(cg::this_thread_block());
        T const value = partial[threadIdx.x] + partial[threadIdx.x + warp_size];
        T const total = cg::reduce(tile, value, cg::plus<T>());
        if (tile.thread_rank() == 0) atomicAdd(sum, total);
    }
}

template <class T>
__global__ void a6_tree_cg_as_published(T const* in, std::uint64_t n, T* sum) {
    __shared__ T partial[max_block];
    std::uint64_t const i = grid_thread();
    partial[threadIdx.x] = i < n ? in[i] : T(0);
    tree_as_published(partial);
    cg_tail_as_published(partial, sum);
}

template <class T>
__global__ void a7_cg_two_loads_as_published(T const* in, std::uint64_t n, T* sum) {
    __shared__ T partial[max_block];
    partial[threadIdx.x] = a7_two_loads(in, n);
    tree_as_published(partial);
    cg_tail_as_published(partial, sum);
}

}  // namespace warpfold::lab
