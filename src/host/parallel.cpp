#include "warpfold/host/parallel.hpp"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>

namespace warpfold::host {
namespace {

/// What tbb::parallel_reduce asks of a body: it joins neighbours in order, so folds need not commute.
class body {
  public:
    explicit body(ordered_work& root) : work_{&root} {}
    body(body& other, tbb::split) : owned_{other.work_->split()}, work_{owned_.get()} {}

    void operator()(tbb::blocked_range<index_t> const& range) { work_->run(range.begin(), range.end()); }
    void join(body& later) { work_->join(*later.work_); }

  private:
    std::unique_ptr<ordered_work> owned_;
    ordered_work* work_;
};

}  // namespace

void run_parallel(ordered_work& work, index_t begin, index_t end, index_t chunk, int threads) {
    // One chunk, or one thread: no scheduler, but the same chunks.
    if (end - begin <= chunk || threads == 1) {
        for (; begin < end; begin += chunk) work.run(begin, end - begin < chunk ? end : begin + chunk);
        return;
    }
    body root{work};
    tbb::blocked_range<index_t> const range(begin, end, static_cast<std::size_t>(chunk));
    if (threads == 0) {
        tbb::parallel_reduce(range, root, tbb::simple_partitioner{});
    } else {
        // TBB prints a warning where an arena asks for more threads than there may be.
        auto const most = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
        tbb::task_arena arena(most < static_cast<std::size_t>(threads) ? static_cast<int>(most) : threads);
        arena.execute([&] { tbb::parallel_reduce(range, root, tbb::simple_partitioner{}); });
    }
}

}  // namespace warpfold::host
