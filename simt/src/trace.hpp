// Turns what each lane did into what its warp did.
//
// The lanes of a warp run one after another and mostly do the same, so they record into one tree: a node is an event,
// its children are what came next, and lanes that did the same share the nodes. A lane that goes where the lane before
// it went only moves on and notes its address. The warp is then replayed: each step takes the lowest code address that
// any lane is at, with all lanes that are there. Blocks lie in source order (see simt_kernels.cmake), so lanes that
// leave a loop early wait behind it, and lanes that skip a branch wait at its end, as on a device.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "branches.hpp"
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

// What lanes do alike, in one word: a basic block is its code address.
class event {
  public:
    event() = default;  // none, where it is set to {}
    explicit event(void const* code, event_kind kind = event_kind::basic_block, std::size_t bytes = 0)
        : word_(reinterpret_cast<std::uintptr_t>(code) | std::uint64_t{bytes} << 48 |
                static_cast<std::uint64_t>(kind) << 56) {}
    [[nodiscard]] std::uintptr_t code() const { return word_ & 0xffff'ffff'ffffU; }
    [[nodiscard]] event_kind kind() const { return static_cast<event_kind>(word_ >> 56); }
    [[nodiscard]] unsigned bytes() const { return word_ >> 48 & 0xffU; }
    bool operator==(event const&) const = default;

  private:
    std::uint64_t word_;
};

// One instruction of a warp: what its active lanes accessed, in their order.
struct warp_access {
    event_kind kind{};
    unsigned active = 0;
    std::array<std::uintptr_t, 32> address;
    std::array<unsigned, 32> bytes;
};
void count_access(counters& sum, warp_access const& access);

class trace {
  public:
    static constexpr unsigned capacity = 128;  // events of a lane

    explicit trace(unsigned threads);
    trace(trace const&) = delete;
    trace& operator=(trace const&) = delete;

    // What is recorded from now on is the thread's, until the next call or pause().
    void turn_to(unsigned thread) {
        *running_ = at_;
        running_ = &last_[thread];
        at_ = *running_;
    }
    void pause();
    void begin();
    // Records an event that the lane before recorded at this place; false where there is more to do.
    [[nodiscard, gnu::always_inline]] static bool follow(event e) {
        node const* const last = at_;
        if (last->next != e) return false;
        at_ = last->child;
        return true;
    }
    // False when the thread's events now fill their room: the thread must wait until they are replayed.
    [[nodiscard]] bool record(event e) { return follow(e) || leave_path(e); }
    [[nodiscard]] bool record(event e, std::uintptr_t address) {
        bool const has_room = record(e);
        warps_[running() / 32].addresses[at_->depth - 1][running() % 32] = address;
        return has_room;
    }
    // Replays a warp until nothing is left or a lane of `unfinished` has nothing left to tell what it does next.
    void replay(unsigned warp, unsigned unfinished, counters& sum);
    // The lanes of a warp that have room for a whole further trace.
    [[nodiscard]] unsigned empty_lanes(unsigned warp) const;
    // Of all blocks so far.
    [[nodiscard]] control_flow const& flow() const { return flow_; }

  private:
    struct alignas(16) node {
        event next;   // of `child`, unless that fills a lane's room
        node* child;  // where the lane before went
        node* sibling;
        node* parent;
        event what;
        std::uint32_t lanes;  // known when the warp is replayed
        std::uint32_t depth;  // a lane's events differ in it
    };
    struct warp_trace {
        node root;     // of the lanes' next events
        node* unused;  // a list by `sibling`
        node* made;
        std::array<std::array<std::uintptr_t, 32>, capacity> addresses;  // by depth and lane
        std::array<node, 32 * capacity> nodes;

        void clear();
        node* make();
    };
    // A launch would spend its time on rooms that it does not use.
    static_assert(std::is_trivially_default_constructible_v<warp_trace>);

    [[nodiscard]] std::size_t running() const { return static_cast<std::size_t>(running_ - last_.data()); }
    // Records an event that the lane before did not record at this place.
    bool leave_path(event e);
    // The child for the event, which becomes the first.
    static node* branch_off(warp_trace& warp, node& from, event e);
    // Tells the nodes which lanes passed; returns the lanes that have recorded anything.
    void spread_lanes(unsigned warp);
    // What the lanes at the nodes, which have one code address, do together.
    static warp_access gather(warp_trace const& w, unsigned members, node* const* together, unsigned count);
    // The lanes have nothing recorded any more.
    void empty(unsigned warp, unsigned lanes);
    void step(unsigned warp, node* const* together, unsigned count, counters& sum);

    static node nowhere_;
    static constinit thread_local node* at_;  // the last event of the thread that runs

    std::vector<node*> last_;  // by thread; the running thread's is at_
    node** running_;
    node* none_ = nullptr;  // what running_ points to while no thread runs
    std::vector<warp_branches> branches_;
    std::unique_ptr<warp_trace[]> warps_;
    control_flow flow_;
};

}  // namespace simt::detail
