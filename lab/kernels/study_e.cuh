// Study E: from one thread to shuffles, operators and wide loads. E1 to E5 write one partial a block.
#pragma once

#include "lab/kernels/indexed.cuh"
#include "lab/kernels/study_c.cuh"
#include "lab/kernels/study_d.cuh"

namespace warpfold::lab {

/// E0: one thread adds everything.
template <class T>
__global__ void e0_single_thread(T const* in, std::uint64_t n, T* sum) {
    if (grid_thread() != 0) return;
    T value = T(0);
    for (std::uint64_t i = 0; i < n; ++i) value += in[i];
    *sum = value;
}

// E1, E2 and E3 are c1_interleaved, c2_sequential and c3_first_add.

/// E4: E3's two loads, the tree down to one warp's 32 partials, then shuffles.
template <class T>
__global__ void e4_warp_unrolled(T const* in, std::uint64_t n, T* partials) {
    __shared__ T partial[max_block];
    partial[threadIdx.x] = first_add(in, n);
    __syncthreads();
    tree(partial, warp_size);
    if (threadIdx.x < warp_size) {
        T const total = warp_reduce(partial[threadIdx.x], plus{});
        if (threadIdx.x == 0) partials[blockIdx.x] = total;
    }
}

/// E4 as published: the tree stops at 64 partials, and the shuffles fold 32 of them.
template <class T>
__global__ void e4_warp_unrolled_as_published(T const* in, std::uint64_t n, T* partials) {
    __shared__ T partial[max_block];
    partial[threadIdx.x] = first_add(in, n);
    __syncthreads();
    tree(partial, 2 * warp_size);
    if (threadIdx.x < warp_size) {
        T const total = warp_reduce(partial[threadIdx.x], plus{});
        if (threadIdx.x == 0) partials[blockIdx.x] = total;
    }
}

/// E5, and E6 where it is launched a second time on its own partials: a grid-stride loop by two, shuffles, warp slots.
template <class T>
__global__ void e5_shuffle_grid_stride(T const* in, std::uint64_t n, T* partials) {
    T const total = block_reduce(grid_stride_by_two(in, n), plus{});
    if (threadIdx.x == 0) partials[blockIdx.x] = total;
}

/// E6a: E5 finished by one atomic a block; `sum` must be zero before.
template <class T>
__global__ void e6a_atomic(T const* in, std::uint64_t n, T* sum) {
    T const total = block_reduce(grid_stride_by_two(in, n), plus{});
    if (threadIdx.x == 0) atomicAdd(sum, total);
}

/// E7 and E10: any associative operator with its identity under a grid-stride loop, one partial a block.
template <class T, class Operator>
__global__ void e10_generic(T const* in, std::uint64_t n, T* partials) {
    Operator const op;
    T value = Operator::template identity<T>();
    for (std::uint64_t i = grid_thread(); i < n; i += grid_threads()) value = op(value, in[i]);
    value = block_reduce(value, op);
    if (threadIdx.x == 0) partials[blockIdx.x] = value;
}

/// E10 as published: whatever the operator, the blocks' results are added; `result` is zero before.
template <class T, class Operator>
__global__ void e10_generic_as_published(T const* in, std::uint64_t n, T* result) {
    Operator const op;
    T value = Operator::template identity<T>();
    for (std::uint64_t i = grid_thread(); i < n; i += grid_threads()) value = op(value, in[i]);
    value = block_reduce(value, op);
    if (threadIdx.x == 0) atomicAdd(result, value);
}

/// The greatest of a warp's values with its index, by two shuffles a step; lane 0 gets it.
template <class T, class Order>
__device__ indexed<T> warp_argmax(indexed<T> best, Order order) {
    for (unsigned offset = warp_size / 2; offset > 0; offset /= 2) {
        indexed<T> other;
        other.value = __shfl_down_sync(full_mask, best.value, offset);
        other.index = __shfl_down_sync(full_mask, static_cast<unsigned long long>(best.index), offset);
        best = order(best, other);
    }
    return best;
}

/// E8: argmax on shuffles, one (value, index) a block. A second launch reads these as its items and finishes across
/// blocks; as published there is none, one result a block is left, and values are all that is compared.
template <class T, class Item, class Order = as_numpy>
__global__ void e8_argmax(Item const* in, std::uint64_t n, indexed<T>* partials) {
    __shared__ indexed<T> slot[warp_size];
    unsigned const lane = threadIdx.x % warp_size;
    unsigned const warp = threadIdx.x / warp_size;
    Order const order;
    indexed<T> best = nothing<T>();
    for (std::uint64_t i = grid_thread(); i < n; i += grid_threads()) best = order(best, indexed_load(in, i));
    best = warp_argmax(best, order);
    if (lane == 0) slot[warp] = best;
    __syncthreads();
    if (warp == 0) {
        best = warp_argmax(lane < blockDim.x / warp_size ? slot[lane] : nothing<T>(), order);
        if (lane == 0) partials[blockIdx.x] = best;
    }
}

// E9, four-wide loads finished as E6a, is d_block_atomic of width 4.

}  // namespace warpfold::lab
