// The built-in variables as the executor sees them: kernel code declares the same variables const (see
// cuda/builtin.hpp), because no kernel thread ever sees them change.
#pragma once

#include "simt/cuda/vector_types.hpp"

extern constinit thread_local uint3 threadIdx;
extern constinit thread_local uint3 blockIdx;
extern constinit thread_local uint3 blockDim;
extern constinit thread_local uint3 gridDim;
