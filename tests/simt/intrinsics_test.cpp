// The device language, in both flavours and under three schedules.
#include <gtest/gtest.h>

#include <string>

#include "kernels.hpp"

namespace {

class intrinsics : public testing::TestWithParam<char const*> {};

TEST_P(intrinsics, do_what_cuda_says) {
    bool const cooperative = std::string(GetParam()) == "grid_barrier";
    for (auto const schedule : {simt::schedule::in_order, simt::schedule::reversed, simt::schedule::random}) {
        for (int mode = 0; mode < 4; ++mode) {
            simt::memory<unsigned> data(64, 17U, "data");
            data[0] = 0;
            simt::config config;
            config.grid = cooperative ? 9 : 1;
            config.block = 32;
            config.shared_bytes = 128;
            config.schedule = schedule;
            config.cooperative = cooperative;
            config.checks = mode % 2 == 1;
            config.counters = mode >= 2;
            simt::report const r = (mode == 0 ? plain::intrinsic : checked::intrinsic)(GetParam(), config, data.data());
            EXPECT_TRUE(r.clean()) << r.text();
            EXPECT_EQ(data[0], 0U) << "failed expectation at this line of intrinsics.cpp, mode " << mode;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(all, intrinsics,
                         testing::Values("shuffles", "votes", "atomics", "arithmetic", "memory_and_vectors", "groups",
                                         "grid_barrier", "spin", "memory_functions"),
                         [](auto const& tested) { return std::string(tested.param); });

// The plain flavour cannot see that a thread polls, so this one would hang there.
TEST(polling, lets_other_threads_run) {
    for (auto const schedule : {simt::schedule::in_order, simt::schedule::reversed, simt::schedule::random}) {
        simt::memory<unsigned> data(64, 17U, "data");
        data[0] = 0;
        simt::config config;
        config.grid = 1;
        config.block = 32;
        config.schedule = schedule;
        config.checks = true;
        simt::report const r = checked::intrinsic("language_atomics", config, data.data());
        EXPECT_TRUE(r.clean()) << r.text();
        EXPECT_EQ(data[0], 0U) << "failed expectation at this line of intrinsics.cpp";
        EXPECT_EQ(data[4], 4U);
    }
}

TEST(kernel_templates, take_lambdas_and_functors_by_value) {
    simt::memory<float> const in(1000, 2.0F);
    simt::memory<double> out(1);
    simt::config config;
    config.grid = 1;
    config.block = 32;
    EXPECT_TRUE(plain::scaled_sum(config, in.data(), out.data(), in.size(), 0.5).clean());
    EXPECT_EQ(out[0], 1000.0);
    out[0] = 0;
    config.checks = config.counters = true;
    simt::report const r = checked::scaled_sum(config, in.data(), out.data(), in.size(), 0.5);
    EXPECT_TRUE(r.clean()) << r.text();
    EXPECT_EQ(out[0], 1000.0);
    EXPECT_EQ(r.counters.global_load_requests, 32U);
}

}  // namespace
