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
answer cub_device_sum(execution& run, std::span<T const> items) {
    buffer<T> in(run, items, "input");
    buffer<T> result(run, 1, "result");
    std::size_t bytes = 0;
    auto const sum = [to = result.data(), from = in.data(), n = in.size()](void* workspace, std::size_t& size) {
        check(cub::DeviceReduce::Sum(workspace, size, from, to, n), "cub::DeviceReduce");
    };
    sum(nullptr, bytes);
    buffer<char> workspace(run, bytes, "workspace");
    launch(run, [sum, at = workspace.data(), bytes]() mutable { sum(at, bytes); });
    return {static_cast<double>(result.read(0))};
}

/// H-cub: cub::DeviceHistogram with 256 even bins, counted in `Count`.
template <class Count>
answer cub_device_counts(execution& run, std::span<std::uint8_t const> items) {
    buffer<std::uint8_t> in(run, items, "input");
    buffer<Count> result(run, bins, "counts");
    std::size_t bytes = 0;
    auto const n = static_cast<std::int64_t>(in.size());
    auto const levels = static_cast<int>(bins) + 1;
    auto const count = [to = result.data(), from = in.data(), levels, n](void* workspace, std::size_t& size) {
        check(cub::DeviceHistogram::HistogramEven(workspace, size, from, to, levels, 0, 256, n),
              "cub::DeviceHistogram");
    };
    count(nullptr, bytes);
    buffer<char> workspace(run, bytes, "workspace");
    launch(run, [count, at = workspace.data(), bytes]() mutable { count(at, bytes); });
    answer found(bins);
    for (unsigned bin = 0; bin < bins; ++bin) found[bin] = static_cast<double>(result.read(bin));
    return found;
}

/// In 32 bits where no count can be larger: 64 make it eight times as slow on an H200.
inline answer cub_device_histogram(execution& run, std::span<std::uint8_t const> items) {
    return items.size() >> 32 == 0 ? cub_device_counts<unsigned>(run, items) : cub_device_counts<bin_count>(run, items);
}

}  // namespace warpfold::lab
