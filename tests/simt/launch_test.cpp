// Launches that a device refuses, and bad use of the executor.
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "kernels.hpp"

namespace {

struct launched {
    simt::report report;
    unsigned count = 0;
};

launched launch(simt::config config) {
    std::vector<unsigned> log(std::size_t{2} << 20);
    launched result;
    result.report = plain::order("threads", config, log.data(), &result.count);
    return result;
}

simt::config sized(dim3 grid, dim3 block) {
    simt::config config;
    config.grid = grid;
    config.block = block;
    return config;
}

TEST(launch, runs_every_thread_of_every_shape) {
    EXPECT_EQ(launch(sized(1, 1)).count, 1U);
    EXPECT_EQ(launch(sized(3, 33)).count, 99U);
    EXPECT_EQ(launch(sized({2, 3, 4}, {4, 5, 6})).count, 24U * 120U);
    EXPECT_EQ(launch(sized(2, 1024)).count, 2048U);
    EXPECT_EQ(launch(sized(1, {8, 2, 64})).count, 1024U);
}

TEST(launch, is_refused_as_a_device_refuses) {
    simt::config shared = sized(1, 32);
    shared.shared_bytes = 228 * 1024;
    simt::config cooperative = sized(100000, 32);
    cooperative.cooperative = true;
    simt::config const refused[] = {sized(0, 32),   sized({1, 0}, 32),  sized(1, 0),          sized(1, {1, 1, 0}),
                                    sized(1, 1025), sized(1, {33, 32}), sized(1, {1, 1, 65}), sized({1, 65536}, 32),
                                    shared,         cooperative};
    for (simt::config const& config : refused) {
        launched const result = launch(config);
        ASSERT_EQ(result.report.findings.size(), 1U);
        EXPECT_EQ(result.report.findings[0].kind, simt::finding_kind::launch_refused);
        EXPECT_EQ(result.count, 0U);
    }
}

TEST(launch, limits_can_be_another_devices) {
    simt::config config = sized(1, 256);
    config.limits.threads_per_block = 128;
    launched const result = launch(config);
    ASSERT_FALSE(result.report.clean());
    EXPECT_NE(result.report.text().find("256 threads a block exceed 128"), std::string::npos) << result.report.text();
}

TEST(launch, of_the_plain_flavour_cannot_check_or_count) {
    simt::config config = sized(1, 1);
    config.checks = true;
    EXPECT_THROW(launch(config), std::invalid_argument);
    config.checks = false;
    config.counters = true;
    EXPECT_THROW(launch(config), std::invalid_argument);
}

TEST(launch, device_code_outside_a_kernel_is_an_error) {
    EXPECT_THROW(simt::detail::block_barrier(), std::logic_error);
    EXPECT_THROW(simt::detail::fence(simt::detail::fence_scope::device), std::logic_error);
}

TEST(launch, reports_have_a_text_for_every_kind) {
    for (int kind = 0; kind <= static_cast<int>(simt::finding_kind::trap); ++kind) {
        EXPECT_FALSE(name(static_cast<simt::finding_kind>(kind)).empty());
    }
    EXPECT_TRUE(simt::report{}.text().empty());
}

}  // namespace
