// Every check finds its planted defect, under every schedule, and nothing in the twin without it.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels.hpp"

namespace {

using simt::finding_kind;

struct planted {
    char const* name;
    finding_kind kind;
    char const* says;  // part of the message
    unsigned blocks = 1;
    unsigned n = 64;
};

std::ostream& operator<<(std::ostream& out, planted const& p) {
    return out << p.name;
}

constexpr planted all[] = {
    {"barrier_removed", finding_kind::shared_race, "__syncthreads()"},
    {"warp_barrier_removed", finding_kind::shared_race, "__syncwarp()"},
    {"shuffle_as_barrier", finding_kind::shared_race, "__syncwarp()"},
    {"index_off_by_one", finding_kind::out_of_bounds, "0 bytes past the end of in (400 bytes)", 2, 100},
    {"shared_off_by_one", finding_kind::out_of_bounds, "4 bytes past the end of the block's 256 bytes"},
    {"uninitialised_slot", finding_kind::uninitialised_read, "shared memory"},
    {"unwritten_global", finding_kind::uninitialised_read, "out"},
    {"barrier_after_return", finding_kind::divergent_barrier, "threads 40-63 have ended", 1, 40},
    {"barrier_in_branch", finding_kind::divergent_barrier, "threads 0-31 wait at "},
    {"deadlock", finding_kind::deadlock, "wait for a warp barrier at "},
    {"last_block", finding_kind::global_race, "a fence and an atomic", 8},
    {"cumulative_fence", finding_kind::global_race, "a fence and an atomic", 4},
    {"fence_scope", finding_kind::global_race, "a fence and an atomic", 4},
    {"ticket_before_barrier", finding_kind::global_race, "a fence and an atomic", 4},
    {"volatile_tail", finding_kind::shared_race, "__syncwarp()"},
    {"group_reduce", finding_kind::shared_race, "__syncthreads()"},
    {"absent_lane", finding_kind::absent_lane, "lane 16, which has ended"},
    {"lane_not_in_mask", finding_kind::invalid_mask, "leaves out the calling lane"},
    {"misaligned_vector", finding_kind::misaligned, "no multiple of the 16 bytes"},
    {"global_update", finding_kind::global_race, "out"},
    {"shared_update", finding_kind::shared_race, "shared memory"},
    {"slots_reused", finding_kind::shared_race, "__syncthreads()"},
    {"device_variable", finding_kind::global_race, "static memory", 2},
    {"trap", finding_kind::trap, "__trap()"},
};

simt::report run(planted const& p, std::string const& name, simt::config config) {
    std::vector<float> items(p.n);
    for (unsigned i = 0; i < p.n; ++i) items[i] = static_cast<float>(i);
    simt::memory<float> const in(items, "in");
    auto out = std::string_view(p.name) == "unwritten_global" ? simt::memory<float>::unwritten(64, "out")
                                                              : simt::memory<float>(1024, 0.0F, "out");
    config.grid = p.blocks;
    config.block = 64;
    config.shared_bytes = 256;
    config.checks = true;
    return checked::defect(name, config, in.data(), out.data(), p.n);
}

class checks : public testing::TestWithParam<planted> {};

TEST_P(checks, find_the_defect_under_every_schedule) {
    for (int s = 0; s < 12; ++s) {
        simt::config config;
        config.schedule = s == 0   ? simt::schedule::in_order
                          : s == 1 ? simt::schedule::reversed
                                   : simt::schedule::random;
        config.seed = static_cast<std::uint64_t>(s);
        config.threads = s % 3;
        simt::report const r = run(GetParam(), GetParam().name, config);
        auto const found = std::find_if(r.findings.begin(), r.findings.end(),
                                        [](simt::finding const& f) { return f.kind == GetParam().kind; });
        ASSERT_NE(found, r.findings.end()) << "schedule " << s << "\n" << r.text();
        EXPECT_TRUE(std::any_of(r.findings.begin(), r.findings.end(), [](simt::finding const& f) {
            return f.message.find(GetParam().says) != std::string::npos;
        })) << r.text();
        EXPECT_NE(found->kernel.find(GetParam().name), std::string::npos) << found->kernel;
        EXPECT_TRUE(found->where.source.file.ends_with("defects.cpp")) << found->where.source.file;
        EXPECT_GT(found->where.source.line, 0);
    }
}

TEST_P(checks, find_nothing_in_the_sound_twin) {
    for (int s = 0; s < 22; ++s) {
        simt::config config;
        config.schedule = s == 0   ? simt::schedule::in_order
                          : s == 1 ? simt::schedule::reversed
                                   : simt::schedule::random;
        config.seed = static_cast<std::uint64_t>(s);
        config.counters = s % 2 == 0;
        simt::report const r = run(GetParam(), std::string(GetParam().name) + " sound", config);
        ASSERT_TRUE(r.clean()) << "schedule " << s << "\n" << r.text();
    }
}

INSTANTIATE_TEST_SUITE_P(planted, checks, testing::ValuesIn(all), [](auto const& tested) { return tested.param.name; });

TEST(race, names_both_lines_threads_and_what_is_missing) {
    planted const& p = all[0];
    simt::config config;
    config.threads = 1;
    simt::report const r = run(p, p.name, config);
    // the early readers also read what is not yet written
    ASSERT_EQ(r.findings.size(), 2U) << r.text();
    EXPECT_EQ(r.findings[0].kind, finding_kind::uninitialised_read);
    simt::finding const& f = r.findings[1];
    ASSERT_TRUE(f.has_other);
    EXPECT_NE(f.where.source.line, f.other.source.line);
    EXPECT_NE(f.where.thread.x / 32, f.other.thread.x / 32);
    EXPECT_NE(f.where.is_write, f.other.is_write);
    EXPECT_EQ(f.missing, "__syncthreads()");
    EXPECT_EQ(f.memory, "shared memory");
    EXPECT_NE(f.address, 0U);
    EXPECT_EQ(f.count, 64U);
}

TEST(deadlock, of_a_thread_that_polls_in_vain_is_reported) {
    planted const p{"flag_never_set", finding_kind::deadlock, "has polled it"};
    simt::report const r = run(p, p.name, {});
    ASSERT_EQ(r.findings.size(), 1U) << r.text();
    EXPECT_EQ(r.findings[0].kind, p.kind);
    EXPECT_NE(r.text().find(p.says), std::string::npos) << r.text();
    for (int s = 0; s < 3; ++s) {
        simt::config config;
        config.schedule = static_cast<simt::schedule>(s);
        simt::report const sound = run(p, "flag_never_set sound", config);
        EXPECT_TRUE(sound.clean()) << sound.text();
    }
}

TEST(checks_of_memory, an_unregistered_pointer_is_out_of_bounds) {
    std::vector<float> const in(64);
    simt::memory<float> out(64);
    simt::config config;
    config.grid = 1;
    config.block = 64;
    config.checks = true;
    simt::report const r = checked::defect("barrier_removed sound", config, in.data(), out.data(), 64);
    ASSERT_FALSE(r.clean());
    EXPECT_EQ(r.findings.front().kind, finding_kind::out_of_bounds);
}

TEST(checks_of_memory, one_launch_is_ordered_before_the_next) {
    simt::memory<float> const in(64);
    simt::memory<float> out(64);
    simt::config config;
    config.grid = 1;
    config.block = 64;
    config.checks = true;
    EXPECT_TRUE(checked::defect("barrier_removed sound", config, in.data(), out.data(), 64).clean());
    EXPECT_TRUE(checked::defect("barrier_removed sound", config, out.data(), out.data(), 64).clean());
}

TEST(exceptions, of_a_kernel_reach_the_caller) {
    simt::memory<float> in(64), out(64);
    simt::config config;
    config.grid = 4;
    config.block = 64;
    EXPECT_THROW((void)plain::defect("throwing", config, in.data(), out.data(), 64), std::runtime_error);
    EXPECT_TRUE(plain::defect("throwing sound", config, in.data(), out.data(), 64).clean());
    config.checks = config.counters = true;
    EXPECT_THROW((void)checked::defect("throwing", config, in.data(), out.data(), 64), std::runtime_error);
    EXPECT_TRUE(checked::defect("throwing sound", config, in.data(), out.data(), 64).clean());
}

TEST(exceptions, a_deadlock_is_a_finding_without_checks_too) {
    simt::memory<float> in(64), out(64);
    simt::config config;
    config.grid = 2;
    config.block = 64;
    for (auto const run : {plain::defect, checked::defect}) {
        simt::report const r = run("deadlock", config, in.data(), out.data(), 64);
        ASSERT_EQ(r.findings.size(), 1U) << r.text();
        EXPECT_EQ(r.findings.front().kind, finding_kind::deadlock);
        EXPECT_EQ(r.findings.front().count, 2U);
        EXPECT_NE(r.text().find("threads 0-15, 32-47 wait for the block barrier at "), std::string::npos) << r.text();
        config.checks = true;  // of the second flavour
    }
}

}  // namespace
