#include "fiber.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <new>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

// A thread that calls to be suspended leaves its registers on its stack, below an address to return to.
// Boost.Context's jump_fcontext also saves the floating-point control words, which kernels do not change, and leaves by
// an indirect jump to that address, after which the processor mispredicts every return up to the kernel: 25 ns a switch
// against 10 ns with this (2026-11-21, EPYC, 256 fibers). For the same reason nothing returns into a fiber that starts.
extern "C" void simt_switch(void const* to, void* from);
#if !defined(__x86_64__)
#error "simt: the fiber switch is written for x86-64"
#endif
asm(R"(
    .text
    .globl simt_switch, simt_resume
    .type simt_switch, @function
    .type simt_resume, @function
    .p2align 4
simt_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    leaq 1f(%rip), %rax
    movq %rsp, (%rsi)
    movq %rax, 8(%rsi)
simt_resume:
    movq (%rdi), %rsp
    jmp *8(%rdi)
1:
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size simt_switch, .-simt_switch
)");

namespace simt::detail {

namespace {

// Stacks of whole pages would put every thread's frame into the same sets of the cache; each stack begins this much
// further into its page than the one before.
constexpr std::size_t stack_stagger = 192;
constexpr std::size_t stack_staggers = 16;

std::size_t page_bytes() {
    static std::size_t const bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return bytes;
}

#if defined(__SANITIZE_ADDRESS__)
// The stack that the host thread came with; a fiber made of it has none recorded.
struct host_stack {
    host_stack() {
        pthread_attr_t attributes;
        pthread_getattr_np(pthread_self(), &attributes);
        pthread_attr_getstack(&attributes, &bottom, &bytes);
        pthread_attr_destroy(&attributes);
    }
    void* bottom = nullptr;
    std::size_t bytes = 0;
};

void announce_switch(void** keep, fiber const& to) {
    void const* bottom = to.stack;
    std::size_t size = to.stack_bytes;
    if (bottom == nullptr) {
        // Once a thread: glibc reads the list of the process's mappings for it, as long as there are fibers.
        thread_local host_stack const own;
        bottom = own.bottom;
        size = own.bytes;
    }
    __sanitizer_start_switch_fiber(keep, bottom, size);
}
void complete_switch(void* kept) {
    __sanitizer_finish_switch_fiber(kept, nullptr, nullptr);
}
// The frames that a fiber was left with stay marked, whatever the memory is used for next.
void forget_frames(fiber const& f) {
    __asan_unpoison_memory_region(f.stack, f.stack_bytes);
}
#else
void announce_switch(void**, fiber const&) {}
void complete_switch(void*) {}
void forget_frames(fiber const&) {}
#endif

}  // namespace

void enter_fiber() {
    complete_switch(nullptr);
}

void place(thread_state& t, void (*entry)()) {
    forget_frames(*t.runs_on);
    // where a call would have left an address to return to, on a stack that was aligned before
    t.suspended = {t.runs_on->top - sizeof(void*), reinterpret_cast<void const*>(entry)};
}

void switch_fiber(thread_state& from, thread_state& to) {
    announce_switch(&from.runs_on->sanitizer_stack, *to.runs_on);
    simt_switch(&to.suspended, &from.suspended);
    complete_switch(from.runs_on->sanitizer_stack);
}

void announce_leave(thread_state const& to) {
    announce_switch(nullptr, *to.runs_on);
}

fiber_pool::~fiber_pool() {
    for (auto const& f : all_) {
        forget_frames(*f);
        ::munmap(f->stack - page_bytes(), f->stack_bytes + page_bytes());
    }
}

fiber& fiber_pool::make() {
    std::size_t const page = page_bytes();
    std::size_t const bytes = (stack_bytes_ + page - 1) / page * page;
    auto made = std::make_unique<fiber>();
    void* const low =
        ::mmap(nullptr, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (low == MAP_FAILED) throw std::bad_alloc();
    ::mprotect(low, page, PROT_NONE);  // running off the stack faults instead of writing into the next one
    made->stack = static_cast<std::byte*>(low) + page;
    made->stack_bytes = bytes;
    made->top = made->stack + bytes - all_.size() % stack_staggers * stack_stagger;
    all_.push_back(std::move(made));
    return *all_.back();
}

}  // namespace simt::detail
