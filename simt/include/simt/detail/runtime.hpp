// What kernel code calls in the executor. The functions are defined in the library, never inlined, because the address
// that they return to names the kernel's source line (a barrier in step names its own: step.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

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
enum class barrier_op : std::uint8_t { count, all, any };

void block_barrier();
int counting_barrier(barrier_op op, int predicate);
void grid_barrier();
// `argument` is a lane, a distance or a lane mask; the result is that of the calling lane.
std::uint64_t warp_exchange(warp_op op, unsigned mask, std::uint64_t value, int argument, int width);
void fence(fence_scope scope);
// Lets another thread of the block run: a thread that waits for a value another thread stores.
void yield();
// Ends the launch with a finding, as a trap does on the device.
[[noreturn]] void trap(char const* expression);

// Whether the address lies in the running block's shared memory.
bool is_shared(void const* address);
// The block's dynamic shared memory.
std::byte* dynamic_shared();
bool is_cooperative();

}  // namespace simt::detail
