// In order, reversed and random are what they say, for blocks, warps and lanes; random repeats with its seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "kernels.hpp"

namespace {

std::vector<unsigned> order(std::string const& kernel, dim3 grid, dim3 block, simt::schedule schedule,
                            std::uint64_t seed = 0) {
    unsigned const entries = kernel == "blocks" ? grid.x : block.x;
    std::vector<unsigned> log(entries);
    unsigned count = 0;
    simt::config config;
    config.grid = grid;
    config.block = block;
    config.schedule = schedule;
    config.seed = seed;
    config.threads = 1;
    EXPECT_TRUE(plain::order(kernel, config, log.data(), &count).clean());
    EXPECT_EQ(count, entries);
    return log;
}

std::vector<unsigned> ascending(unsigned n) {
    std::vector<unsigned> all(n);
    std::iota(all.begin(), all.end(), 0U);
    return all;
}

class schedules : public testing::TestWithParam<char const*> {};

TEST_P(schedules, order_what_runs) {
    dim3 const grid = std::string(GetParam()) == "blocks" ? 100 : 1;
    std::vector<unsigned> expected = ascending(100);
    EXPECT_EQ(order(GetParam(), grid, 100, simt::schedule::in_order), expected);
    std::vector<unsigned> const random = order(GetParam(), grid, 100, simt::schedule::random, 1);
    EXPECT_NE(random, expected);
    EXPECT_TRUE(std::is_permutation(random.begin(), random.end(), expected.begin(), expected.end()));
    EXPECT_EQ(order(GetParam(), grid, 100, simt::schedule::random, 1), random);
    EXPECT_NE(order(GetParam(), grid, 100, simt::schedule::random, 2), random);
    std::reverse(expected.begin(), expected.end());
    EXPECT_EQ(order(GetParam(), grid, 100, simt::schedule::reversed), expected);
}

INSTANTIATE_TEST_SUITE_P(all, schedules, testing::Values("blocks", "threads", "threads_after_barrier"),
                         [](auto const& tested) { return std::string(tested.param); });

TEST(fibers, survive_many_waits_on_many_host_threads) {
    for (int const threads : {1, 2, 7}) {
        for (auto const schedule : {simt::schedule::in_order, simt::schedule::reversed, simt::schedule::random}) {
            simt::memory<unsigned> log(50 * 96), count(1);
            simt::config config;
            config.grid = 50;
            config.block = 96;
            config.schedule = schedule;
            config.threads = threads;
            EXPECT_TRUE(plain::order("churn", config, log.data(), count.data()).clean());
            config.checks = true;
            simt::report const r = checked::order("churn", config, log.data(), count.data());
            EXPECT_TRUE(r.clean()) << r.text();
            EXPECT_EQ(count[0], 0U);
            for (unsigned i = 0; i < log.size(); ++i) ASSERT_EQ(log[i], (i % 2 == 0) * 20U);
        }
    }
}

TEST(fibers, run_in_the_same_order_in_step_and_out_of_it) {
    for (unsigned const threads : {1U, 31U, 32U, 33U, 64U, 100U, 256U}) {
        simt::memory<unsigned> out_of_step(3 * 9 * threads), in_step(3 * 9 * threads), watched(3 * 9 * threads),
            count(3);
        simt::config config;
        config.grid = 3;
        config.block = threads;
        config.threads = 1;
        EXPECT_TRUE(plain::order("never_in_step", config, out_of_step.data(), &count[0]).clean());
        EXPECT_TRUE(plain::order("out_of_step", config, in_step.data(), &count[1]).clean());
        config.checks = config.counters = true;
        (void)checked::order("out_of_step", config, watched.data(), &count[2]);
        EXPECT_EQ(count[0], count[1]);
        EXPECT_EQ(count[0], count[2]);
        for (unsigned i = 0; i < in_step.size(); ++i) {
            ASSERT_EQ(in_step[i], out_of_step[i]) << threads << " threads, " << i;
            ASSERT_EQ(watched[i], out_of_step[i]) << threads << " threads, " << i;
        }
    }
}

TEST(fibers, keep_what_a_thread_holds_at_a_barrier) {
    simt::memory<unsigned> log(4 * 3 * 20), count(1);
    simt::config config;
    config.grid = 3;
    config.block = dim3(4, 3, 20);
    EXPECT_TRUE(plain::order("kept", config, log.data(), count.data()).clean());
    EXPECT_EQ(count[0], 0U);
    EXPECT_EQ(std::accumulate(log.span().begin(), log.span().end(), 0U), log.size());
}

// The system has room for some 32000 stacks.
TEST(fibers, leave_their_stacks_to_the_next_launch) {
    std::vector<unsigned> log(512);
    simt::config config;
    config.grid = 1;
    config.block = 512;
    for (int launch = 0; launch < 100; ++launch) {
        unsigned count = 0;
        ASSERT_TRUE(plain::order("threads_after_barrier", config, log.data(), &count).clean());
    }
}

TEST(fibers, of_another_stack_size) {
    std::vector<unsigned> log(64);
    unsigned count = 0;
    simt::config config;
    config.grid = 1;
    config.block = 64;
    config.stack_bytes = 1 << 20;
    EXPECT_TRUE(plain::order("threads_after_barrier", config, log.data(), &count).clean());
    EXPECT_EQ(log, ascending(64));
}

}  // namespace
