// The checks and counters of the block that a host thread runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "block.hpp"
#include "happens_before.hpp"
#include "regions.hpp"
#include "trace.hpp"

namespace simt::detail {

// `atomic` reads and writes.
enum class access_kind : std::uint8_t { read, write, volatile_read, volatile_write, atomic_read, atomic_write, atomic };
[[nodiscard]] constexpr bool writes(access_kind kind) {
    return kind != access_kind::read && kind != access_kind::volatile_read && kind != access_kind::atomic_read;
}
[[nodiscard]] constexpr bool reads(access_kind kind) {
    return kind == access_kind::atomic || !writes(kind);
}

// What the monitors of one launch share.
struct watch_context {
    region_map regions = region_map::of_program();
    synchronisation locations;
    std::uint32_t first_block;  // the number of the grid's first block since the launch or the last grid barrier
    std::uint32_t blocks;

    [[nodiscard]] std::uint32_t last_block() const { return first_block + blocks - 1; }
};

// What is remembered of the shared memory of one block at a time. Blocks have numbers of their own, so those that a
// host thread runs one after the other, of this launch or a later one, need not clear it: a launch of few items spent
// most of its time on that.
struct shared_memory_watch {
    shared_memory_watch();

    std::uintptr_t low;
    std::size_t bytes;
    shadow words;
    std::vector<std::uint64_t> written;  // per word: block number << 4 | its written bytes
};

class monitor {
  public:
    monitor(launch_context& launch, watch_context& shared, shared_memory_watch& block_memory);

    void begin(block& watched);
    // After the last thread has ended; the counts are complete then.
    void end();
    [[nodiscard]] bool checks() const { return checks_; }
    [[nodiscard]] simt::counters const& counted() const { return sum_; }
    [[nodiscard]] control_flow const& flow() const { return trace_.flow(); }

    // From kernel code, before the access happens.
    void access(std::uintptr_t address, std::size_t bytes, access_kind kind, void const* code) {
        // Most are of the thread's own stack; each begins by reading the kernel's parameters, which nobody writes.
        if (address - own_stack_ >= own_stack_bytes_ && address - parameters_low_ >= parameter_bytes_) access_memory(address, bytes, kind, code);
    }
    void basic_block(void const* code) {
        if (counts_ && !trace_.record(event(code))) block_->wait_for_trace();
    }
    void fence(fence_scope scope);

    // From the block.
    void turn_to(thread_state const& thread) {
        own_stack_ = reinterpret_cast<std::uintptr_t>(thread.runs_on->stack);
        own_stack_bytes_ = thread.runs_on->stack_bytes;
        if (counts_) trace_.turn_to(thread.rank);
    }
    void pause() {
        if (counts_) trace_.pause();
    }
    // The current thread is about to wait.
    void settle() {
        if (checks_) clocks_.settle(block_->current().rank);
    }
    void pass_block_barrier();
    void pass_grid_barrier();
    void pass_warp_operation(unsigned warp, unsigned lanes, warp_op op);
    // Replays what the warp's lanes recorded; returns the lanes that waited for room and may go on.
    unsigned drain_trace(unsigned warp);

  private:
    enum class space : std::uint8_t { constant, shared, global };

    struct place {
        space in = space::global;
        region* memory = nullptr;
        std::uintptr_t low = 0;  // of the shadowed range
    };

    void access_memory(std::uintptr_t address, std::size_t bytes, access_kind kind, void const* code);
    place locate(std::uintptr_t address);
    place locate_anywhere(std::uintptr_t address);
    [[nodiscard]] static place in_region(region& memory) {
        return {space::global, &memory, memory.low & ~(word_bytes - 1)};
    }
    void check(place const& at, std::uintptr_t address, std::size_t bytes, access_kind kind, void const* code);
    [[nodiscard]] bool is_inside(place const& at, std::uintptr_t address, std::size_t bytes) const;
    // Of an access that the device would end the kernel for.
    void report_fault(place const& at, std::uintptr_t address, std::size_t bytes, access_kind kind, void const* code);
    [[nodiscard]] std::string beyond_shared(std::uintptr_t address, std::size_t bytes) const;
    [[nodiscard]] std::string beside_memory(std::uintptr_t address) const;
    void report_vain_polling(std::uintptr_t address, access_kind kind, void const* code);
    void check_word(place const& at, std::size_t word, unsigned mask, std::uintptr_t address, access_kind kind,
                    bool is_atomic, void const* code);
    void check_written(place const& at, std::size_t word, unsigned mask, std::uintptr_t address, access_kind kind,
                       void const* code);
    void report_unwritten(place const& at, std::uintptr_t address, access_kind kind, void const* code);
    void report_race(place const& at, touch const& earlier, std::uintptr_t address, access_kind kind, void const* code);
    void notice_polling(std::uintptr_t address, access_kind kind, void const* code);
    void record(place const& at, std::uintptr_t address, std::size_t bytes, access_kind kind, void const* code);
    [[nodiscard]] std::uint32_t offset_of(void const* code) const {
        return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(code) - code_low_);
    }
    [[nodiscard]] raw_point here(access_kind kind, void const* code) const;

    launch_context& launch_;
    watch_context& shared_;
    bool checks_, counts_;
    shared_memory_watch& block_memory_;
    std::uintptr_t code_low_;
    std::uintptr_t parameters_low_;
    std::size_t parameter_bytes_;
    std::uintptr_t own_stack_ = 0;  // of the running thread
    std::size_t own_stack_bytes_ = 0;
    std::uintptr_t dynamic_low_;
    clocks clocks_;
    trace trace_;
    simt::counters sum_;
    block* block_ = nullptr;
    region* last_region_ = nullptr;
    std::uintptr_t polled_ = 0;  // the address that one thread reads again and again
    unsigned polling_thread_ = 0;
    unsigned polls_ = 0;
    std::uint32_t life_ = 0;  // the block's number, which no grid barrier changes
};

}  // namespace simt::detail
