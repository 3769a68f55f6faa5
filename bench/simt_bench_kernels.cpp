#include "bench/simt_bench_kernels.hpp"

namespace {

__global__ void tree(float const* in, float* out, std::size_t n) {
    __shared__ float partial[256];
    unsigned const tid = threadIdx.x;
    std::size_t const i = std::size_t{blockIdx.x} * blockDim.x + tid;
    partial[tid] = i < n ? in[i] : 0.0F;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s) partial[tid] += partial[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = partial[0];
}

__global__ void grid_stride(float const* in, float* out, std::size_t n) {
    __shared__ float slots[32];
    float sum = 0;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n;
         i += std::size_t{gridDim.x} * blockDim.x) {
        sum += in[i];
    }
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0U, sum, d);
    if (threadIdx.x % 32 == 0) slots[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    sum = threadIdx.x < blockDim.x / 32 ? slots[threadIdx.x] : 0.0F;
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0U, sum, d);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void barriers(unsigned count) {
    for (unsigned i = 0; i < count; ++i) __syncthreads();
}

}  // namespace

namespace SIMT_FLAVOUR {

simt::report sum_by_tree(simt::config const& config, float const* in, float* out, std::size_t n) {
    return simt::launch(config, tree, in, out, n);
}

simt::report sum_by_grid_stride(simt::config const& config, float const* in, float* out, std::size_t n) {
    return simt::launch(config, grid_stride, in, out, n);
}

simt::report only_barriers(simt::config const& config, unsigned count) {
    return simt::launch(config, barriers, count);
}

}  // namespace SIMT_FLAVOUR
