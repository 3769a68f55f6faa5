// Kernels that are launched by the CUDA runtime.
#include <cuda_runtime.h>

#include "runtime.hpp"

namespace {

__global__ void doubled(float const* in, float* out, unsigned n) {
    unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}

__global__ void first_and_last_of_shared(float* out, unsigned n) {
    extern __shared__ float items[];
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) items[i] = static_cast<float>(i);
    __syncthreads();
    if (threadIdx.x == 0) out[0] = items[0] + items[n - 1];
}

cudaLaunchConfig_t shape(unsigned blocks, unsigned threads, std::size_t shared_bytes, cudaStream_t stream) {
    cudaLaunchConfig_t config{};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    return config;
}

}  // namespace

namespace SIMT_FLAVOUR {

cudaError_t launch_doubled(float const* in, float* out, unsigned n, cudaStream_t stream) {
    cudaLaunchConfig_t const config = shape((n + 63) / 64, 64, 0, stream);
    return cudaLaunchKernelEx(&config, doubled, in, out, n);
}

cudaError_t launch_with_shared(float* out, unsigned n, bool asks) {
    if (asks) {
        auto const* const kernel = reinterpret_cast<void const*>(first_and_last_of_shared);
        if (cudaError_t const e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(n * 4))) return e;
    }
    cudaLaunchConfig_t const config = shape(1, 64, n * 4, nullptr);
    return cudaLaunchKernelEx(&config, first_and_last_of_shared, out, n);
}

cudaError_t launch_with_window(float* in, float* out, unsigned n, std::size_t window_bytes) {
    cudaLaunchAttribute window{.id = cudaLaunchAttributeAccessPolicyWindow, .val = {}};
    window.val.accessPolicyWindow = {in, window_bytes, 1, cudaAccessPropertyStreaming, cudaAccessPropertyNormal};
    cudaLaunchConfig_t config = shape((n + 63) / 64, 64, 0, nullptr);
    config.attrs = &window;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, doubled, in, out, n);
}

void* doubled_of_a_graph(bool asks) {
    if (asks && cudaFuncSetAttribute(doubled, cudaFuncAttributeMaxDynamicSharedMemorySize, 0) != cudaSuccess) return nullptr;
    return reinterpret_cast<void*>(doubled);
}

}  // namespace SIMT_FLAVOUR
