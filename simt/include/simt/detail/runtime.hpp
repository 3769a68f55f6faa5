// What kernel code calls in the executor. The functions are defined in the library, never inlined, because the address
// that they return to names the kernel's source line.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/cuda/vector_types.hpp"

#if defined(SIMT_CHECKED)
#define SIMT_FLAVOUR checked
#else
#define SIMT_FLAVOUR plain
#endif

// The runtime rewrites these at every switch; within one thread of a kernel they never change, and `const` lets the
// compiler know it (and keeps the checked flavour from reporting their reads).
extern constinit thread_local const uint3 threadIdx;
extern constinit thread_local const uint3 blockIdx;
extern constinit thread_local const dim3 blockDim;
extern constinit thread_local const dim3 gridDim;
inline constexpr int warpSize = 32;

namespace simt::detail {

#if defined(SIMT_CHECKED)
inline constexpr bool is_checked = true;
#else
inline constexpr bool is_checked = false;
#endif

enum class warp_op : std::uint8_t {
    sync,
    shuffle,
    shuffle_up,
    shuffle_down,
    shuffle_xor,
    ballot,
    any,
    all,
    match_any,
    match_all,
    add,
    minimum,
    maximum,
    minimum_signed,
    maximum_signed,
    bit_and,
    bit_or,
    bit_xor,
    active_mask
};

enum class fence_scope : std::uint8_t { block, device, system };

// Which predicate a counting barrier combines over the block.
enum class barrier_op : std::uint8_t { plain, count, all, any };

int block_barrier(barrier_op op, int predicate);
void grid_barrier();
// `argument` is a lane, a distance or a lane mask; the result is that of the calling lane.
std::uint64_t warp_exchange(warp_op op, unsigned mask, std::uint64_t value, int argument, int width);
void fence(fence_scope scope);
// Lets another thread of the block run: a thread that waits for a value another thread stores.
void yield();
// Tells the checks and counters of an atomic operation; the operation itself follows.
void note_atomic(void const* address, std::size_t bytes);
// Ends the launch with a finding, as a trap does on the device.
[[noreturn]] void trap(char const* expression);

// Whether the address lies in the running block's shared memory.
bool is_shared(void const* address);
std::byte* dynamic_shared();
std::size_t dynamic_shared_bytes();
bool is_cooperative();

}  // namespace simt::detail
