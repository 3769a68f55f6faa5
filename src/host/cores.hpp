// Cores: which one a thread runs on, and how those that come to help leave their caller's.
#pragma once

#include <sched.h>

#include <atomic>
#include <thread>

namespace warpfold::host {

/// The core that this thread runs on; negative where the system does not say.
inline int current_core() { return sched_getcpu(); }

/// Moves this thread to another core, where there is one for it, if it runs on this one. It may run where it might
/// before.
inline void leave_core(int core) {
    if (core < 0 || current_core() != core) return;
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    cpu_set_t others = allowed;
    CPU_CLR(static_cast<unsigned>(core), &others);
    if (CPU_COUNT(&others) == 0 || sched_setaffinity(0, sizeof others, &others) != 0) return;
    sched_setaffinity(0, sizeof allowed, &allowed);
}

/// A caller's side and a helper's of a call for help. Kernels often wake a thread on the core of who woke it, and part
/// the two late: so who comes leaves the caller's core, and a caller that misses help twice gives up its core for a
/// moment, once. (Two cores, Linux 6.18, 1 MiB of doubles after a pause: 12 to 16 → 6 to 8 µs. To yield at once makes a
/// single call 50 µs longer.)
class help_call {
  public:
    void call() {
        caller_core_ = current_core();
        missed_ = 0;
    }
    void come() const { leave_core(caller_core_); }
    void miss() {
        if (++missed_ == 2) std::this_thread::yield();
    }

  private:
    std::atomic<int> caller_core_ = -1, missed_ = 0;
};

}  // namespace warpfold::host
