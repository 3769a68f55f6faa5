// Study C: the classic ladder, from an interleaved tree to shuffles under a grid-stride loop. C1 to C8 write one
// partial a block, to be folded by the next launch.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "lab/kernels/device.cuh"

namespace warpfold::lab {

/// C1: the stride doubles, and a modulo test picks the threads that add.
template <class T>
__global__ void c1_interleaved(T const* in, std::uint64_t n, T* partials) {
    __shared__ T partial[max_block];
    std::uint64_t const i = grid_thread();
    partial[threadIdx.x] = i < n ? in[i] : T(0);
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        if (threadIdx.x % (2 * stride) == 0) partial[threadIdx.x] += partial[threadIdx.x + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0) partials[blockIdx.x] = partial[0];
}

/// C1b: as C1, but the first threads do the adding, at words 2 * stride apart.
template <class T>
__global__ void c1b_interleaved_index(T const* in, std::uint64_t n, T* partials) {
    __shared__ T partial[max_block];
    std::uint64_t const i = grid_thread();
    partial[threadIdx.x] = i < n ? in[i] : T(0);
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        unsigned const word = 2 * stride * threadIdx.x;
        if (word < blockDim.x) partial[word] += partial[word + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0) partials[blockIdx.x] = partial[0];
}

/// C2: the stride halves, so the threads that add are the first ones and their words lie side by side.
template <class T>
__global__ void c2_sequential(T const* in, std::uint64_t n, T* partials) {
    __shared__ T partial[max_block];
    std::uint64_t const i = grid_thread();
    partial[threadIdx.x] = i < n ? in[i] : T(0);
    __syncthreads();
    tree(partial, 1);
    if (threadIdx.x == 0) partials[blockIdx.x] = partial[0];
}

/// What a thread of C3, C4, E3 and E4 starts with: two items, one block apart.
template <class T>
__device__ T first_add(T const* in, std::uint64_t n) {
    std::uint64_t const i = std::uint64_t{blockIdx.x} * (2 * blockDim.x) + threadIdx.x;
    T value = i < n ? in[i] : T(0);
    if (i + blockDim.x < n) value += in[i + blockDim.x];
    return value;
}

/// C3: C2 where each thread adds two items while loading; half the blocks.
template <class T>
__global__ void c3_first_add(T const* in, std::uint64_t n, T* partials) {
    __shared__ T partial[max_block];
    partial[threadIdx.x] = first_add(in, n);
    __syncthreads();
    tree(partial, 1);
    if (threadIdx.x == 0) partials[blockIdx.x] = partial[0];
}

/// C4: C3 with the last six steps done by one warp, without block barriers.
template <class T>
__global__ void c4_unrolled_warp(T const* in, std::uint64_t n, T* partials) {
    __shared__ T partial[max_block];
    partial[threadIdx.x] = first_add(in, n);
    __syncthreads();
    tree(partial, 2 * warp_size);
    if (threadIdx.x < warp_size) unrolled_warp(partial);
    if (threadIdx.x == 0) partials[blockIdx.x] = partial[0];
}

/// C4 as published: no barrier of any kind between the steps of the last warp.
template <class T>
__global__ void c4_unrolled_warp_as_published(T const* in, std::uint64_t n, T* partials) {
    __shared__ T partial[max_block];
    partial[threadIdx.x] = first_add(in, n);
    __syncthreads();
    tree(partial, 2 * warp_size);
    if (threadIdx.x < warp_size) unrolled_warp_as_published<T>(partial);
    if (threadIdx.x == 0) partials[blockIdx.x] = partial[0];
}

/// C5: each warp folds by shuffles into one shared slot, the first warp folds the slots.
template <class T>
__global__ void c5_shuffle_block(T const* in, std::uint64_t n, T* partials) {
    std::uint64_t const i = grid_thread();
    T const total = block_reduce(i < n ? in[i] : T(0), plus{});
    if (threadIdx.x == 0) partials[blockIdx.x] = total;
}

/// C5's reduction called twice in one kernel: a thread takes two items, and each half of the block's items is folded by
/// a call of its own.
template <class T>
__global__ void c5_two_calls(T const* in, std::uint64_t n, T* partials) {
    std::uint64_t const i = std::uint64_t{blockIdx.x} * (2 * blockDim.x) + threadIdx.x;
    T const lower = block_reduce(i < n ? in[i] : T(0), plus{});
    T const upper = block_reduce(i + blockDim.x < n ? in[i + blockDim.x] : T(0), plus{});
    if (threadIdx.x == 0) partials[blockIdx.x] = lower + upper;
}

/// block_reduce as published: nothing keeps the next call from writing the slots that the first warp still reads.
template <class T>
__device__ T block_sum_as_published(T value) {
    __shared__ T slot[warp_size];
    unsigned const lane = threadIdx.x % warp_size;
    unsigned const warp = threadIdx.x / warp_size;
    value = warp_reduce(value, plus{});
    if (lane == 0) slot[warp] = value;
    __syncthreads();
    if (warp == 0) {
        value = lane < blockDim.x / warp_size ? slot[lane] : T(0);
        value = warp_reduce(value, plus{});
    }
    return value;
}

template <class T>
__global__ void c5_two_calls_as_published(T const* in, std::uint64_t n, T* partials) {
    std::uint64_t const i = std::uint64_t{blockIdx.x} * (2 * blockDim.x) + threadIdx.x;
    T const lower = block_sum_as_published(i < n ? in[i] : T(0));
    T const upper = block_sum_as_published(i + blockDim.x < n ? in[i + blockDim.x] : T(0));
    if (threadIdx.x == 0) partials[blockIdx.x] = lower + upper;
}

/// C6: C5 after a grid-stride loop, so that the grid need not grow with n.
template <class T>
__global__ void c6_grid_stride(T const* in, std::uint64_t n, T* partials) {
    T value = T(0);
    for (std::uint64_t i = grid_thread(); i < n; i += grid_threads()) value += in[i];
    value = block_reduce(value, plus{});
    if (threadIdx.x == 0) partials[blockIdx.x] = value;
}

/// The sum over any group of a power of two of threads, in `slot`, one word a thread; thread 0 of the group gets it.
template <class T, class Group>
__device__ T group_sum(Group const& group, T* slot, T value) {
    unsigned const rank = static_cast<unsigned>(group.thread_rank());
    for (unsigned stride = static_cast<unsigned>(group.size()) / 2; stride > 0; stride /= 2) {
        slot[rank] = value;
        group.sync();
        if (rank < stride) value += slot[rank + stride];
        group.sync();
    }
    return value;
}

/// C7: the tree written once for any group, here called with the whole block.
template <class T>
__global__ void c7_cg_group(T const* in, std::uint64_t n, T* partials) {
    namespace cg = cooperative_groups;
    __shared__ T slot[max_block];
    std::uint64_t const i = grid_thread();
    T const total = group_sum(cg::this_thread_block(), slot, i < n ? in[i] : T(0));
    if (threadIdx.x == 0) partials[blockIdx.x] = total;
}

/// C7t: tiles of 32 threads reduce by cooperative groups, then the group tree folds the tiles' sums within one tile.
template <class T>
__global__ void c7t_cg_tile(T const* in, std::uint64_t n, T* partials) {
    namespace cg = cooperative_groups;
    __shared__ T tile_sum[warp_size];
    __shared__ T slot[warp_size];
    auto const tile = cg::tiled_partition<warp_size>(cg::this_thread_block());
    std::uint64_t const i = grid_thread();
    T const value = cg::reduce(tile, i < n ? in[i] : T(0), cg::plus<T>());
    if (tile.thread_rank() == 0) tile_sum[tile.meta_group_rank()] = value;
    __syncthreads();
    if (tile.meta_group_rank() == 0) {
        T const mine = tile.thread_rank() < tile.meta_group_size() ? tile_sum[tile.thread_rank()] : T(0);
        T const total = group_sum(tile, slot, mine);
        if (tile.thread_rank() == 0) partials[blockIdx.x] = total;
    }
}

/// What a thread of C8 and E5 starts with: a grid-stride loop over pairs of items one block apart.
template <class T>
__device__ T grid_stride_by_two(T const* in, std::uint64_t n) {
    T value = T(0);
    for (std::uint64_t i = std::uint64_t{blockIdx.x} * (2 * blockDim.x) + threadIdx.x; i < n; i += 2 * grid_threads()) {
        value += in[i];
        if (i + blockDim.x < n) value += in[i + blockDim.x];
    }
    return value;
}

/// C8: the block size is known to the compiler, so the tree has no loop and no step that a smaller block lacks.
template <class T, unsigned block>
__global__ void c8_optimized(T const* in, std::uint64_t n, T* partials) {
    __shared__ T partial[block];
    unsigned const tid = threadIdx.x;
    T value = grid_stride_by_two(in, n);
    partial[tid] = value;
    __syncthreads();
    if constexpr (block >= 1024) {
        if (tid < 512) partial[tid] = value = value + partial[tid + 512];
        __syncthreads();
    }
    if constexpr (block >= 512) {
        if (tid < 256) partial[tid] = value = value + partial[tid + 256];
        __syncthreads();
    }
    if constexpr (block >= 256) {
        if (tid < 128) partial[tid] = value = value + partial[tid + 128];
        __syncthreads();
    }
    if constexpr (block >= 128) {
        if (tid < 64) partial[tid] = value = value + partial[tid + 64];
        __syncthreads();
    }
    if (tid < warp_size) {
        if constexpr (block >= 64) value += partial[tid + 32];
        value = warp_reduce(value, plus{});
        if (tid == 0) partials[blockIdx.x] = value;
    }
}

/// C8 as published, for blocks of 1024: the unrolled tree starts at 256, so partials 512 to 1023 are never added.
template <class T>
__global__ void c8_optimized_as_published(T const* in, std::uint64_t n, T* partials) {
    __shared__ T partial[1024];
    unsigned const tid = threadIdx.x;
    T value = grid_stride_by_two(in, n);
    partial[tid] = value;
    __syncthreads();
    if (tid < 256) partial[tid] = value = value + partial[tid + 256];
    __syncthreads();
    if (tid < 128) partial[tid] = value = value + partial[tid + 128];
    __syncthreads();
    if (tid < 64) partial[tid] = value = value + partial[tid + 64];
    __syncthreads();
    if (tid < warp_size) {
        value += partial[tid + 32];
        value = warp_reduce(value, plus{});
        if (tid == 0) partials[blockIdx.x] = value;
    }
}

/// C9: C6 finished in the same launch, by one atomic a block; `sum` must be zero before.
template <class T>
__global__ void c9_one_launch_atomic(T const* in, std::uint64_t n, T* sum) {
    T value = T(0);
    for (std::uint64_t i = grid_thread(); i < n; i += grid_threads()) value += in[i];
    value = block_reduce(value, plus{});
    if (threadIdx.x == 0) atomicAdd(sum, value);
}

}  // namespace warpfold::lab
