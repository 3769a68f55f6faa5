// Stacks, and the ways from one to another: what a kernel's threads run on.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "simt/detail/step.hpp"

namespace simt::detail {

struct fiber {
    std::byte* stack = nullptr;  // lowest address
    std::size_t stack_bytes = 0;
    std::byte* top = nullptr;  // where its first frame begins
    void* sanitizer_stack = nullptr;
};

// Suspends a thread at its beginning, on its fiber, which has nothing on its stack: `entry` runs there, never returns,
// and calls enter_fiber() first.
void place(thread_state& t, void (*entry)());
void enter_fiber();
// Goes on with `to`, which is suspended, and returns when something goes on with `from`, which calls.
void switch_fiber(thread_state& from, thread_state& to);
// Goes on with the thread at `to` and never comes back: the calling fiber can be started anew. announce_leave() first.
extern "C" void simt_resume(void const* to);
void announce_leave(thread_state const& to);

// Fibers of one host thread.
class fiber_pool {
  public:
    explicit fiber_pool(std::size_t stack_bytes) : stack_bytes_(stack_bytes) {}
    fiber_pool(fiber_pool const&) = delete;
    fiber_pool& operator=(fiber_pool const&) = delete;
    ~fiber_pool();

    [[nodiscard]] std::size_t stack_bytes() const { return stack_bytes_; }
    // One to be started.
    [[nodiscard]] fiber& take() {
        if (idle_.empty()) return make();
        fiber& idle = *idle_.back();
        idle_.pop_back();
        return idle;
    }
    void give(fiber& idle) { idle_.push_back(&idle); }

  private:
    [[nodiscard]] fiber& make();

    std::size_t stack_bytes_;
    std::vector<std::unique_ptr<fiber>> all_;
    std::vector<fiber*> idle_;
};

}  // namespace simt::detail
