// The kernels and calls that need CUB, and with it nvcc.
#pragma once

#include <cub/cub.cuh>

#include "lab/kernels/device.cuh"
#include "lab/kernels/histogram.cuh"
#include "lab/kernels/study_c.cuh"
#include "lab/launch.hpp"

namespace warpfold::lab {

/// A8: cub::BlockReduce over one item a thread, one atomic a block; `sum` must be zero before.
template <class T, unsigned block>
__global__ void a8_cub_block(T const* in, std::uint64_t n, T* sum) {
    using reduction = cub::BlockReduce<T, block>;
    __shared__ typename reduction::TempStorage storage;
    std::uint64_t const i = grid_thread();
    T const total = reduction(storage).Sum(i < n ? in[i] : T(0));
    if (threadIdx.x == 0) atomicAdd(sum, total);
}

/// E11: E6a with cub::BlockReduce in the place of our own shuffles and slots.
template <class T, unsigned block>
__global__ void e11_cub_block(T const* in, std::uint64_t n, T* sum) {
    using reduction = cub::BlockReduce<T, block>;
    __shared__ typename reduction::TempStorage storage;
    T const total = reduction(storage).Sum(grid_stride_by_two(in, n));
    if (threadIdx.x == 0) atomicAdd(sum, total);
}

/// E12: cub::WarpReduce a warp, one atomic a warp.
template <class T>
__global__ void e12_cub_warp(T const* in, std::uint64_t n, T* sum) {
    using reduction = cub::WarpReduce<T>;
    __shared__ typename reduction::TempStorage storage[max_block / warp_size];
    T const total = reduction(storage[threadIdx.x / warp_size]).Sum(grid_stride_by_two(in, n));
    if (threadIdx.x % warp_size == 0) atomicAdd(sum, total);
}

/// E-cub: cub::DeviceReduce over everything.
template <class T>
answer cub_device_sum(execution&, std::span<T const> items) {
    buffer<T> in(items, "input");
    buffer<T> result(1, "result");
    std::size_t bytes = 0;
    check(cub::DeviceReduce::Sum(nullptr, bytes, in.data(), result.data(), in.size()), "cub::DeviceReduce");
    buffer<char> workspace(bytes, "workspace");
    check(cub::DeviceReduce::Sum(workspace.data(), bytes, in.data(), result.data(), in.size()), "cub::DeviceReduce");
    return {static_cast<double>(result.read(0))};
}

/// H-cub: cub::DeviceHistogram with 256 even bins.
inline answer cub_device_histogram(execution&, std::span<std::uint8_t const> items) {
    buffer<std::uint8_t> in(items, "input");
    buffer<bin_count> result(bins, "counts");
    std::size_t bytes = 0;
    auto const n = static_cast<std::int64_t>(in.size());
    auto const levels = static_cast<int>(bins) + 1;
    auto const call = [&](void* workspace) {
        return cub::DeviceHistogram::HistogramEven(workspace, bytes, in.data(), result.data(), levels, 0, 256, n);
    };
    check(call(nullptr), "cub::DeviceHistogram");
    buffer<char> workspace(bytes, "workspace");
    check(call(workspace.data()), "cub::DeviceHistogram");
    answer found(bins);
    for (unsigned bin = 0; bin < bins; ++bin) found[bin] = static_cast<double>(result.read(bin));
    return found;
}

}  // namespace warpfold::lab
