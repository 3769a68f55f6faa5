#include <thrust/device_vector.h>
#include <warpfold/composite.hpp>
#include <warpfold/device/launch.hpp>
#include <warpfold/folds/sums.hpp>

#include <cuda/std/span>
#include <span>

float sum(float const* x, wf::index_t n, cudaStream_t stream) { return wf::reduce(wf::device_span<float>(x, n), wf::sum, wf::on(stream)); }
// Ranges that say that they lie on a device, and others.
float sum(thrust::device_vector<float> const& x) { return wf::sum(x); }
float sum(thrust::device_vector<float> const& x, cudaStream_t stream) { return wf::reduce(x, wf::sum, wf::on(stream)); }
float sum(std::span<float const> x, cudaStream_t stream) { return wf::reduce(x, wf::sum, wf::on(stream)); }
float sum(cuda::std::span<float const> x, cudaStream_t stream) { return wf::reduce(x, wf::sum, wf::on(stream)); }

struct half_of {
    __device__ float operator()(float x) const { return x / 2; }
};
float sum_of_halves(thrust::device_vector<float> const& x) { return wf::sum(wf::map(half_of{}, x)); }
