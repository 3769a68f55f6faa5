// Stacks with a context: what a kernel's thread runs on.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace simt::detail {

struct fiber {
    void* context = nullptr;     // where it is suspended: an address on its stack
    std::byte* stack = nullptr;  // lowest address
    std::size_t stack_bytes = 0;
    std::byte* top = nullptr;  // where its first frame begins
    void* sanitizer_stack = nullptr;
};

// Goes on with `to`, which is suspended, and returns when something goes on with `from`.
void switch_fiber(fiber& from, fiber& to);
// The same with a fiber that has nothing on its stack: `entry` runs there. It never returns.
void start_fiber(fiber& from, fiber& to, void (*entry)());
// Completes the start of a fiber; the first thing that its entry does.
void enter_fiber();
// Goes on with `to` and never comes back: the calling fiber can be started anew.
[[noreturn]] void leave_fiber(fiber& to);

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
