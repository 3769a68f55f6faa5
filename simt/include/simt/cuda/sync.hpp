// Block barriers, fences, and what a thread may ask of the machine.
#pragma once

#include <chrono>

#include "simt/cuda/keywords.hpp"
#include "simt/detail/runtime.hpp"
#include "simt/detail/step.hpp"

__forceinline__ void __syncthreads() {
    if (!simt::detail::pass_barrier_in_step()) simt::detail::block_barrier();
}
__forceinline__ int __syncthreads_count(int predicate) {
    return simt::detail::counting_barrier(simt::detail::barrier_op::count, predicate);
}
__forceinline__ int __syncthreads_and(int predicate) {
    return simt::detail::counting_barrier(simt::detail::barrier_op::all, predicate);
}
__forceinline__ int __syncthreads_or(int predicate) {
    return simt::detail::counting_barrier(simt::detail::barrier_op::any, predicate);
}

__forceinline__ void __threadfence_block() {
    simt::detail::fence(simt::detail::fence_scope::block);
}
__forceinline__ void __threadfence() {
    simt::detail::fence(simt::detail::fence_scope::device);
}
__forceinline__ void __threadfence_system() {
    simt::detail::fence(simt::detail::fence_scope::system);
}

// A sleeping thread waits for another one, so that one runs instead.
__forceinline__ void __nanosleep(unsigned) {
    simt::detail::yield();
}
[[noreturn]] __forceinline__ void __trap() {
    simt::detail::trap("__trap()");
}

// Nanoseconds of the host's clock: it tells that time passes, not how long a device would take.
inline long long clock64() {
    return std::chrono::steady_clock::now().time_since_epoch().count();
}

__forceinline__ bool __isShared(void const* address) {
    return simt::detail::is_shared(address);
}
__forceinline__ bool __isGlobal(void const* address) {
    return !simt::detail::is_shared(address);
}
