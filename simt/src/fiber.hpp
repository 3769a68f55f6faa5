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
    void* sanitizer_stack = nullptr;
};

// Runs `to` and returns when something switches back to `from`.
void switch_fiber(fiber& from, fiber& to);
// Completes the switch that started a fiber; the first thing that a fiber's entry does.
void enter_fiber();

// Fibers of one host thread. An idle fiber is suspended inside `entry`'s loop, so giving it work costs one switch.
class fiber_pool {
  public:
    using entry_function = void (*)();

    fiber_pool(entry_function entry, std::size_t stack_bytes) : entry_(entry), stack_bytes_(stack_bytes) {}
    fiber_pool(fiber_pool const&) = delete;
    fiber_pool& operator=(fiber_pool const&) = delete;
    ~fiber_pool();

    [[nodiscard]] std::size_t stack_bytes() const { return stack_bytes_; }
    [[nodiscard]] fiber& take();
    void give(fiber& idle) { idle_.push_back(&idle); }
    // Gives back a fiber whose thread will never end: it starts anew when taken.
    void abandon(fiber& suspended);

  private:
    void prepare(fiber& f, std::size_t stagger) const;

    entry_function entry_;
    std::size_t stack_bytes_;
    std::vector<std::unique_ptr<fiber>> all_;
    std::vector<fiber*> idle_;
};

}  // namespace simt::detail
