// One block at work: its threads, who may run, who waits for what.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

#include "fiber.hpp"
#include "findings.hpp"
#include "simt/config.hpp"
#include "simt/launch.hpp"

namespace simt::detail {

class monitor;

// What all host threads of a launch share.
struct launch_context {
    simt::config const& config;
    kernel_call const& call;
    unsigned threads;      // a block's
    std::uint64_t blocks;  // the grid's
    finding_set findings;
};

struct warp_state {
    unsigned exists = 0;
    unsigned ready = 0;
    unsigned finished = 0;
    unsigned arrived = 0;  // lanes that wait in a warp operation
};

enum class block_outcome { running, finished, at_grid_barrier, aborted };

class block : private step {
  public:
    block(launch_context& launch, fiber_pool& fibers, fiber& host);
    block(block const&) = delete;
    block& operator=(block const&) = delete;
    ~block();

    [[nodiscard]] static block* of(step* threads) { return static_cast<block*>(threads); }

    // Begins block `index` of the grid, with a monitor or none.
    void begin(std::uint64_t index, monitor* watch);
    // Runs until all threads have ended, wait at the grid barrier, or the block is given up.
    block_outcome run();
    // Lets the threads go on that wait at the grid barrier.
    void pass_grid_barrier();

    // Called on the fiber of the current thread.
    void wait_at_block_barrier(void const* code);
    int counting_barrier(barrier_op op, int predicate, void const* code);
    void grid_barrier(void const* code);
    std::uint64_t warp_exchange(warp_op op, unsigned mask, std::uint64_t value, int argument, int width,
                                void const* code);
    void yield();
    void wait_for_trace();
    [[noreturn]] void trap(char const* expression, void const* code);
    [[noreturn]] void abort();

    [[nodiscard]] launch_context& launch() const { return launch_; }
    [[nodiscard]] monitor* watch() const { return monitor_; }
    [[nodiscard]] thread_state& current() const { return *running; }
    [[nodiscard]] std::uint64_t index() const { return index_; }
    [[nodiscard]] std::vector<thread_state> const& threads() const { return threads_; }
    [[nodiscard]] std::vector<warp_state> const& warps() const { return warps_; }
    [[nodiscard]] raw_point here(void const* code) const { return {code, index_, running->rank, false, false}; }

  private:
    // The entry of every fiber: runs the current thread of the active block, and those that begin when it has ended.
    [[noreturn]] static void run_threads();
    void arrive_at_block_barrier(bool predicate, void const* code);
    void prepare_to_wait();
    void begin_in_step();
    void fall_out_of_step();
    void suspend();
    void resume_from(thread_state& from, thread_state& to);
    void make_current(thread_state& to);
    thread_state* next();
    thread_state* next_anywhere();
    thread_state* take(unsigned lane);
    unsigned choose(unsigned candidates, unsigned places, unsigned from);
    void choose_warp(unsigned candidates);
    bool unblock();
    bool returns(void (*proceed)(void const*), void const* with);  // false: the kernel has thrown
    thread_state* finish_current();
    [[noreturn]] void leave();
    void make_ready(unsigned warp, unsigned lanes);
    void release_barrier();
    void report_divergent_barrier();
    void report_deadlock();

    [[nodiscard]] bool warp_complete(warp_state const& warp, thread_state const& arrival) const;
    void complete_warp_operation(unsigned warp, thread_state const& arrival);
    void complete_active_mask(unsigned warp);
    void exchange_lanes(unsigned warp, unsigned lanes, thread_state const& arrival);
    void shuffle_lanes(unsigned warp, unsigned lanes);
    [[nodiscard]] std::uint64_t combine_lanes(unsigned warp, unsigned lanes, warp_op op) const;
    [[nodiscard]] thread_state* lanes_of(unsigned warp) { return threads_.data() + std::size_t{warp} * 32; }
    [[nodiscard]] thread_state const* lanes_of(unsigned warp) const { return threads_.data() + std::size_t{warp} * 32; }
    void report(finding_kind kind, raw_point where, std::string detail);

    launch_context& launch_;
    fiber_pool& fibers_;
    thread_state host_;
    monitor* monitor_ = nullptr;
    std::vector<thread_state> threads_;  // padded to whole warps, and one more to look ahead to
    std::vector<warp_state> warps_;
    std::uint64_t index_ = 0;
    std::uint64_t random_ = 0;
    unsigned ready_warps_ = 0;
    unsigned warp_ = 0;       // the warp that runs
    unsigned lane_from_ = 0;  // its next lane, in the schedule's order
    unsigned live_ = 0;
    unsigned at_barrier_ = 0;
    unsigned at_grid_ = 0;
    unsigned predicates_ = 0;  // threads at the barrier whose predicate holds
    int barrier_count_ = 0;    // of the last barrier that opened
    unsigned barrier_threads_ = 0;
    block_outcome outcome_ = block_outcome::running;
    std::exception_ptr thrown_;

  public:
    // What the kernel threw, if it did.
    [[nodiscard]] std::exception_ptr thrown() const { return thrown_; }
};

// The block that the calling host thread runs; null outside kernels.
inline block* active_block() {
    return block::of(active_step);
}

// Throws std::logic_error.
[[noreturn]] void refuse_outside_launch();

// The same for code that only kernels call, which is refused outside.
inline block& active() {
    if (active_step == nullptr) refuse_outside_launch();
    return *active_block();
}

}  // namespace simt::detail
