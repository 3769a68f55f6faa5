// A barrier that a block's threads pass in step: what kernels hold of the way from one thread to the next.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/cuda/vector_types.hpp"
#include "simt/detail/runtime.hpp"

namespace simt::detail {

struct fiber;

// Where a fiber is suspended. Who goes on with it loads `stack`, jumps to `resume` and leaves the context's address in
// rdi; every other register has lost its value.
struct context {
    void* stack = nullptr;
    void const* resume = nullptr;
};

enum class wait_kind : std::uint8_t { none, block_barrier, warp_operation, grid_barrier, trace_full };

// One line of the cache.
struct alignas(64) thread_state {
    context suspended;           // first: its address is the thread's
    void const* code = nullptr;  // where it waits
    fiber* runs_on = nullptr;
    uint3 index{};
    std::uint16_t rank = 0;
    wait_kind waits_for = wait_kind::none;
    warp_op op{};
    std::uint64_t value = 0;  // of a warp operation: the thread's own, then the result; at a barrier in step: rbp
    unsigned mask = 0;
    std::uint8_t source = 0;  // of a shuffle: the lane whose value it reads
};
static_assert(sizeof(thread_state) == 64);

// A block as its threads see it.
struct step {
    thread_state* running = nullptr;
    // While the threads begin, pass barriers and end one after another and nothing else happens, the block is in step:
    // those before the running one wait at the block barrier or have ended, those after it are ready, and what the
    // block knows of them is brought up to date only when it falls out of step. Its last thread while it is, else null.
    thread_state const* last = nullptr;
};

// The block that the calling host thread runs; null outside kernels.
extern constinit thread_local step* active_step;

#if !defined(SIMT_CHECKED) && !defined(__SANITIZE_ADDRESS__) && !defined(__AVX512F__)
// The running thread, `from`, waits until something goes on with it; `to` goes on. There is no call and no return: the
// processor predicts a return by the call that it saw last, which was another thread's and often at another place (20
// ns where the two differ, 2026-11-22, Sapphire Rapids). All registers count as lost, so the compiler saves those that
// the kernel needs, but for rbp, of which it cannot be told.
[[gnu::always_inline]] inline void go_on(thread_state* from, thread_state* to) {
    asm volatile(
        "leaq 1f(%%rip), %%rax\n\t"
        "movq %%rax, %c[code](%%rsi)\n\t"
        "movq %%rax, %c[resume](%%rsi)\n\t"
        "movq %%rsp, %c[stack](%%rsi)\n\t"
        "movq %%rbp, %c[value](%%rsi)\n\t"
        "movq threadIdx@gottpoff(%%rip), %%rax\n\t"
        "movq %c[index](%%rdi), %%rdx\n\t"
        "movl %c[index]+8(%%rdi), %%ecx\n\t"
        "movq %%rdx, %%fs:(%%rax)\n\t"
        "movl %%ecx, %%fs:8(%%rax)\n\t"
        "movq %c[stack](%%rdi), %%rsp\n\t"
        "jmp *%c[resume](%%rdi)\n"
        "1:\n\t"
        "movq %c[value](%%rdi), %%rbp"
        : "+S"(from), "+D"(to)
        : [stack] "i"(offsetof(thread_state, suspended.stack)), [resume] "i"(offsetof(thread_state, suspended.resume)),
          [code] "i"(offsetof(thread_state, code)), [index] "i"(offsetof(thread_state, index)),
          [value] "i"(offsetof(thread_state, value))
        : "memory", "cc", "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0",
          "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
          "xmm14", "xmm15", "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)");
}

// What block_barrier() would do, in a few instructions; false where there is more to do.
[[gnu::always_inline]] inline bool pass_barrier_in_step() {
    step* const block = active_step;
    if (block == nullptr || block->running >= block->last) return false;
    thread_state* const from = block->running;
    thread_state* const to = block->running = from + 1;
    // the stacks of a block do not fit the first cache: the one after next comes meanwhile
    __builtin_prefetch(to[1].suspended.stack, 1);
    from->waits_for = wait_kind::block_barrier;
    go_on(from, to);
    return true;
}
#else
// Checks and AddressSanitizer must know of every switch, and nobody can be told that AVX-512's registers are lost:
// block_barrier() passes it in step, by a call.
[[gnu::always_inline]] inline bool pass_barrier_in_step() {
    return false;
}
#endif

}  // namespace simt::detail
