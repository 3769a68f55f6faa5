// CUDA's device language for the ordinary host compiler. It is included by force before a kernel file, which then
// compiles as written for nvcc.
#pragma once

#define SIMT_EXECUTOR 1

// The keywords. Shared memory is thread-local storage of the host thread that runs the block; `extern __shared__` names
// become the block's dynamic shared memory when the object file is finished (see simt_kernels.cmake).
#define __global__
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
#define __shared__ thread_local
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))

#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "simt/cuda/atomic.hpp"
#include "simt/cuda/cast.hpp"
#include "simt/cuda/math.hpp"
#include "simt/cuda/memory.hpp"
#include "simt/cuda/sync.hpp"
#include "simt/cuda/vector_types.hpp"
#include "simt/cuda/warp.hpp"
#include "simt/detail/runtime.hpp"
