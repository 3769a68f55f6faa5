// Counters against an H200's (Nsight Compute 2025.3, 2026-11-21) and against counts on paper.
#include <gtest/gtest.h>

#include <string>

#include "kernels.hpp"

namespace {

simt::counters count(std::string const& name, std::size_t n, dim3 grid, unsigned block, simt::config config = {}) {
    simt::memory<float> const in(n, 1.0F, "in");
    simt::memory<float> out(grid.x + 64, 0.0F, "out");
    config.grid = grid;
    config.block = block;
    config.checks = config.counters = true;
    std::size_t const argument = name == "strided_load" ? n / 32 : n;
    simt::report const r = checked::reduction(name, config, in.data(), out.data(), argument);
    EXPECT_TRUE(r.clean()) << r.text();
    return r.counters;
}

simt::counters count_warp(std::string const& name, std::size_t argument) {
    simt::memory<float> const in(4096, 1.0F, "in");
    simt::memory<float> out(64, 0.0F, "out");
    simt::config config;
    config.grid = 1;
    config.block = 32;
    config.counters = true;
    return checked::reduction(name, config, in.data(), out.data(), argument).counters;
}

constexpr std::size_t hardware_n = 1048576;
constexpr unsigned hardware_blocks = 4096;

// Loads are the hardware's less its arbitration noise, which is all that it shows beyond these multiples of the blocks.
void expect_hardware(simt::counters const& c, unsigned load_wavefronts, unsigned load_conflicts,
                     unsigned store_wavefronts, unsigned store_conflicts) {
    EXPECT_EQ(c.global_load_requests, 32768U);
    EXPECT_EQ(c.global_load_sectors, 131072U);
    EXPECT_EQ(c.shared_load_wavefronts, load_wavefronts * hardware_blocks);
    EXPECT_EQ(c.shared_load_bank_conflicts, load_conflicts * hardware_blocks);
    EXPECT_EQ(c.shared_store_wavefronts, store_wavefronts);
    EXPECT_EQ(c.shared_store_bank_conflicts, store_conflicts);
    EXPECT_EQ(c.barriers, 9 * 8 * hardware_blocks);
    EXPECT_EQ(c.shared_load_issues, 528384U);
    EXPECT_EQ(c.shared_store_issues, 294912U);
}

TEST(counters, of_interleaved_addressing_equal_the_hardware) {
    expect_hardware(count("C1", hardware_n, hardware_blocks, 256), 95, 0, 225280, 0);
}

TEST(counters, of_interleaved_index_equal_the_hardware) {
    expect_hardware(count("C1b", hardware_n, hardware_blocks, 256), 95, 70, 225280, 143360);
}

TEST(counters, of_sequential_addressing_equal_the_hardware) {
    expect_hardware(count("C2", hardware_n, hardware_blocks, 256), 25, 0, 81920, 0);
}

TEST(counters, are_the_same_under_every_schedule_and_thread_count) {
    simt::counters const reference = count("C6", 100000, 37, 256);
    EXPECT_EQ(reference.global_load_requests, (100000U + 31) / 32);
    EXPECT_EQ(reference.shuffles, 37U * (8 * 5 + 5));
    for (int s = 0; s < 8; ++s) {
        simt::config config;
        config.schedule = s % 2 == 0 ? simt::schedule::random : simt::schedule::reversed;
        config.seed = static_cast<std::uint64_t>(s);
        config.threads = 1 + s % 4;
        EXPECT_EQ(count("C6", 100000, 37, 256, config), reference) << "schedule " << s;
    }
}

TEST(counters, are_the_same_with_and_without_checks) {
    simt::memory<float> const in(10000, 1.0F);
    simt::memory<float> out(64);
    simt::config config;
    config.grid = 40;
    config.block = 256;
    config.counters = true;
    simt::counters const alone = checked::reduction("C1b", config, in.data(), out.data(), 10000).counters;
    EXPECT_EQ(alone, count("C1b", 10000, 40, 256));
}

TEST(counters, of_a_trace_longer_than_its_room) {
    simt::counters const c = count("single_thread", 100000, 1, 64);
    EXPECT_EQ(c.global_load_requests, 100000U);
    EXPECT_EQ(c.global_load_sectors, 100000U);
    EXPECT_EQ(c.global_load_bytes, 400000U);
    EXPECT_EQ(c.global_store_requests, 1U);
}

TEST(counters, of_a_trace_longer_than_its_room_while_others_wait_at_a_barrier) {
    simt::counters const c = count("long_work_before_barrier", 1000, 1, 64);
    EXPECT_EQ(c.global_load_requests, 1000U);
    EXPECT_EQ(c.barriers, 2U);
    EXPECT_EQ(c.shared_load_bytes, 64U * 4);
}

TEST(counters, of_loops_of_different_lengths) {
    simt::counters const c = count_warp("ragged", 0);
    EXPECT_EQ(c.global_load_requests, 32U);
    EXPECT_EQ(c.global_load_sectors, 32U);  // round i: the lanes from i on read one word
    EXPECT_EQ(c.global_load_bytes, 32U * 33 / 2 * 4);
    EXPECT_EQ(c.global_store_requests, 1U);
    EXPECT_GE(c.divergent_branches, 31U);
}

TEST(counters, meet_lanes_by_iteration_not_by_occurrence) {
    simt::counters const c = count_warp("late_company", 0);
    EXPECT_EQ(c.global_load_requests, 8U);
    EXPECT_EQ(c.global_store_requests, 8U);
    EXPECT_EQ(c.global_store_sectors, 7U + 4U);
}

TEST(counters, of_strided_loads_count_sectors) {
    for (unsigned const stride : {1U, 2U, 4U, 8U, 16U}) {
        simt::counters const c = count_warp("strided_load", stride);
        EXPECT_EQ(c.global_load_requests, 1U);
        EXPECT_EQ(c.global_load_sectors, std::min(32U, 4 * stride)) << stride;
    }
}

TEST(counters, of_vector_loads_are_one_request) {
    simt::counters const c = count_warp("vector_load", 0);
    EXPECT_EQ(c.global_load_requests, 1U);
    EXPECT_EQ(c.global_load_sectors, 16U);
    EXPECT_EQ(c.global_load_bytes, 512U);
}

TEST(counters, of_atomics_serialise_on_equal_addresses) {
    simt::counters const all_one = count_warp("global_atomics", 0);
    EXPECT_EQ(all_one.global_atomic_requests, 1U);
    EXPECT_EQ(all_one.global_atomic_lanes, 32U);
    EXPECT_EQ(all_one.global_atomic_serialisations, 32U);
    EXPECT_EQ(all_one.global_load_requests, 1U);
    for (unsigned const bins : {1U, 2U, 8U, 32U}) {
        simt::counters const c = count_warp("shared_atomics", bins);
        EXPECT_EQ(c.shared_atomic_instructions, 1U);
        EXPECT_EQ(c.shared_atomic_lanes, 32U);
        EXPECT_EQ(c.shared_atomic_serialisations, 32U / bins);
    }
}

TEST(counters, of_wide_shared_accesses_take_the_warp_in_parts) {
    simt::counters const c = count_warp("shared_vectors", 0);
    EXPECT_EQ(c.shared_store_instructions, 2U);
    EXPECT_EQ(c.shared_store_wavefronts, 4U + 2U);
    EXPECT_EQ(c.shared_store_bank_conflicts, 0U);
}

TEST(counters, of_broadcasts_and_columns) {
    simt::counters const column = count_warp("broadcast_and_column", 32);
    EXPECT_EQ(column.shared_load_instructions, 2U);
    EXPECT_EQ(column.shared_load_wavefronts, 1U + 32U);
    EXPECT_EQ(column.shared_load_bank_conflicts, 31U);
    EXPECT_EQ(column.shared_store_wavefronts, 33U);
    simt::counters const padded = count_warp("broadcast_and_column", 33);
    EXPECT_EQ(padded.shared_load_bank_conflicts, 0U);
}

TEST(counters, of_branches_and_warp_operations) {
    simt::counters const c = count_warp("halves", 0);
    EXPECT_EQ(c.warp_barriers, 1U);
    EXPECT_EQ(c.votes, 1U);
    EXPECT_EQ(c.warp_reductions, 1U);
    EXPECT_EQ(c.fences, 32U);
    EXPECT_LT(c.mean_active_lanes(), 32.0);
}

TEST(counters, have_names_of_ours_and_of_nsight_compute) {
    simt::counters c;
    c.shared_load_bank_conflicts = 7;
    bool found = false;
    for (simt::metric const& m : c.metrics()) {
        if (m.name != "shared_load_bank_conflicts") continue;
        found = true;
        EXPECT_EQ(m.ncu_name, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum");
        EXPECT_EQ(m.value, 7.0);
    }
    EXPECT_TRUE(found);
}

}  // namespace
