// What a test asks of the executor's CUDA runtime: how kernels are launched through it, what the checks found, and
// which calls fail.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "simt/config.hpp"
#include "simt/report.hpp"

namespace simt::runtime {

// How kernels run; what a launch says itself (grid, block, shared memory) is ignored here. At first: in order, with
// checks where the flavour has them. The seed of a random schedule grows by one with each launch.
void set_config(config const& how);

// Findings and counters of all launches since the last call.
[[nodiscard]] report take_report();

// The call of the runtime function `name` that comes after `successes` others of it returns `error` and does nothing
// else. A negative number of successes lets no call fail.
void fail_call(std::string name, cudaError_t error, int successes = 0);

// Bytes of cudaMalloc and cudaHostAlloc that are in use.
[[nodiscard]] std::size_t allocated_bytes();

// An access out of bounds, a misaligned one, a trap and a deadlock end all work on a device: every later call returns
// the error. This forgets it.
void forget_sticky_error();

}  // namespace simt::runtime
