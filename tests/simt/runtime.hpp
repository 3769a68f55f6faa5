// Launches by the CUDA runtime, in both flavours.
#pragma once

#include <cuda_runtime.h>

namespace plain {
cudaError_t launch_doubled(float const* in, float* out, unsigned n, cudaStream_t stream);
cudaError_t launch_with_shared(float* out, unsigned n, bool asks);
cudaError_t launch_with_window(float* in, float* out, unsigned n, std::size_t window_bytes);
/// What a graph runs: launch_doubled's kernel, known to graphs if it `asks` for shared memory.
void* doubled_of_a_graph(bool asks);
}  // namespace plain

namespace checked {
cudaError_t launch_doubled(float const* in, float* out, unsigned n, cudaStream_t stream);
cudaError_t launch_with_shared(float* out, unsigned n, bool asks);
cudaError_t launch_with_window(float* in, float* out, unsigned n, std::size_t window_bytes);
/// What a graph runs: launch_doubled's kernel, known to graphs if it `asks` for shared memory.
void* doubled_of_a_graph(bool asks);
}  // namespace checked
