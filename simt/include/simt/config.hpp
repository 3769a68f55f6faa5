// How a kernel is launched.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/cuda/vector_types.hpp"

namespace simt {

// The order in which blocks begin, a block's warps run, and a warp's lanes run.
enum class schedule { in_order, reversed, random };

// What the device accepts; the defaults are those of compute capability 9.0.
struct device_limits {
    unsigned threads_per_block = 1024;
    dim3 block{1024, 1024, 64};
    dim3 grid{2147483647, 65535, 65535};
    std::size_t shared_bytes = 227 * 1024;  // dynamic shared memory a block, after opting in
    unsigned cooperative_blocks = 132 * 32;
};

struct config {
    dim3 grid;
    dim3 block;
    std::size_t shared_bytes = 0;  // dynamic shared memory a block
    bool cooperative = false;      // all blocks are resident: this_grid().sync() works
    bool checks = false;           // needs the checked flavour of the kernel
    bool counters = false;         // needs the checked flavour of the kernel
    simt::schedule schedule = simt::schedule::in_order;
    std::uint64_t seed = 0;           // of the random schedule
    int threads = 0;                  // host threads; 0: one a core
    std::size_t stack_bytes = 65536;  // of one thread of the kernel
    device_limits limits = {};
};

}  // namespace simt
