// CUDA's keywords. Shared memory is thread-local storage of the host thread that runs the block; `extern __shared__`
// names become the block's dynamic shared memory when the object file is finished (see finish_object).
#pragma once

#define SIMT_EXECUTOR 1

#if defined(SIMT_CHECKED)
#define SIMT_FLAVOUR checked
#else
#define SIMT_FLAVOUR plain
#endif
#if defined(SIMT_CHECKED) && !defined(SIMT_UNCOUNTED)
// One body, as nvcc makes of a kernel: the order of code addresses is then the order of the source.
#define __global__ __attribute__((flatten))
#else
#define __global__
#endif
#if defined(SIMT_UNCOUNTED)  // functions stay calls (simt_kernels.cmake)
#define __forceinline__ inline
#else
#define __forceinline__ inline __attribute__((always_inline))
#endif
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
#define __shared__ thread_local
// Empty, because libstdc++ names an attribute so.
#define __noinline__
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
