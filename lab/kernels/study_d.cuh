// Study D: three load widths times three ways to finish. All under a grid-stride loop over groups of `width` items,
// with a tail for the remainder.
#pragma once

#include "lab/kernels/device.cuh"

namespace warpfold::lab {

/// Adds the items of one load of `width` items, which starts at a multiple of its own size.
template <unsigned width>
struct wide_load;

template <>
struct wide_load<1> {
    template <class T>
    __device__ static T sum(T const* in, std::uint64_t group) {
        return in[group];
    }
};

template <>
struct wide_load<2> {
    __device__ static float sum(float const* in, std::uint64_t group) {
        float2 const items = reinterpret_cast<float2 const*>(in)[group];
        return items.x + items.y;
    }
    __device__ static int sum(int const* in, std::uint64_t group) {
        int2 const items = reinterpret_cast<int2 const*>(in)[group];
        return items.x + items.y;
    }
};

template <>
struct wide_load<4> {
    __device__ static float sum(float const* in, std::uint64_t group) {
        float4 const items = reinterpret_cast<float4 const*>(in)[group];
        return (items.x + items.y) + (items.z + items.w);
    }
    __device__ static int sum(int const* in, std::uint64_t group) {
        int4 const items = reinterpret_cast<int4 const*>(in)[group];
        return (items.x + items.y) + (items.z + items.w);
    }
};

/// What one thread adds: groups of `width` items one grid apart, then its share of the last n % width items. `in` is
/// aligned to width * sizeof(T) bytes.
template <unsigned width, class T>
__device__ T thread_sum(T const* in, std::uint64_t n) {
    T value = T(0);
    std::uint64_t const groups = n / width;
    for (std::uint64_t i = grid_thread(); i < groups; i += grid_threads()) value += wide_load<width>::sum(in, i);
    for (std::uint64_t i = groups * width + grid_thread(); i < n; i += grid_threads()) value += in[i];
    return value;
}

/// D1, D2, D4: warp shuffles, shared slots, one partial a block; a second launch of one block folds the partials.
template <class T, unsigned width>
__global__ void d_two_pass(T const* in, std::uint64_t n, T* partials) {
    T const total = block_reduce(thread_sum<width>(in, n), plus{});
    if (threadIdx.x == 0) partials[blockIdx.x] = total;
}

/// D1a, D2a, D4a: the same, finished by one atomic a block; `sum` must be zero before.
template <class T, unsigned width>
__global__ void d_block_atomic(T const* in, std::uint64_t n, T* sum) {
    T const total = block_reduce(thread_sum<width>(in, n), plus{});
    if (threadIdx.x == 0) atomicAdd(sum, total);
}

/// D1w, D2w, D4w: no shared memory, lane 0 of each warp adds atomically; `sum` must be zero before.
template <class T, unsigned width>
__global__ void d_warp_atomic(T const* in, std::uint64_t n, T* sum) {
    T const total = warp_reduce(thread_sum<width>(in, n), plus{});
    if (threadIdx.x % warp_size == 0) atomicAdd(sum, total);
}

}  // namespace warpfold::lab
