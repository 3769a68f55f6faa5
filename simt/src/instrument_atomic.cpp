// Atomic operations that kernel code does through the language (std::atomic_ref, __atomic_*) in the checked flavour,
// and the memory functions that the compiler does not announce by itself.
#include <cstdint>
#include <cstring>

#include "monitor.hpp"

namespace {

using simt::detail::access_kind;

void announce(void const volatile* address, std::size_t bytes, access_kind kind, void const* code) {
    simt::detail::block const* const active = simt::detail::active_block();
    if (active == nullptr || active->watch() == nullptr) return;
    active->watch()->access(reinterpret_cast<std::uintptr_t>(address), bytes, kind, code);
}

void announce_fence() {
    simt::detail::block const* const active = simt::detail::active_block();
    if (active == nullptr || active->watch() == nullptr) return;
    active->watch()->fence(simt::detail::fence_scope::system);
}

}  // namespace

// The orders that the caller asked for are weaker than what is done here.
extern "C" {

std::uint8_t __tsan_atomic8_load(std::uint8_t const volatile* address, int) {
    announce(address, 1, access_kind::atomic_read, __builtin_return_address(0));
    return __atomic_load_n(address, __ATOMIC_SEQ_CST);
}
void __tsan_atomic8_store(std::uint8_t volatile* address, std::uint8_t value, int) {
    announce(address, 1, access_kind::atomic_write, __builtin_return_address(0));
    __atomic_store_n(address, value, __ATOMIC_SEQ_CST);
}
std::uint8_t __tsan_atomic8_exchange(std::uint8_t volatile* address, std::uint8_t value, int) {
    announce(address, 1, access_kind::atomic, __builtin_return_address(0));
    return __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);
}
std::uint8_t __tsan_atomic8_fetch_add(std::uint8_t volatile* address, std::uint8_t value, int) {
    announce(address, 1, access_kind::atomic, __builtin_return_address(0));
    return __atomic_fetch_add(address, value, __ATOMIC_SEQ_CST);
}
std::uint8_t __tsan_atomic8_fetch_sub(std::uint8_t volatile* address, std::uint8_t value, int) {
    announce(address, 1, access_kind::atomic, __builtin_return_address(0));
    return __atomic_fetch_sub(address, value, __ATOMIC_SEQ_CST);
}
std::uint8_t __tsan_atomic8_fetch_and(std::uint8_t volatile* address, std::uint8_t value, int) {
    announce(address, 1, access_kind::atomic, __builtin_return_address(0));
    return __atomic_fetch_and(address, value, __ATOMIC_SEQ_CST);
}
std::uint8_t __tsan_atomic8_fetch_or(std::uint8_t volatile* address, std::uint8_t value, int) {
    announce(address, 1, access_kind::atomic, __builtin_return_address(0));
    return __atomic_fetch_or(address, value, __ATOMIC_SEQ_CST);
}
std::uint8_t __tsan_atomic8_fetch_xor(std::uint8_t volatile* address, std::uint8_t value, int) {
    announce(address, 1, access_kind::atomic, __builtin_return_address(0));
    return __atomic_fetch_xor(address, value, __ATOMIC_SEQ_CST);
}
bool __tsan_atomic8_compare_exchange_strong(std::uint8_t volatile* address, std::uint8_t* expected, std::uint8_t value,
                                            int, int) {
    announce(address, 1, access_kind::atomic, __builtin_return_address(0));
    return __atomic_compare_exchange_n(address, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
bool __tsan_atomic8_compare_exchange_weak(std::uint8_t volatile* address, std::uint8_t* expected, std::uint8_t value,
                                          int, int) {
    announce(address, 1, access_kind::atomic, __builtin_return_address(0));
    return __atomic_compare_exchange_n(address, expected, value, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
std::uint16_t __tsan_atomic16_load(std::uint16_t const volatile* address, int) {
    announce(address, 2, access_kind::atomic_read, __builtin_return_address(0));
    return __atomic_load_n(address, __ATOMIC_SEQ_CST);
}
void __tsan_atomic16_store(std::uint16_t volatile* address, std::uint16_t value, int) {
    announce(address, 2, access_kind::atomic_write, __builtin_return_address(0));
    __atomic_store_n(address, value, __ATOMIC_SEQ_CST);
}
std::uint16_t __tsan_atomic16_exchange(std::uint16_t volatile* address, std::uint16_t value, int) {
    announce(address, 2, access_kind::atomic, __builtin_return_address(0));
    return __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);
}
std::uint16_t __tsan_atomic16_fetch_add(std::uint16_t volatile* address, std::uint16_t value, int) {
    announce(address, 2, access_kind::atomic, __builtin_return_address(0));
    return __atomic_fetch_add(address, value, __ATOMIC_SEQ_CST);
}
std::uint16_t __tsan_atomic16_fetch_sub(std::uint16_t volatile* address, std::uint16_t value, int) {
    announce(address, 2, access_kind::atomic, __builtin_return_address(0));
    return __atomic_fetch_sub(address, value, __ATOMIC_SEQ_CST);
}
std::uint16_t __tsan_atomic16_fetch_and(std::uint16_t volatile* address, std::uint16_t value, int) {
    announce(address, 2, access_kind::atomic, __builtin_return_address(0));
    return __atomic_fetch_and(address, value, __ATOMIC_SEQ_CST);
}
std::uint16_t __tsan_atomic16_fetch_or(std::uint16_t volatile* address, std::uint16_t value, int) {
    announce(address, 2, access_kind::atomic, __builtin_return_address(0));
    return __atomic_fetch_or(address, value, __ATOMIC_SEQ_CST);
}
std::uint16_t __tsan_atomic16_fetch_xor(std::uint16_t volatile* address, std::uint16_t value, int) {
    announce(address, 2, access_kind::atomic, __builtin_return_address(0));
    return __atomic_fetch_xor(address, value, __ATOMIC_SEQ_CST);
}
bool __tsan_atomic16_compare_exchange_strong(std::uint16_t volatile* address, std::uint16_t* expected,
                                             std::uint16_t value, int, int) {
    announce(address, 2, access_kind::atomic, __builtin_return_address(0));
    return __atomic_compare_exchange_n(address, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
bool __tsan_atomic16_compare_exchange_weak(std::uint16_t volatile* address, std::uint16_t* expected,
                                           std::uint16_t value, int, int) {
    announce(address, 2, access_kind::atomic, __builtin_return_address(0));
    return __atomic_compare_exchange_n(address, expected, value, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
std::uint32_t __tsan_atomic32_load(std::uint32_t const volatile* address, int) {
    announce(address, 4, access_kind::atomic_read, __builtin_return_address(0));
    return __atomic_load_n(address, __ATOMIC_SEQ_CST);
}
void __tsan_atomic32_store(std::uint32_t volatile* address, std::uint32_t value, int) {
    announce(address, 4, access_kind::atomic_write, __builtin_return_address(0));
    __atomic_store_n(address, value, __ATOMIC_SEQ_CST);
}
std::uint32_t __tsan_atomic32_exchange(std::uint32_t volatile* address, std::uint32_t value, int) {
    announce(address, 4, access_kind::atomic, __builtin_return_address(0));
    return __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);
}
std::uint32_t __tsan_atomic32_fetch_add(std::uint32_t volatile* address, std::uint32_t value, int) {
    announce(address, 4, access_kind::atomic, __builtin_return_address(0));
    return __atomic_fetch_add(address, value, __ATOMIC_SEQ_CST);
}
std::uint32_t __tsan_atomic32_fetch_sub(std::uint32_t volatile* address, std::uint32_t value, int) {
    announce(address, 4, access_kind::atomic, __builtin_return_address(0));
    return __atomic_fetch_sub(address, value, __ATOMIC_SEQ_CST);
}
std::uint32_t __tsan_atomic32_fetch_and(std::uint32_t volatile* address, std::uint32_t value, int) {
    announce(address, 4, access_kind::atomic, __builtin_return_address(0));
    return __atomic_fetch_and(address, value, __ATOMIC_SEQ_CST);
}
std::uint32_t __tsan_atomic32_fetch_or(std::uint32_t volatile* address, std::uint32_t value, int) {
    announce(address, 4, access_kind::atomic, __builtin_return_address(0));
    return __atomic_fetch_or(address, value, __ATOMIC_SEQ_CST);
}
std::uint32_t __tsan_atomic32_fetch_xor(std::uint32_t volatile* address, std::uint32_t value, int) {
    announce(address, 4, access_kind::atomic, __builtin_return_address(0));
    return __atomic_fetch_xor(address, value, __ATOMIC_SEQ_CST);
}
bool __tsan_atomic32_compare_exchange_strong(std::uint32_t volatile* address, std::uint32_t* expected,
                                             std::uint32_t value, int, int) {
    announce(address, 4, access_kind::atomic, __builtin_return_address(0));
    return __atomic_compare_exchange_n(address, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
bool __tsan_atomic32_compare_exchange_weak(std::uint32_t volatile* address, std::uint32_t* expected,
                                           std::uint32_t value, int, int) {
    announce(address, 4, access_kind::atomic, __builtin_return_address(0));
    return __atomic_compare_exchange_n(address, expected, value, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
std::uint64_t __tsan_atomic64_load(std::uint64_t const volatile* address, int) {
    announce(address, 8, access_kind::atomic_read, __builtin_return_address(0));
    return __atomic_load_n(address, __ATOMIC_SEQ_CST);
}
void __tsan_atomic64_store(std::uint64_t volatile* address, std::uint64_t value, int) {
    announce(address, 8, access_kind::atomic_write, __builtin_return_address(0));
    __atomic_store_n(address, value, __ATOMIC_SEQ_CST);
}
std::uint64_t __tsan_atomic64_exchange(std::uint64_t volatile* address, std::uint64_t value, int) {
    announce(address, 8, access_kind::atomic, __builtin_return_address(0));
    return __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);
}
std::uint64_t __tsan_atomic64_fetch_add(std::uint64_t volatile* address, std::uint64_t value, int) {
    announce(address, 8, access_kind::atomic, __builtin_return_address(0));
    return __atomic_fetch_add(address, value, __ATOMIC_SEQ_CST);
}
std::uint64_t __tsan_atomic64_fetch_sub(std::uint64_t volatile* address, std::uint64_t value, int) {
    announce(address, 8, access_kind::atomic, __builtin_return_address(0));
    return __atomic_fetch_sub(address, value, __ATOMIC_SEQ_CST);
}
std::uint64_t __tsan_atomic64_fetch_and(std::uint64_t volatile* address, std::uint64_t value, int) {
    announce(address, 8, access_kind::atomic, __builtin_return_address(0));
    return __atomic_fetch_and(address, value, __ATOMIC_SEQ_CST);
}
std::uint64_t __tsan_atomic64_fetch_or(std::uint64_t volatile* address, std::uint64_t value, int) {
    announce(address, 8, access_kind::atomic, __builtin_return_address(0));
    return __atomic_fetch_or(address, value, __ATOMIC_SEQ_CST);
}
std::uint64_t __tsan_atomic64_fetch_xor(std::uint64_t volatile* address, std::uint64_t value, int) {
    announce(address, 8, access_kind::atomic, __builtin_return_address(0));
    return __atomic_fetch_xor(address, value, __ATOMIC_SEQ_CST);
}
bool __tsan_atomic64_compare_exchange_strong(std::uint64_t volatile* address, std::uint64_t* expected,
                                             std::uint64_t value, int, int) {
    announce(address, 8, access_kind::atomic, __builtin_return_address(0));
    return __atomic_compare_exchange_n(address, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
bool __tsan_atomic64_compare_exchange_weak(std::uint64_t volatile* address, std::uint64_t* expected,
                                           std::uint64_t value, int, int) {
    announce(address, 8, access_kind::atomic, __builtin_return_address(0));
    return __atomic_compare_exchange_n(address, expected, value, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

void __tsan_atomic_thread_fence(int) {
    announce_fence();
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int) {}

// finish_object gives these names to the calls of the checked flavour.
void* simt_memcpy(void* to, void const* from, std::size_t bytes) {
    if (bytes == 0) return to;
    announce(from, bytes, access_kind::read, __builtin_return_address(0));
    announce(to, bytes, access_kind::write, __builtin_return_address(0));
    return std::memcpy(to, from, bytes);
}
void* simt_memmove(void* to, void const* from, std::size_t bytes) {
    if (bytes == 0) return to;
    announce(from, bytes, access_kind::read, __builtin_return_address(0));
    announce(to, bytes, access_kind::write, __builtin_return_address(0));
    return std::memmove(to, from, bytes);
}
void* simt_memset(void* to, int value, std::size_t bytes) {
    if (bytes == 0) return to;
    announce(to, bytes, access_kind::write, __builtin_return_address(0));
    return std::memset(to, value, bytes);
}

}  // extern "C"
