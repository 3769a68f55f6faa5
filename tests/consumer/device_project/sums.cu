#include <warpfold/device/launch.hpp>
#include <warpfold/folds/sums.hpp>

float sum(float const* x, wf::index_t n, cudaStream_t stream) { return wf::reduce(wf::device_span<float>(x, n), wf::sum, wf::on(stream)); }
