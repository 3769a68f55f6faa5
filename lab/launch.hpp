// The engine of the compiler at work, for run functions: buffer<T>(run, size or items, name), global memory of the
// engine, and launch(run, blocks, threads, kernel, arguments...).
#pragma once

#if defined(__CUDACC__)
#include "lab/device_launch.hpp"
#else
#include "lab/executor_launch.hpp"
#endif
