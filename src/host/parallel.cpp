#include "warpfold/host/parallel.hpp"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>

#include <algorithm>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace warpfold::host {
namespace {

// TBB's library, which orders the threads that hand tasks and bodies over, is not built with ThreadSanitizer, so these say
// so: what a thread did before hand_over is seen by those that take_over later. Accesses at the same time still show.
#ifdef __SANITIZE_THREAD__
char handed_over;
void hand_over() { __tsan_release(&handed_over); }
void take_over() { __tsan_acquire(&handed_over); }
#else
void hand_over() {}
void take_over() {}
#endif

/// Work that begins with what others left and leaves to them what it did, also where it ends by an exception.
struct handed {
    handed() { take_over(); }
    ~handed() { hand_over(); }
};

/// What the caller of parallel work sees after it, and what catches its exception.
struct taken {
    ~taken() { take_over(); }
};

/// A range cut into chunks, of which the last may be shorter.
struct chunks {
    index_t begin, end, length;

    index_t count() const { return (end - begin + length - 1) / length; }
    void run(ordered_work& work, index_t first, index_t last) const {
        index_t const stop = last == count() ? end : begin + last * length;
        work.run(begin + first * length, stop);
    }
};

/// What tbb::parallel_reduce asks of a body: it joins neighbours in order, so folds need not commute.
class body {
  public:
    body(ordered_work& root, chunks const& all) : work_{&root}, all_{all} { hand_over(); }
    body(body& other, tbb::split) : owned_{other.work_->split()}, work_{owned_.get()}, all_{other.all_} { hand_over(); }

    void operator()(tbb::blocked_range<index_t> const& range) {
        handed const range_handed;
        all_.run(*work_, range.begin(), range.end());
    }
    void join(body& later) {
        handed const join_handed;
        work_->join(*later.work_);
    }

  private:
    handed handed_;  // made first and destroyed last: TBB uses the memory of bodies again
    std::unique_ptr<ordered_work> owned_;
    ordered_work* work_;
    chunks all_;
};

}  // namespace

void run_parallel(ordered_work& work, index_t begin, index_t end, index_t chunk, int threads) {
    chunks const all{begin, end, chunk};
    index_t const count = all.count();
    // Of more than caches hold, here 24 MiB a core, several chunks at once: this tells loops to ask for memory further
    // ahead (prefetch.hpp).
    auto const chunks_at_once = [&](index_t cores) { return count / cores >= 96 ? index_t{8} : index_t{1}; };
    // One chunk, or one thread: no scheduler.
    if (count <= 1 || threads == 1) {
        for (index_t i = 0, step = chunks_at_once(1); i < count; i += step) all.run(work, i, std::min(i + step, count));
        return;
    }
    taken const all_taken;
    body root{work, all};
    auto const reduce = [&] {
        index_t const cores = tbb::this_task_arena::max_concurrency();
        tbb::blocked_range<index_t> const range(0, count, static_cast<std::size_t>(chunks_at_once(cores)));
        // A few chunks are dealt out beforehand: each core begins once, and finds in its cache what it read in the last
        // call (plain reads of 1 MiB on two cores of a Sapphire Rapids: 5.2 to 6.0 instead of 6.2 to 7.2 µs).
        if (count <= 3 * cores) tbb::parallel_reduce(range, root, tbb::static_partitioner{});
        else tbb::parallel_reduce(range, root, tbb::simple_partitioner{});
    };
    if (threads == 0) {
        reduce();
    } else {
        // TBB prints a warning where an arena asks for more threads than there may be.
        auto const most = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
        tbb::task_arena arena(most < static_cast<std::size_t>(threads) ? static_cast<int>(most) : threads);
        arena.execute(reduce);
    }
}

}  // namespace warpfold::host
