// Small calls, whose second part helpers take where they come in time.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <tbb/global_control.h>
#include <unistd.h>
#include <warpfold/warpfold.hpp>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "host/cores.hpp"

namespace {

/// Four chunks of the default size, of which threads take a few each.
std::vector<std::int64_t> small(std::int64_t first) {
    std::vector<std::int64_t> x(4 << 15);
    std::iota(x.begin(), x.end(), first);
    return x;
}

std::int64_t sum_of(std::vector<std::int64_t> const& x) { return std::accumulate(x.begin(), x.end(), std::int64_t{0}); }

TEST(helpers, serve_many_callers_at_once) {
    tbb::global_control const four(tbb::global_control::max_allowed_parallelism, 4);
    std::atomic<int> wrong = 0;
    std::vector<std::thread> callers;
    for (int caller = 0; caller < 4; ++caller)
        callers.emplace_back([&wrong, caller] {
            auto const x = small(1000 * caller);
            auto const expected = sum_of(x);
            for (int i = 0; i < 1000; ++i) wrong += wf::reduce(x, wf::sum, {1 + i % 4}) != expected;
        });
    for (auto& caller : callers) caller.join();
    EXPECT_EQ(wrong, 0);
}

TEST(helpers, leave_for_larger_calls_and_come_again) {
    tbb::global_control const four(tbb::global_control::max_allowed_parallelism, 4);
    auto const x = small(1);
    std::vector<std::int64_t> const larger(1 << 20, 3);
    for (int i = 0; i < 300; ++i) {
        ASSERT_EQ(wf::reduce(x, wf::sum, {4}), sum_of(x));
        EXPECT_EQ(wf::reduce(i % 3 == 0 ? larger : x, wf::sum, {4}), i % 3 == 0 ? 3 << 20 : sum_of(x));
    }
}

cpu_set_t allowed_cores() {
    cpu_set_t allowed;
    EXPECT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
    return allowed;
}

TEST(cores, are_left_for_others_that_are_allowed) {
    std::thread([] {
        using wf::host::current_core, wf::host::leave_core;
        cpu_set_t const before = allowed_cores();
        int left = 0;
        for (int i = 0; i < 100; ++i) {
            int const core = current_core();
            leave_core(core);
            left += current_core() != core;  // a busy machine may bring a thread back at once
        }
        cpu_set_t const after = allowed_cores();
        EXPECT_TRUE(CPU_EQUAL(&before, &after));
        EXPECT_EQ(left > 0, CPU_COUNT(&before) > 1);
        cpu_set_t one;
        CPU_ZERO(&one);
        int const core = current_core();
        CPU_SET(static_cast<unsigned>(core), &one);
        ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
        leave_core(core);
        cpu_set_t const still = allowed_cores();
        EXPECT_TRUE(CPU_EQUAL(&one, &still));
    }).join();
}

/// The cores that the threads of this process may run on, as the system prints them.
std::set<std::string> cores_of_threads() {
    std::set<std::string> found;
    for (auto const& thread : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream status(thread.path() / "status");
        for (std::string line; std::getline(status, line);)
            if (line.starts_with("Cpus_allowed_list:")) found.insert(line);
    }
    return found;
}

TEST(cores, that_threads_may_use_stay_the_programs_choice) {
    auto const x = small(5);
    std::vector<std::int64_t> const larger(1 << 22, 3);
    for (int i = 0; i < 50; ++i) {
        for (int call = 0; call < 5; ++call) EXPECT_EQ(wf::reduce(x, wf::sum), sum_of(x));
        EXPECT_EQ(wf::reduce(larger, wf::sum), 3 << 22);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));  // threads fall asleep, and wake up on any core
    }
    // One that is on its way may run on fewer for a moment.
    for (int i = 0; i < 1000 && cores_of_threads().size() != 1; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(cores_of_threads().size(), 1U);
}

TEST(helpers, pass_on_what_any_part_throws_and_work_on) {
    tbb::global_control const four(tbb::global_control::max_allowed_parallelism, 4);
    auto const x = small(0);
    auto const n = static_cast<std::int64_t>(x.size());
    for (int i = 0; i < 200; ++i) {
        for (std::int64_t const bad : {std::int64_t{0}, n / 3, n / 2, n - 1}) {
            auto const failing = [bad](std::int64_t v) { return v == bad ? throw std::runtime_error("source") : v; };
            EXPECT_THROW(wf::reduce(wf::map(failing, x), wf::sum, {4}), std::runtime_error);
        }
        ASSERT_EQ(wf::reduce(x, wf::sum, {4}), sum_of(x));
    }
}

TEST(helpers, join_their_parts_in_order) {
    tbb::global_control const four(tbb::global_control::max_allowed_parallelism, 4);
    std::vector<float> const x(1 << 18, 1.F);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(wf::reduce(x, wf::argmin, {2 + i % 3}), 0);
}

#if !WARPFOLD_SANITIZED  // ThreadSanitizer lets no child begin threads
TEST(helpers, are_not_missed_after_a_fork) {
    tbb::global_control const four(tbb::global_control::max_allowed_parallelism, 4);
    auto const x = small(1);
    auto const expected = sum_of(x);
    std::vector<std::int64_t> const larger(1 << 20, 3);
    for (int round = 0; round < 20; ++round) {
        for (int i = 0; i < 20; ++i) ASSERT_EQ(wf::reduce(x, wf::sum, {4}), expected);
        pid_t const child = fork();
        if (child == 0) {
            alarm(20);
            bool right = wf::reduce(larger, wf::sum, {4}) == 3 << 20;
            for (int i = 0; i < 20; ++i) right = right && wf::reduce(x, wf::sum, {4}) == expected;
            std::_Exit(right ? 0 : 1);  // by exit, TBB's own end may wait for a lock of the parent's threads
        }
        int status = -1;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    }
}
#endif

}  // namespace
