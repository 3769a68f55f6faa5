// Cores: which one a thread runs on, and how it leaves one.
#pragma once

#include <sched.h>

namespace warpfold::host {

/// The core that this thread runs on; negative where the system does not say.
inline int current_core() { return sched_getcpu(); }

/// Moves this thread to another core, where there is one for it, if it runs on this one. (Kernels sometimes wake a thread on the
/// core of who woke it, and leave both there: Linux 6.18, two cores, called from Python after a pause, 1 MiB of doubles took 7 µs in
/// some programs' runs and 14 to 17 in others.)
inline void leave_core(int core) {
    if (core < 0 || current_core() != core) return;
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    cpu_set_t others = allowed;
    CPU_CLR(static_cast<unsigned>(core), &others);
    if (CPU_COUNT(&others) == 0 || sched_setaffinity(0, sizeof others, &others) != 0) return;
    sched_setaffinity(0, sizeof allowed, &allowed);
}

}  // namespace warpfold::host
