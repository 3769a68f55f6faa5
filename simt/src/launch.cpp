#include "simt/launch.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <cstring>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

#include "monitor.hpp"
#include "random.hpp"

namespace simt {
namespace detail {

namespace {

// Why a device would not start this grid; empty where it would.
std::string refusal(config const& c) {
    auto const exceeds = [](dim3 size, dim3 limit) { return size.x > limit.x || size.y > limit.y || size.z > limit.z; };
    auto const text = [](dim3 size) {
        return std::to_string(size.x) + " x " + std::to_string(size.y) + " x " + std::to_string(size.z);
    };
    std::uint64_t const threads = std::uint64_t{c.block.x} * c.block.y * c.block.z;
    if (c.grid.x == 0 || c.grid.y == 0 || c.grid.z == 0) return "the grid of " + text(c.grid) + " blocks is empty";
    if (threads == 0) return "the block of " + text(c.block) + " threads is empty";
    if (exceeds(c.block, c.limits.block))
        return "a block of " + text(c.block) + " threads exceeds " + text(c.limits.block);
    if (threads > c.limits.threads_per_block) {
        return std::to_string(threads) + " threads a block exceed " + std::to_string(c.limits.threads_per_block);
    }
    if (exceeds(c.grid, c.limits.grid)) return "a grid of " + text(c.grid) + " blocks exceeds " + text(c.limits.grid);
    if (c.shared_bytes > c.limits.shared_bytes) {
        return std::to_string(c.shared_bytes) + " bytes of dynamic shared memory exceed " +
               std::to_string(c.limits.shared_bytes);
    }
    std::uint64_t const blocks = std::uint64_t{c.grid.x} * c.grid.y * c.grid.z;
    if (c.cooperative && blocks > c.limits.cooperative_blocks) {
        return std::to_string(blocks) + " blocks of a cooperative grid exceed the " +
               std::to_string(c.limits.cooperative_blocks) + " that are resident together";
    }
    return {};
}

// What a host thread keeps from launch to launch.
struct host_thread {
    fiber host;
    std::optional<fiber_pool> fibers;
    std::optional<shared_memory_watch> block_memory;

    fiber_pool& pool(std::size_t stack_bytes) {
        if (!fibers || fibers->stack_bytes() != stack_bytes) fibers.emplace(stack_bytes);
        return *fibers;
    }
};

host_thread& this_host_thread() {
    static thread_local host_thread own;
    return own;
}

// The order in which blocks begin. Random order is a bijection of [0, n): a few Feistel rounds on the next power of
// four, walked until the value falls inside.
class block_order {
  public:
    block_order(config const& c, std::uint64_t blocks) : schedule_(c.schedule), seed_(c.seed), blocks_(blocks) {
        while ((std::uint64_t{1} << 2 * half_bits_) < blocks) ++half_bits_;
    }
    [[nodiscard]] std::uint64_t operator()(std::uint64_t position) const {
        switch (schedule_) {
            case schedule::in_order:
                return position;
            case schedule::reversed:
                return blocks_ - 1 - position;
            case schedule::random:
                break;
        }
        do position = permute(position);
        while (position >= blocks_);
        return position;
    }

  private:
    [[nodiscard]] std::uint64_t permute(std::uint64_t value) const {
        std::uint64_t const mask = (std::uint64_t{1} << half_bits_) - 1;
        std::uint64_t left = value >> half_bits_, right = value & mask;
        for (std::uint64_t round = 0; round < 4; ++round) {
            left ^= mix(seed_ + round, right) & mask;
            std::swap(left, right);
        }
        return left << half_bits_ | right;
    }

    schedule schedule_;
    std::uint64_t seed_, blocks_;
    unsigned half_bits_ = 0;
};

// Numbers for `count` blocks that no other launch has.
std::uint32_t number_blocks(std::uint64_t count) {
    static std::atomic<std::uint32_t> next = 1;
    return next.fetch_add(static_cast<std::uint32_t>(count));
}

// One launch on all its host threads.
class grid_run {
  public:
    grid_run(launch_context& launch, watch_context* watched)
        : launch_(launch), watched_(watched), order_(launch.config, launch.blocks) {}

    // Takes blocks until none is left; called by several host threads.
    void work() {
        host_thread& own = this_host_thread();
        fiber_pool& fibers = own.pool(launch_.config.stack_bytes);
        std::optional<monitor> watch;
        if (watched_ != nullptr) {
            if (!own.block_memory) own.block_memory.emplace();
            watch.emplace(launch_, *watched_, *own.block_memory);
        }
        monitor* const watching = watch ? &*watch : nullptr;
        block one(launch_, fibers, own.host);
        while (!stopped_.load(std::memory_order_relaxed)) {
            std::uint64_t const position = taken_.fetch_add(1, std::memory_order_relaxed);
            if (position >= launch_.blocks) break;
            one.begin(order_(position), watching);
            if (watching != nullptr) watching->begin(one);
            finish(one, one.run(), watching);
        }
        if (watching != nullptr) add(*watching);
    }

    // All blocks are resident at once, on the calling host thread; blocks take turns at the grid barrier.
    void work_cooperatively();

    // Of all blocks; called once all have ended.
    [[nodiscard]] counters counted() const {
        counters all = sum_;
        control_flow::issues const off = flow_.predicated_off();
        all.shared_load_issues = all.shared_load_instructions + off.loads;
        all.shared_store_issues = all.shared_store_instructions + off.stores;
        return all;
    }
    [[nodiscard]] std::exception_ptr thrown() const { return thrown_; }

