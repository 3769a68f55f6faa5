// What orders two accesses in CUDA's memory model: the block barrier, the warp barrier, and a fence followed by an
// atomic (or volatile) store that another thread's atomic (or volatile) load sees. Shuffles and votes order nothing.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "simt/detail/runtime.hpp"

namespace simt::detail {

// An access in time. Blocks are numbered from 1 through all launches of the program, anew after a grid barrier.
struct moment {
    std::uint32_t block = 0;
    std::uint32_t thread = 0;
    std::uint32_t epoch = 0;
    bool is_atomic = false;
};

// What a fence has before it: accesses of its thread, of the whole block, and, by lane, of the warp. Of no fence: epoch
// 0.
struct fenced {
    std::uint32_t epoch = 0, base = 0;
    std::array<std::uint32_t, 32> warp{};
};

// What one thread made visible at one location by the atomic store after a fence of the device, or of the block alone.
struct release {
    std::uint32_t thread;
    fenced by_device, by_block;
    std::uint32_t atomic_epoch;
};

// A location through which threads synchronise. What is released there stays: each reader knows a prefix.
struct location {
    std::uint64_t releases = 0;
    std::unordered_map<std::uint32_t, std::vector<std::pair<std::uint64_t, release>>> by_block;
    std::unordered_map<location*, std::uint64_t> inherited;  // what the releasing threads knew of other locations
};

// Of locations, how many of their releases are known.
using knowledge = std::vector<std::pair<location*, std::uint64_t>>;

// The locations of one launch, for all its host threads.
class synchronisation {
  public:
    void add(std::uintptr_t address, std::uint32_t block, release const& released, knowledge const& known);
    // Extends `known` by all that was released at the address.
    void acquire(std::uintptr_t address, knowledge& known);
    // Whether the moment is part of what is known; `own_block` is the asking one.
    [[nodiscard]] bool covers(knowledge const& known, moment const& earlier, std::uint32_t own_block);

  private:
    std::mutex mutex_;
    std::unordered_map<std::uintptr_t, location> locations_;
    std::atomic<bool> used_ = false;
};

// The order of one block's threads: epochs that barriers raise, instead of a vector clock a thread.
class clocks {
  public:
    clocks(synchronisation& shared, unsigned threads);

    void begin(std::uint32_t block);
    [[nodiscard]] std::uint32_t block() const { return block_; }
    [[nodiscard]] moment now(unsigned thread) const { return {block_, thread, epoch(thread), false}; }
    [[nodiscard]] bool ordered(moment const& earlier, unsigned thread) const {
        bool const by_barrier = earlier.block == block_ && (earlier.thread == thread || earlier.epoch <= base_);
        return by_barrier || ordered_otherwise(earlier, thread);
    }

    void block_barrier();
    void warp_barrier(unsigned warp, unsigned lanes);
    void fence(unsigned thread, fence_scope scope);
    // An atomic or volatile access that reads, writes or both and is about to happen. What it releases is known at
    // once, so that whoever reads it finds it; what it acquires is known only after it.
    void synchronise(unsigned thread, std::uintptr_t address, bool reads, bool writes);
    // The thread's last access has happened.
    void settle(unsigned thread) {
        if (readers_ != 0 && threads_[thread].reading != 0) acquire(threads_[thread]);
    }

  private:
    struct thread_clock {
        std::uint32_t epoch = 0;
        fenced by_device, by_block;            // its last fences of the device, and of either
        std::array<std::uint32_t, 32> warp{};  // what it knows of its warp's lanes
        knowledge known, fenced_known;         // now, and at its last fence: only that does it release
        std::uintptr_t reading = 0;  // the address of an atomic read that is happening, or 0
    };

    // No epoch is at or below the base of the last barrier: all that came before is ordered. Where no thread has an
    // epoch of its own, none is looked at: a block's clocks fill the first cache.
    [[nodiscard]] std::uint32_t epoch(unsigned thread) const {
        return latest_ > base_ && threads_[thread].epoch > base_ ? threads_[thread].epoch : base_ + 1;
    }
    [[nodiscard]] bool ordered_otherwise(moment const& earlier, unsigned thread) const;
    void advance(unsigned thread);
    void acquire(thread_clock& t);

    synchronisation& shared_;
    std::vector<thread_clock> threads_;
    knowledge known_;  // by every thread since the last barrier
    std::uint32_t block_ = 0;
    std::uint32_t base_ = 0;
    std::uint32_t latest_ = 0;  // the highest epoch in use
    unsigned readers_ = 0;      // threads whose atomic read is happening
    bool acquired_ = false;     // some thread knows more than the block
    bool used_ = false;         // some thread's clock is not as it began
};

}  // namespace simt::detail
