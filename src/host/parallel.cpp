#include "warpfold/host/parallel.hpp"

#include <pthread.h>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "host/cores.hpp"
#include "host/helpers.hpp"
#include "host/processor.hpp"

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace warpfold::host {
namespace {

// TBB's library, which orders the threads that hand tasks and bodies over, is not built with ThreadSanitizer, so these
// say so: what a thread did before hand_over is seen by those that take_over later. Accesses at the same time still
// show.
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
    /// The same, so many at once.
    void run(ordered_work& work, index_t first, index_t last, index_t at_once) const {
        for (; first < last; first += at_once) run(work, first, std::min(first + at_once, last));
    }
};

/// The threads of one run.
class company {
  public:
    company() { help_.call(); }
    /// A thread has come for a part; the caller's may be one that takes from others.
    void come() {
        if (std::this_thread::get_id() == caller_) return;
        alone_ = false;
        help_.come();
    }
    void range_done() {
        if (alone_) help_.miss();
    }

  private:
    std::thread::id const caller_ = std::this_thread::get_id();
    std::atomic<bool> alone_ = true;
    help_call help_;
};

/// What tbb::parallel_reduce asks of a body: it joins neighbours in order, so folds need not commute.
class body {
  public:
    body(ordered_work& root, chunks const& all, company& threads) : work_{&root}, all_{all}, threads_{threads} { hand_over(); }
    /// By a thread that comes for a part.
    body(body& other, tbb::split)
        : owned_{other.work_->split()}, work_{owned_.get()}, all_{other.all_}, threads_{other.threads_} {
        threads_.come();
        hand_over();
    }

    void operator()(tbb::blocked_range<index_t> const& range) {
        handed const range_handed;
        all_.run(*work_, range.begin(), range.end());
        threads_.range_done();
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
    company& threads_;
};

/// A few chunks, [first, last), cut into so many parts, each for a thread: the cores begin at once, and find in their
/// caches what they read in the last call.
struct shares {
    chunks const& all;
    index_t first, last, parts;
    std::size_t place;  ///< of the first part; each but the caller's own is offered at the one before its own

    void run(ordered_work& work) const {
        // No more at once than loops take for cached (prefetch.hpp).
        if (parts == 1) return all.run(work, first, last, 3);
        index_t const half = parts / 2, middle = first + (last - first) * half / parts;
        shares const here{all, first, middle, half, place};
        shares const rest{all, middle, last, parts - half, place + static_cast<std::size_t>(half)};
        std::unique_ptr<ordered_work> later;
        auto const run_rest = [&] {
            later = work.split();
            rest.run(*later);
        };
        offer there(rest.place - 1, run_rest);
        here.run(work);
        if (there.left_undone()) rest.run(work);
        else work.join(*later);
    }
};

/// Whether this process is a child of one that had threads when it forked. It has none of them, and TBB does not know:
/// it would wait for locks that they held.
std::atomic<bool> is_orphaned = false;

}  // namespace

void run_parallel(ordered_work& work, index_t begin, index_t end, index_t chunk, int threads) {
    chunks const all{begin, end, chunk};
    index_t const count = all.count();
    // Of more than caches hold, here 24 MiB a core, several chunks at once: this tells loops to ask for memory further
    // ahead; of far more, 96 MiB a core, twice as many: to ask for it past the caches (prefetch.hpp).
    auto const chunks_at_once = [&](index_t cores) -> index_t { return count / cores >= 384 ? 16 : count / cores >= 96 ? 8 : 1; };
    // One chunk, or one thread: no scheduler.
    if (count <= 1 || threads == 1 || is_orphaned) return all.run(work, 0, count, chunks_at_once(1));
    [[maybe_unused]] static int const forks_watched = pthread_atfork(nullptr, nullptr, [] { is_orphaned = true; });
    auto const most = static_cast<index_t>(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
    index_t const cores = std::min<index_t>(threads == 0 ? tbb::this_task_arena::max_concurrency() : threads, most);
    // Of few chunks, halves or quarters, so that more cores take part.
    auto const most_parts = std::min<index_t>(cores, offer::places + 1);
    chunks few = all;
    while (few.count() < most_parts && few.length % 2 == 0 && few.length > chunk / 4) few.length /= 2;
    index_t const parts = std::min(few.count(), most_parts);
    if (count <= 16 * parts) return shares{few, 0, few.count(), parts, 0}.run(work);
    dismissal const of_helpers;
    taken const all_taken;
    company here;
    body root{work, all, here};
    auto const reduce = [&] {
        tbb::blocked_range<index_t> const range(0, count, static_cast<std::size_t>(chunks_at_once(cores)));
        tbb::parallel_reduce(range, root, tbb::simple_partitioner{});
    };
    // TBB prints a warning where an arena asks for more threads than there may be.
    if (threads == 0) reduce();
    else tbb::task_arena(static_cast<int>(cores)).execute(reduce);
}

index_t bytes_a_pass(index_t run) {
    if (run <= index_t{1} << 20) return run;
    // Intel's caches hold more, and loops ask for four pages in turn in longer runs only (prefetch.hpp).
    return is_intel() ? index_t{5} << 18 : index_t{1} << 18;
}

}  // namespace warpfold::host
