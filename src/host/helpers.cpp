#include "host/helpers.hpp"

#include <hwy/cache_control.h>
#include <tbb/task_arena.h>

#include <chrono>
#include <cstdint>
#include <thread>

#include "host/cores.hpp"

namespace warpfold::host {
namespace {

using clock = std::chrono::steady_clock;
constinit std::atomic<int> dismissals = 0;

}  // namespace

/// A place where an offer lies, in a cache line of its own: its helper reads it all the time.
class alignas(128) offer::desk {
  public:
    void lay_out(offer& work) {
        if (dismissals == 0 && change(deserted, attended)) call_helper();
        if (change(attended, address(work))) work.desk_ = this;
    }
    /// False where a helper took it.
    bool take_back(offer& work) {
        if (!change(address(work), attended)) return false;
        help_.miss();
        return true;
    }
    void clear() { holds_.store(attended, std::memory_order_release); }
    bool is_deserted() const { return holds_ == deserted; }

  private:
    enum : std::uintptr_t { deserted, attended, busy };  // or the address of an offer

    static std::uintptr_t address(offer& work) { return reinterpret_cast<std::uintptr_t>(&work); }
    bool change(std::uintptr_t from, std::uintptr_t to) { return holds_.compare_exchange_strong(from, to); }

    /// In an arena of its own: a thread that waits in another could be sent to attend. (One for all helpers may be
    /// larger than the program allows, of which TBB prints a warning.) The task captures nothing: that TBB's library
    /// orders who writes and who reads a task, ThreadSanitizer does not see.
    void call_helper() {
        struct room : tbb::task_arena {
            room() : task_arena(1, 0) {}
        };
        // Never destroyed: TBB would wait for a lock, which in a child of fork a thread may hold that is not there.
        static room* const rooms = new room[places];
        help_.call();
        called_ = true;
        rooms[this - desks].enqueue([] {
            for (desk& d : desks)
                if (d.called_.exchange(false)) return d.attend();
        });
    }
    /// What a helper does until it idles. (Median of a float64 dot of 1 MiB called from Python with 50 µs of idling 9.8
    /// µs, with 200 µs 8.0, with 1 ms 8.1.)
    void attend() {
        help_.come();
        for (auto idle_since = clock::now();; hwy::Pause()) {
            auto const found = holds_.load();
            if (found != attended) {
                if (!change(found, busy)) continue;  // withdrawn
                reinterpret_cast<offer*>(found)->accept(*this);
                idle_since = clock::now();
            } else if (dismissals > 0 || clock::now() - idle_since > std::chrono::microseconds{200}) {
                if (change(attended, deserted)) return;
            }
        }
    }

    std::atomic<std::uintptr_t> holds_ = deserted;
    std::atomic<bool> called_ = false;  ///< a helper was asked to attend, and does not yet
    help_call help_;
};

constinit offer::desk offer::desks[places];

/// Helpers leave before this code does, which may be unloaded. (After a fork there are none, whatever desks say.)
offer::closing::~closing() {
    dismissal const of_all;
    auto const until = clock::now() + std::chrono::milliseconds{10};
    for (desk const& d : desks)
        while (!d.is_deserted() && clock::now() < until) std::this_thread::yield();
}
offer::closing offer::at_the_end;

void offer::lay_out(std::size_t place) { desks[place].lay_out(*this); }

bool offer::withdraw() {
    if (desk_ && (done_ || !desk_->take_back(*this))) return false;
    desk_ = nullptr;
    return true;
}

void offer::wait() const {
    while (!done_) hwy::Pause();
}

bool offer::left_undone() {
    if (withdraw()) return true;
    wait();
    if (error_) std::rethrow_exception(error_);
    return false;
}

void offer::accept(desk& from) {
    try {
        do_(work_);
    } catch (...) {
        error_ = std::current_exception();
    }
    // First the desk: as soon as this is done, the next call offers.
    from.clear();
    done_.store(true, std::memory_order_release);
}

dismissal::dismissal() { ++dismissals; }
dismissal::~dismissal() { --dismissals; }

}  // namespace warpfold::host
