// Small calls, whose second part helpers take where they come in time.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <tbb/global_control.h>
#include <unistd.h>
#include <warpfold/warpfold.hpp>

#include <atomic>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

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
    for (int i = 0; i < 100; ++i) ASSERT_EQ(wf::reduce(x, wf::sum, {4}), expected);
    pid_t const child = fork();
    if (child == 0) {
        alarm(20);
        bool right = true;
        for (int i = 0; i < 100; ++i) right = right && wf::reduce(x, wf::sum, {4}) == expected;
        std::exit(right ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}
#endif

}  // namespace
