// What the kernels of all studies share: where a thread is, operators with their identities, and the two reductions
// that every good kernel ends with, over a warp and over a block.
#pragma once

#include <cstdint>

namespace warpfold::lab {

constexpr unsigned warp_size = 32;
constexpr unsigned max_block = 1024;
constexpr unsigned full_mask = 0xffffffffu;

/// Index of this thread in the whole grid; 64 bits, because a grid may hold more than 2^32 threads.
__device__ inline std::uint64_t grid_thread() {
    return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}

/// Threads in the whole grid: the step of a grid-stride loop.
__device__ inline std::uint64_t grid_threads() {
    return std::uint64_t{gridDim.x} * blockDim.x;
}

// What no item is greater than, and what none is smaller than: an infinity where the type has one.
__device__ inline float highest(float) {
    return __builtin_huge_valf();
}
__device__ inline float lowest(float) {
    return -__builtin_huge_valf();
}
__device__ inline int highest(int) {
    return 0x7fffffff;
}
__device__ inline int lowest(int) {
    return -0x7fffffff - 1;
}

// Operators: associative, with the identity that leaves every item as it is.

struct plus {
    template <class T>
    __device__ static T identity() {
        return T(0);
    }
    template <class T>
    __device__ T operator()(T a, T b) const {
        return a + b;
    }
};

struct multiplies {
    template <class T>
    __device__ static T identity() {
        return T(1);
    }
    template <class T>
    __device__ T operator()(T a, T b) const {
        return a * b;
    }
};

struct maximum {
    template <class T>
    __device__ static T identity() {
        return lowest(T{});
    }
    template <class T>
    __device__ T operator()(T a, T b) const {
        return a < b ? b : a;
    }
};

struct minimum {
    template <class T>
    __device__ static T identity() {
        return highest(T{});
    }
    template <class T>
    __device__ T operator()(T a, T b) const {
        return b < a ? b : a;
    }
};

/// Folds the 32 values of a warp. All lanes must call; lane 0 gets the result.
template <class T, class Operator>
__device__ T warp_reduce(T value, Operator op) {
    for (unsigned offset = warp_size / 2; offset > 0; offset /= 2) {
        value = op(value, __shfl_down_sync(full_mask, value, offset));
    }
    return value;
}

/// Folds the values of a block, whose size is a multiple of 32. All threads must call; thread 0 gets the result.
template <class T, class Operator>
__device__ T block_reduce(T value, Operator op) {
    __shared__ T slot[warp_size];
    unsigned const lane = threadIdx.x % warp_size;
    unsigned const warp = threadIdx.x / warp_size;

    value = warp_reduce(value, op);
    if (lane == 0) slot[warp] = value;
    __syncthreads();
    if (warp == 0) {
        value = lane < blockDim.x / warp_size ? slot[lane] : Operator::template identity<T>();
        value = warp_reduce(value, op);
    }
    __syncthreads();  // the next call writes the slots again
    return value;
}

/// Halves the partials of a block until `last` are left, both powers of two. They must have been written before a
/// barrier; after the last step there is one too.
template <class T>
__device__ void tree(T* partial, unsigned last) {
    for (unsigned stride = blockDim.x / 2; stride >= last; stride /= 2) {
        if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
        __syncthreads();
    }
}

/// The last 64 partials of a block, folded by the first warp without a loop. Lanes of a warp need not run in step, so
/// every step reads, waits for the other lanes, writes and waits again.
template <class T>
__device__ void unrolled_warp(T* partial) {
    T value = partial[threadIdx.x];
    for (unsigned stride = warp_size; stride > 0; stride /= 2) {
        value += partial[threadIdx.x + stride];
        __syncwarp();
        partial[threadIdx.x] = value;
        __syncwarp();
    }
}

/// unrolled_warp as it was published twice: it trusts that the lanes of a warp run in step, which they need not since
/// compute capability 7.0.
template <class T>
__device__ void unrolled_warp_as_published(T volatile* partial) {
    unsigned const tid = threadIdx.x;
    partial[tid] = partial[tid] + partial[tid + 32];
    partial[tid] = partial[tid] + partial[tid + 16];
    partial[tid] = partial[tid] + partial[tid + 8];
    partial[tid] = partial[tid] + partial[tid + 4];
    partial[tid] = partial[tid] + partial[tid + 2];
    partial[tid] = partial[tid] + partial[tid + 1];
}

}  // namespace warpfold::lab
