// Errors of the CUDA runtime as exceptions.
#pragma once

#include <cuda_runtime.h>

#include "../error.hpp"

namespace warpfold::device {

/// A call of the CUDA runtime that failed; `code` is its cudaError_t.
struct cuda_error : error {
    cuda_error(cudaError_t failure, char const* call)
        : error(call, ": ", cudaGetErrorString(failure), " (", cudaGetErrorName(failure), ")"), code{failure} {}
    cudaError_t code;
};

/// Throws cuda_error unless `result` is success. `call` names what was called. (Out of line: in each of twenty places a
/// throw took the host compiler 0.03 s more, of 0.4.)
[[gnu::noinline]] inline void check(cudaError_t result, char const* call) {
    if (result == cudaSuccess) return;
    cudaGetLastError();  // the error is reported here and must not surface in the caller's next call too
    throw cuda_error{result, call};
}

}  // namespace warpfold::device
