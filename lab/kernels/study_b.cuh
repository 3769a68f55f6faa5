// Study B: a notebook's first kernels. Atomics under a grid-stride loop, then the two-pass tree with any operator.
#pragma once

#include "lab/kernels/device.cuh"
#include "lab/kernels/indexed.cuh"

namespace warpfold::lab {

/// B1: a grid-stride loop, one global atomic an item; `sum` must be zero before.
template <class T>
__global__ void b1_atomic_strided(T const* in, std::uint64_t n, T* sum) {
    for (std::uint64_t i = grid_thread(); i < n; i += grid_threads()) atomicAdd(sum, in[i]);
}

/// B2 to B5: each thread folds the items of a grid-stride loop, a tree in shared memory folds the threads, one partial
/// a block. A second launch of one block folds the partials.
template <class T, class Operator>
__global__ void b2_two_pass(T const* in, std::uint64_t n, T* partials) {
    __shared__ T partial[max_block];
    Operator const op;
    T value = Operator::template identity<T>();
    for (std::uint64_t i = grid_thread(); i < n; i += grid_threads()) value = op(value, in[i]);
    partial[threadIdx.x] = value;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) partial[threadIdx.x] = op(partial[threadIdx.x], partial[threadIdx.x + stride]);
        __syncthreads();
    }
    if (threadIdx.x == 0) partials[blockIdx.x] = partial[0];
}

/// B6: the last step of the mean, one thread: the sum over all n items, divided by n. NaN where n is 0.
template <class T>
__global__ void b6_divide(T const* sum, std::uint64_t n, float* mean) {
    *mean = static_cast<float>(*sum) / static_cast<float>(n);
}

/// B7: b2_two_pass for items that carry their index: `in` is read through indexed_load.
template <class T, class Item>
__global__ void b7_argmax(Item const* in, std::uint64_t n, indexed<T>* partials) {
    __shared__ indexed<T> partial[max_block];
    indexed<T> best = nothing<T>();
    for (std::uint64_t i = grid_thread(); i < n; i += grid_threads()) best = greater(best, indexed_load(in, i));
    partial[threadIdx.x] = best;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) partial[threadIdx.x] = greater(partial[threadIdx.x], partial[threadIdx.x + stride]);
        __syncthreads();
    }
    if (threadIdx.x == 0) partials[blockIdx.x] = partial[0];
}

}  // namespace warpfold::lab
