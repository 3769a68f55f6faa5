// The built-in variables. The executor rewrites them at every switch; within one thread of a kernel they never change,
// and `const` lets the compiler know it (and keeps the checked flavour from reporting their reads).
#pragma once

#include "simt/cuda/vector_types.hpp"

extern constinit thread_local const uint3 threadIdx;
extern constinit thread_local const uint3 blockIdx;
extern constinit thread_local const uint3 blockDim;  // not dim3: GCC reports reads of constants of class types
extern constinit thread_local const uint3 gridDim;
inline constexpr int warpSize = 32;
