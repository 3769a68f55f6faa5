// Counters: the hardware's where it was asked, and what pencil and paper give for the others.
#include <gtest/gtest.h>

#include <map>

#include "lab/explain.hpp"
#include "lab/results.hpp"

namespace {

using namespace warpfold::lab;

simt::counters counters_of(std::string const& id, std::uint64_t n, item_type type = item_type::f32) {
    return count(id, {.n = n, .type = type}).counters;
}

double value_of(simt::counters const& counters, std::string const& name) {
    for (simt::metric const& metric : counters.metrics()) {
        if (metric.name == name) return metric.value;
    }
    ADD_FAILURE() << "no counter " << name;
    return -1;
}

/// Whether the device's compiler makes other accesses of a kernel than the executor sees: docs/lab.md says which.
bool compiled_otherwise(std::string const& kernel, std::string const& counter) {
    bool const of_shared_memory = counter.rfind("shared_", 0) == 0;
    bool const pairs = kernel == "B7" || kernel == "E8";
    if (counter == "divergent_branches" || counter == "mean_active_lanes") return true;
    if (pairs && (of_shared_memory || counter.rfind("global_store_", 0) == 0 || counter == "shuffles")) return true;
    if (kernel == "A2" && of_shared_memory) return true;
    if ((kernel == "B3" || kernel == "B4") && counter.find("_issues") != std::string::npos) return true;
    return (kernel == "A1" || kernel == "B1" || kernel == "H1") && counter == "global_atomic_sectors";
}

// Requests, sectors, bytes, barriers, shuffles and instructions are exact. Passes over shared memory carry arbitration,
// which the hardware counts among the bank conflicts: up to a fifth of the loads of C7t.
TEST(counters, are_those_of_the_hardware) {
    std::size_t compared = 0;
    std::map<std::string, simt::counters> ours;
    for (hardware_counter const& theirs : own_measurements().counters) {
        if (compiled_otherwise(theirs.kernel, theirs.counter)) continue;
        item_type const type = types(find(flavour::plain, theirs.kernel).run).front();
        if (ours.count(theirs.kernel) == 0) ours[theirs.kernel] = counters_of(theirs.kernel, 1u << 20, type);
        simt::counters const& own = ours[theirs.kernel];
        bool const arbitrated = theirs.counter == "shared_load_wavefronts" ||
                                theirs.counter == "shared_store_wavefronts" ||
                                theirs.counter.find("bank_conflicts") != std::string::npos;
        double const passes = value_of(own, "shared_load_wavefronts");
        EXPECT_NEAR(value_of(own, theirs.counter), theirs.value, arbitrated ? 0.2 * passes + 16 : 0)
            << theirs.kernel << " " << theirs.counter;
        ++compared;
    }
    EXPECT_GT(compared, 300u);
}

TEST(counters, of_the_trees_without_noise) {
    struct expected {
        char const* id;
        std::uint64_t load_wavefronts, load_conflicts, store_wavefronts, store_conflicts;  // a block
    };
    for (auto const& [id, loads, load_conflicts, stores, store_conflicts] :
         {expected{"C1", 95, 0, 55, 0}, expected{"C1b", 95, 70, 55, 35}, expected{"C2", 25, 0, 20, 0}}) {
        simt::counters const c = counters_of(id, 1u << 20);
        EXPECT_EQ(c.shared_load_wavefronts, loads * 4096) << id;
        EXPECT_EQ(c.shared_load_bank_conflicts, load_conflicts * 4096) << id;
        EXPECT_EQ(c.shared_store_wavefronts, stores * 4096) << id;
        EXPECT_EQ(c.shared_store_bank_conflicts, store_conflicts * 4096) << id;
    }
}

// For the analytic counts: 65 536 items are 256 blocks of 256 threads at one item a thread, 2048 warps.
constexpr std::uint64_t n = 65536;
constexpr std::uint64_t blocks = n / 256;
constexpr std::uint64_t warps = n / 32;

/// Every kernel that reads coalesced floats one at a time asks once a warp and gets four sectors.
TEST(counters, of_coalesced_loads) {
    for (char const* id : {"A1", "A2", "A3", "A4", "A5", "A6",  "A7",  "B1", "B2", "C1", "C2",  "C3", "C4", "C5",
                           "C6", "C7", "C8", "C9", "D1", "D1a", "D1w", "E4", "E5", "E6", "E6a", "E7", "E8", "E10"}) {
        simt::counters const c = counters_of(id, n);
        EXPECT_EQ(c.global_load_requests, warps) << id;
        EXPECT_EQ(c.global_load_sectors, 4 * warps) << id;
        EXPECT_EQ(c.global_load_bytes, 4 * n) << id;
    }
}

TEST(counters, of_wide_loads) {
    for (item_type const type : {item_type::f32, item_type::i32}) {
        for (char const* id : {"D2", "D2a", "D2w"})
            EXPECT_EQ(counters_of(id, n, type).global_load_requests, warps / 2) << id;
        for (char const* id : {"D4", "D4a", "D4w", "E9"}) {
            EXPECT_EQ(counters_of(id, n, type).global_load_requests, warps / 4) << id;
            EXPECT_EQ(counters_of(id, n, type).global_load_sectors, 4 * warps) << id;
        }
    }
}

TEST(counters, of_a_single_thread) {
    simt::counters const c = counters_of("E0", n);
    EXPECT_EQ(c.global_load_requests, n);
    EXPECT_EQ(c.global_load_sectors, n);
}

TEST(counters, of_atomics) {
    simt::counters const a1 = counters_of("A1", n);
    EXPECT_EQ(a1.global_atomic_requests, warps);
    EXPECT_EQ(a1.global_atomic_lanes, n);
    EXPECT_EQ(a1.global_atomic_serialisations, n);  // all lanes on one word

    simt::counters const a2 = counters_of("A2", n);
    EXPECT_EQ(a2.shared_atomic_lanes, n);
    EXPECT_EQ(a2.shared_atomic_serialisations, n);
    EXPECT_EQ(a2.global_atomic_lanes, blocks);
    EXPECT_EQ(a2.barriers, 2 * warps);

    EXPECT_EQ(counters_of("B1", n).global_atomic_serialisations, n);
    EXPECT_EQ(counters_of("C9", n).global_atomic_lanes, n / 1024);
    EXPECT_EQ(counters_of("D1a", n).global_atomic_lanes, n / 512);
    EXPECT_EQ(counters_of("D1w", n).global_atomic_lanes, warps);
    EXPECT_EQ(counters_of("E6a", n).global_atomic_lanes, n / 512);
}

/// Shared words as one warp's loads and stores of a tree from 256 threads down: strides 128, 64 and 32 and below take
/// 4, 2 and 1 warps, each with two loads and one store.
TEST(counters, of_trees_with_other_tails) {
    simt::counters const a3 = counters_of("A3", n);
    EXPECT_EQ(a3.shared_load_wavefronts, blocks * (2 * (4 + 2 + 6) + 1));
    EXPECT_EQ(a3.shared_store_wavefronts, blocks * (8 + 4 + 2 + 6));
    EXPECT_EQ(a3.barriers, warps * 9);

    simt::counters const a4 = counters_of("A4", n);
    EXPECT_EQ(a4.shared_load_wavefronts, blocks * (2 * (4 + 2 + 1) + 1));
    EXPECT_EQ(a4.shuffles, blocks * 5);
    EXPECT_EQ(a4.barriers, warps * 4);

    simt::counters const a5 = counters_of("A5", n);
    EXPECT_EQ(a5.shared_load_wavefronts, blocks * (2 * (4 + 2) + 1 + 6 + 1));
    EXPECT_EQ(a5.shared_store_wavefronts, blocks * (8 + 4 + 2 + 6));
    EXPECT_EQ(a5.warp_barriers, blocks * 12);
    EXPECT_EQ(a5.barriers, warps * 3);

    simt::counters const c3 = counters_of("C3", n);
    EXPECT_EQ(c3.shared_load_wavefronts, blocks / 2 * 25);
    EXPECT_EQ(c3.barriers, warps / 2 * 9);

    simt::counters const c7 = counters_of("C7", n);
    EXPECT_EQ(c7.shared_store_wavefronts, blocks * 8 * 8);
    EXPECT_EQ(c7.shared_load_wavefronts, blocks * (4 + 2 + 6));
    EXPECT_EQ(c7.barriers, warps * 16);
}

TEST(counters, of_shuffles) {
    simt::counters const c5 = counters_of("C5", n);
    EXPECT_EQ(c5.shuffles, blocks * (8 + 1) * 5);
    EXPECT_EQ(c5.shared_store_wavefronts, blocks * 8);
    EXPECT_EQ(c5.shared_load_wavefronts, blocks);
    EXPECT_EQ(c5.barriers, warps * 2);

    EXPECT_EQ(counters_of("C6", n).shuffles, n / 1024 * (8 + 1) * 5);
    simt::counters const d1w = counters_of("D1w", n);
    EXPECT_EQ(d1w.shuffles, warps * 5);
    EXPECT_EQ(d1w.shared_load_instructions + d1w.shared_store_instructions + d1w.barriers, 0u);
    // argmax moves a value and an index.
    EXPECT_EQ(counters_of("E8", n).shuffles, n / 512 * (8 + 1) * 5 * 2);
}

TEST(counters, of_histograms) {
    simt::counters const h1 = counters_of("H1", n, item_type::u8);
    EXPECT_EQ(h1.global_atomic_lanes, n);
    simt::counters const h2 = counters_of("H2", n, item_type::u8);
    EXPECT_EQ(h2.shared_atomic_lanes, n);
    EXPECT_EQ(h2.global_load_bytes, n);
    EXPECT_LE(h2.global_atomic_lanes, n / 4096 * 256);
}

TEST(counters, do_not_depend_on_the_schedule) {
    run_request request{.n = 20000};
    simt::counters const first = count("C8", request).counters;
    for (auto const schedule : {simt::schedule::reversed, simt::schedule::random}) {
        request.options.schedule = schedule;
        request.options.seed = 7;
        EXPECT_EQ(count("C8", request).counters, first);
    }
}

}  // namespace
