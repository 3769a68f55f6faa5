// What the compiler calls in the checked flavour: before each memory access (-fsanitize=thread, whose runtime library
// is not linked) and in each basic block (-fsanitize-coverage=trace-pc).
#include "monitor.hpp"

namespace {

using simt::detail::access_kind;

[[gnu::always_inline]] inline void access(void const* address, std::size_t bytes, access_kind kind, void const* code) {
    simt::detail::block const* const active = simt::detail::active_block();
    if (active == nullptr || active->watch() == nullptr) return;
    active->watch()->access(reinterpret_cast<std::uintptr_t>(address), bytes, kind, code);
}

/// Of a type that is longer than aligned, such as two floats: in pieces as long as the address is aligned, as a GPU
/// moves them.
[[gnu::always_inline]] inline void range(void const* address, std::size_t bytes, access_kind kind, void const* code) {
    std::size_t const bits = reinterpret_cast<std::uintptr_t>(address) | bytes, piece = bits & -bits;
    for (std::size_t i = 0; i < bytes; i += piece) access(static_cast<char const*>(address) + i, piece, kind, code);
}

[[gnu::noinline]] void basic_block(void const* code) {
    simt::detail::block const* const active = simt::detail::active_block();
    if (active == nullptr || active->watch() == nullptr) return;
    active->watch()->basic_block(code);
}

}  // namespace

extern "C" {

void __tsan_init() {}
void __tsan_read1(void* address) {
    access(address, 1, access_kind::read, __builtin_return_address(0));
}
void __tsan_unaligned_read1(void* address) {
    access(address, 1, access_kind::read, __builtin_return_address(0));
}
void __tsan_volatile_read1(void* address) {
    access(address, 1, access_kind::volatile_read, __builtin_return_address(0));
}
void __tsan_unaligned_volatile_read1(void* address) {
    access(address, 1, access_kind::volatile_read, __builtin_return_address(0));
}
void __tsan_read2(void* address) {
    access(address, 2, access_kind::read, __builtin_return_address(0));
}
void __tsan_unaligned_read2(void* address) {
    access(address, 2, access_kind::read, __builtin_return_address(0));
}
void __tsan_volatile_read2(void* address) {
    access(address, 2, access_kind::volatile_read, __builtin_return_address(0));
}
void __tsan_unaligned_volatile_read2(void* address) {
    access(address, 2, access_kind::volatile_read, __builtin_return_address(0));
}
void __tsan_read4(void* address) {
    access(address, 4, access_kind::read, __builtin_return_address(0));
}
void __tsan_unaligned_read4(void* address) {
    access(address, 4, access_kind::read, __builtin_return_address(0));
}
void __tsan_volatile_read4(void* address) {
    access(address, 4, access_kind::volatile_read, __builtin_return_address(0));
}
void __tsan_unaligned_volatile_read4(void* address) {
    access(address, 4, access_kind::volatile_read, __builtin_return_address(0));
}
void __tsan_read8(void* address) {
    access(address, 8, access_kind::read, __builtin_return_address(0));
}
void __tsan_unaligned_read8(void* address) {
    access(address, 8, access_kind::read, __builtin_return_address(0));
}
void __tsan_volatile_read8(void* address) {
    access(address, 8, access_kind::volatile_read, __builtin_return_address(0));
}
void __tsan_unaligned_volatile_read8(void* address) {
    access(address, 8, access_kind::volatile_read, __builtin_return_address(0));
}
void __tsan_read16(void* address) {
    access(address, 16, access_kind::read, __builtin_return_address(0));
}
void __tsan_unaligned_read16(void* address) {
    access(address, 16, access_kind::read, __builtin_return_address(0));
}
void __tsan_volatile_read16(void* address) {
    access(address, 16, access_kind::volatile_read, __builtin_return_address(0));
}
void __tsan_unaligned_volatile_read16(void* address) {
    access(address, 16, access_kind::volatile_read, __builtin_return_address(0));
}
void __tsan_write1(void* address) {
    access(address, 1, access_kind::write, __builtin_return_address(0));
}
void __tsan_unaligned_write1(void* address) {
    access(address, 1, access_kind::write, __builtin_return_address(0));
}
void __tsan_volatile_write1(void* address) {
    access(address, 1, access_kind::volatile_write, __builtin_return_address(0));
}
void __tsan_unaligned_volatile_write1(void* address) {
    access(address, 1, access_kind::volatile_write, __builtin_return_address(0));
}
void __tsan_write2(void* address) {
    access(address, 2, access_kind::write, __builtin_return_address(0));
}
void __tsan_unaligned_write2(void* address) {
    access(address, 2, access_kind::write, __builtin_return_address(0));
}
void __tsan_volatile_write2(void* address) {
    access(address, 2, access_kind::volatile_write, __builtin_return_address(0));
}
void __tsan_unaligned_volatile_write2(void* address) {
    access(address, 2, access_kind::volatile_write, __builtin_return_address(0));
}
void __tsan_write4(void* address) {
    access(address, 4, access_kind::write, __builtin_return_address(0));
}
void __tsan_unaligned_write4(void* address) {
    access(address, 4, access_kind::write, __builtin_return_address(0));
}
void __tsan_volatile_write4(void* address) {
    access(address, 4, access_kind::volatile_write, __builtin_return_address(0));
}
void __tsan_unaligned_volatile_write4(void* address) {
    access(address, 4, access_kind::volatile_write, __builtin_return_address(0));
}
void __tsan_write8(void* address) {
    access(address, 8, access_kind::write, __builtin_return_address(0));
}
void __tsan_unaligned_write8(void* address) {
    access(address, 8, access_kind::write, __builtin_return_address(0));
}
void __tsan_volatile_write8(void* address) {
    access(address, 8, access_kind::volatile_write, __builtin_return_address(0));
}
void __tsan_unaligned_volatile_write8(void* address) {
    access(address, 8, access_kind::volatile_write, __builtin_return_address(0));
}
void __tsan_write16(void* address) {
    access(address, 16, access_kind::write, __builtin_return_address(0));
}
void __tsan_unaligned_write16(void* address) {
    access(address, 16, access_kind::write, __builtin_return_address(0));
}
void __tsan_volatile_write16(void* address) {
    access(address, 16, access_kind::volatile_write, __builtin_return_address(0));
}
void __tsan_unaligned_volatile_write16(void* address) {
    access(address, 16, access_kind::volatile_write, __builtin_return_address(0));
}
void __tsan_read_range(void* address, std::size_t bytes) {
    range(address, bytes, access_kind::read, __builtin_return_address(0));
}
void __tsan_write_range(void* address, std::size_t bytes) {
    range(address, bytes, access_kind::write, __builtin_return_address(0));
}
void __tsan_vptr_update(void* address, void*) {
    access(address, sizeof(void*), access_kind::write, __builtin_return_address(0));
}
void __tsan_vptr_read(void* address) {
    access(address, sizeof(void*), access_kind::read, __builtin_return_address(0));
}

void __sanitizer_cov_trace_pc() {
    void const* const code = __builtin_return_address(0);
    if (!simt::detail::trace::follow(simt::detail::event(code))) basic_block(code);
}

}  // extern "C"
