// What kernel code calls: each hands the address that it returns to, which names the kernel's line, to the block.
#include "simt/detail/runtime.hpp"

#include "monitor.hpp"

// Every `extern __shared__` array is this one (see finish_object).
extern "C" {
alignas(128) constinit thread_local std::byte simt_dynamic_shared[simt::device_limits{}.shared_bytes]{};
}

namespace simt::detail {

void grid_barrier() {
    active().grid_barrier(__builtin_return_address(0));
}

void fence(fence_scope scope) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (monitor* const watch = active().watch()) watch->fence(scope);
}

void yield() {
    active().yield();
}

void trap(char const* expression) {
    active().trap(expression, __builtin_return_address(0));
}

bool is_shared(void const* address) {
    auto const [low, bytes] = thread_local_range();
    return reinterpret_cast<std::uintptr_t>(address) - low < bytes;
}

std::byte* dynamic_shared() {
    return simt_dynamic_shared;
}

bool is_cooperative() {
    return active().launch().config.cooperative;
}

}  // namespace simt::detail
