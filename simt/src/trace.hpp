// Turns what each lane did into what its warp did.
//
// Every lane records its accesses and basic blocks. A warp's lanes are then replayed together: each step takes the
// lowest code address that any lane is at, with all lanes that are there. Blocks lie in source order (see
// simt_kernels.cmake), so lanes that leave a loop early wait behind it, and lanes that skip a branch wait at its end,
// as on a device.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "control_flow.hpp"
#include "simt/report.hpp"

namespace simt::detail {

enum class event_kind : std::uint8_t {
    basic_block,
    global_load,
    global_store,
    global_atomic,
    shared_load,
    shared_store,
    shared_atomic
};

struct event {
    std::uint64_t address = 0;
    std::uint32_t code = 0;
    std::uint8_t bytes = 0;
    event_kind kind{};
};

// Counts one warp instruction: `lanes` holds the events of its active lanes.
void count_access(counters& sum, event const* const* lanes, unsigned active);

class trace {
  public:
    static constexpr unsigned capacity = 128;  // events of a lane: 2 KiB, so that a block's stay in the second cache

    explicit trace(unsigned threads);

    void begin();
    // False when the thread's events now fill their room: the thread must wait until they are replayed.
    [[nodiscard]] bool record(unsigned thread, event const& e) {
        lane_events& lane = lanes_[thread];
        lane.events[lane.end++] = e;
        return lane.end < capacity;
    }
    // Replays a warp until nothing is left or a lane of `unfinished` has nothing left to tell what it does next.
    void replay(unsigned warp, unsigned unfinished, counters& sum);
    // The lanes of a warp that have room for a whole further trace.
    [[nodiscard]] unsigned empty_lanes(unsigned warp) const;
    // Of all blocks so far.
    [[nodiscard]] control_flow const& flow() const { return flow_; }

  private:
    struct lane_events {
        std::array<event, capacity> events;
        unsigned begin = 0, end = 0;
    };
    // A basic block that lanes executed together, kept until the last of them has gone on.
    struct branch {
        std::uint32_t next = 0;  // the step of the lane that went on first
        std::uint32_t lanes_left = 0;
        bool has_next = false;
        bool split = false;
        std::uint32_t code = 0;
    };
    struct warp_branches {
        std::array<branch, 64> branches;  // at most one a lane is in use, and the one being made
        std::uint64_t used = 0;
        std::array<std::int8_t, 32> of_lane;  // -1: none yet
        std::uint32_t steps = 0;
    };

    void step_block(unsigned warp, unsigned lanes, std::uint32_t code, counters& sum);
    void note_shared(unsigned warp, unsigned lanes, event_kind kind);

    std::unique_ptr<lane_events[]> lanes_;
    unsigned threads_;
    std::vector<warp_branches> branches_;
    control_flow flow_;
};

}  // namespace simt::detail
