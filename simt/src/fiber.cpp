#include "fiber.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <new>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace simt::detail {

namespace context = boost::context::detail;

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
void host_stack(void const** bottom, std::size_t* size) {
    pthread_attr_t attributes;
    pthread_getattr_np(pthread_self(), &attributes);
    void* low = nullptr;
    pthread_attr_getstack(&attributes, &low, size);
    pthread_attr_destroy(&attributes);
    *bottom = low;
}
#endif

}  // namespace

void enter_fiber(context::transfer_t transfer) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
    static_cast<fiber*>(transfer.data)->context = transfer.fctx;
}

void switch_fiber(fiber& from, fiber& to) {
#if defined(__SANITIZE_ADDRESS__)
    void const* bottom = to.stack;
    std::size_t size = to.stack_bytes;
    if (bottom == nullptr) host_stack(&bottom, &size);
    __sanitizer_start_switch_fiber(&from.sanitizer_stack, bottom, size);
#endif
    context::transfer_t const transfer = context::jump_fcontext(to.context, &from);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(from.sanitizer_stack, nullptr, nullptr);
#endif
    static_cast<fiber*>(transfer.data)->context = transfer.fctx;
}

fiber_pool::~fiber_pool() {
    for (auto const& f : all_) ::munmap(f->stack - page_bytes(), f->stack_bytes + page_bytes());
}

fiber& fiber_pool::take() {
    if (!idle_.empty()) {
        fiber& idle = *idle_.back();
        idle_.pop_back();
        return idle;
    }
    std::size_t const page = page_bytes();
    std::size_t const bytes = (stack_bytes_ + page - 1) / page * page;
    auto made = std::make_unique<fiber>();
    void* const low =
        ::mmap(nullptr, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (low == MAP_FAILED) throw std::bad_alloc();
    ::mprotect(low, page, PROT_NONE);  // running off the stack faults instead of writing into the next one
    made->stack = static_cast<std::byte*>(low) + page;
    made->stack_bytes = bytes;
    std::size_t const stagger = all_.size() % stack_staggers * stack_stagger;
    made->context = context::make_fcontext(made->stack + bytes - stagger, bytes - stagger, entry_);
    all_.push_back(std::move(made));
    return *all_.back();
}

void fiber_pool::abandon(fiber& suspended) {
#if defined(__SANITIZE_ADDRESS__)
    __asan_unpoison_memory_region(suspended.stack, suspended.stack_bytes);
#endif
    suspended.sanitizer_stack = nullptr;
    suspended.context = context::make_fcontext(suspended.stack + suspended.stack_bytes, suspended.stack_bytes, entry_);
    idle_.push_back(&suspended);
}

}  // namespace simt::detail