  private:
    void finish(block const& ended, block_outcome outcome, monitor* watching) {
        if (outcome == block_outcome::finished && watching != nullptr) watching->end();
        if (ended.thrown() == nullptr) return;
        std::scoped_lock const lock(mutex_);
        if (thrown_ == nullptr) thrown_ = ended.thrown();
        stopped_ = true;
    }
    void add(monitor const& done) {
        std::scoped_lock const lock(mutex_);
        sum_ += done.counted();
        flow_.merge(done.flow());
    }

    launch_context& launch_;
    watch_context* watched_;
    block_order order_;
    std::atomic<std::uint64_t> taken_ = 0;
    std::atomic<bool> stopped_ = false;
    std::mutex mutex_;
    counters sum_;
    control_flow flow_;
    std::exception_ptr thrown_;
};

// The shared memory of a block that waits while others run: a copy of the host thread's thread-local storage. The
// executor's own variables in it are the same for every block or set anew when a block goes on.
class shared_copy {
  public:
    void save() {
        auto const [low, bytes] = thread_local_range();
        bytes_.resize(bytes);
        std::memcpy(bytes_.data(), reinterpret_cast<void const*>(low), bytes);
    }
    void restore() const {
        if (bytes_.empty()) return;
        auto const [low, bytes] = thread_local_range();
        std::memcpy(reinterpret_cast<void*>(low), bytes_.data(), bytes);
    }

  private:
    std::vector<std::byte> bytes_;
};

void grid_run::work_cooperatively() {
    struct resident {
        std::unique_ptr<block> runs;
        std::unique_ptr<shared_memory_watch> block_memory;
        std::unique_ptr<monitor> watch;
        shared_copy shared;
        bool ended = false;
    };
    host_thread& own = this_host_thread();
    fiber_pool& fibers = own.pool(launch_.config.stack_bytes);
    std::vector<resident> blocks(launch_.blocks);
    for (std::uint64_t position = 0; position < launch_.blocks; ++position) {
        resident& b = blocks[position];
        b.runs = std::make_unique<block>(launch_, fibers, own.host);
        if (watched_ != nullptr) {
            b.block_memory = std::make_unique<shared_memory_watch>();
            b.watch = std::make_unique<monitor>(launch_, *watched_, *b.block_memory);
        }
        b.runs->begin(order_(position), b.watch.get());
        if (b.watch) b.watch->begin(*b.runs);
    }
    for (std::uint64_t left = launch_.blocks; left > 0;) {
        for (resident& b : blocks) {
            if (b.ended) continue;
            b.shared.restore();
            block_outcome const outcome = b.runs->run();
            if (outcome == block_outcome::at_grid_barrier) {
                b.shared.save();
                continue;
            }
            b.ended = true;
            --left;
            finish(*b.runs, outcome, b.watch.get());
            if (b.watch) add(*b.watch);
            if (outcome == block_outcome::aborted) return;
        }
        if (watched_ != nullptr) watched_->first_block = number_blocks(launch_.blocks);
        for (resident& b : blocks) {
            if (!b.ended) b.runs->pass_grid_barrier();
        }
    }
}

void run_on_all(grid_run& grid, config const& c, std::uint64_t blocks) {
    std::uint64_t const cores = std::max(1U, std::thread::hardware_concurrency());
    std::uint64_t const wanted = c.threads > 0 ? static_cast<std::uint64_t>(c.threads) : cores;
    auto const workers = static_cast<int>(std::min(wanted, blocks));
    if (workers == 1) return grid.work();
    std::optional<tbb::global_control> more;
    if (wanted > cores) more.emplace(tbb::global_control::max_allowed_parallelism, wanted);
    tbb::task_arena arena(workers);
    arena.execute([&] {
        tbb::parallel_for(
            0, workers, [&](int) { grid.work(); }, tbb::simple_partitioner{});
    });
}

}  // namespace

report run(config const& config, kernel_call const& call) {
    bool const watched = config.checks || config.counters;
    if (watched && !call.checked) {
        throw std::invalid_argument("simt::launch: checks and counters need the kernel's checked flavour");
    }
    if (active_step != nullptr) throw std::logic_error("simt::launch: a kernel cannot launch another one");
    report result;
    std::uint64_t const blocks = std::uint64_t{config.grid.x} * config.grid.y * config.grid.z;
    launch_context launch{config, call, config.block.x * config.block.y * config.block.z, blocks, {}};
    if (std::string why = refusal(config); !why.empty()) {
        raw_finding found;
        found.kind = finding_kind::launch_refused;
        found.detail = std::move(why);
        launch.findings.add(std::move(found));
        result.findings = launch.findings.resolve({1, 1, 1}, {1, 1, 1}, call.kernel);
        return result;
    }
    std::optional<watch_context> context;
    if (watched) {
        context.emplace();
        context->first_block = number_blocks(blocks);
        context->blocks = static_cast<std::uint32_t>(blocks);
    }
    grid_run grid(launch, context ? &*context : nullptr);
    if (config.cooperative) {
        grid.work_cooperatively();
    } else {
        run_on_all(grid, config, blocks);
    }
    if (grid.thrown() != nullptr) std::rethrow_exception(grid.thrown());
    result.counters = grid.counted();
    result.findings = launch.findings.resolve(config.grid, config.block, call.kernel);
    return result;
}

}  // namespace detail
}  // namespace simt
