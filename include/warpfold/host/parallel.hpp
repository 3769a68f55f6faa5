// Threads: a range split over cores, its parts joined in order.
#pragma once

#include <memory>

#include "../types.hpp"

namespace warpfold::host {

/// How the host engine runs. No choice changes a result.
struct options {
    int threads = 0;    ///< at most this many threads; 0: one a core. A child of fork has one where its parent had more at work
    /// Items that a thread takes at a time, of large inputs up to eight times as many, of small ones down to a quarter;
    /// 0: 256 KiB of them.
    index_t chunk = 0;
};

/// Work on contiguous ranges, with a state that is split off empty and joined in order.
class ordered_work {
  public:
    virtual ~ordered_work() = default;
    /// Works on [begin, end), which follows what this object did before.
    virtual void run(index_t begin, index_t end) = 0;
    /// An object of the same kind that did nothing yet.
    virtual std::unique_ptr<ordered_work> split() const = 0;
    /// Takes over what `later` did; its ranges follow those of this object.
    virtual void join(ordered_work& later) = 0;
};

/// Runs `work` over [begin, end), about `chunk` items at a time (options), on up to `threads` threads (0: one a
/// core). An exception of the work ends the run and is thrown here.
void run_parallel(ordered_work& work, index_t begin, index_t end, index_t chunk, int threads);

/// Of a run of so many bytes, those that one of several loops takes before the next one does: what a core's own caches
/// keep until then.
index_t bytes_a_pass(index_t run);

}  // namespace warpfold::host
