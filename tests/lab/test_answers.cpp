// Every kernel gives the right answer: all sizes, types, block sizes and schedules.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "lab/trials.hpp"

namespace {

using namespace warpfold::lab;

constexpr simt::schedule schedules[] = {simt::schedule::in_order, simt::schedule::reversed, simt::schedule::random};

/// Calls `check(kernel, type, block)` for every kernel that runs here, in every type and block size that it takes.
template <class Check>
void for_all(Check check) {
    for (kernel_entry const& kernel : catalogue(flavour::plain)) {
        if (kernel.needs == need::gpu) continue;
        for (item_type const type : types(kernel.run)) {
            for (unsigned block = kernel.launch.least_block; block <= kernel.launch.greatest_block; block *= 2) {
                check(kernel, type, block);
            }
        }
    }
}

/// Items made once for all kernels of an operation.
item_list const& items_for(operation op, item_type type, std::uint64_t n) {
    static std::map<std::tuple<operation, item_type, std::uint64_t>, item_list> made;
    auto const [place, is_new] = made.try_emplace({op, type, n});
    if (is_new) place->second = make_items(op, type, n, n + 1);
    return place->second;
}

void expect_right(kernel_entry const& kernel, item_type type, std::uint64_t n, run_request const& request) {
    run_outcome const outcome = run(kernel.id, request, items_for(kernel.op, type, n));
    EXPECT_TRUE(outcome.error.right()) << text(kernel, outcome);
    for (simt::finding const& finding : outcome.findings()) {
        ADD_FAILURE() << kernel.id << " n " << n << " block " << request.block << "\n" << finding.message;
    }
}

TEST(answers, small_sizes_under_all_checks) {
    for_all([](kernel_entry const& kernel, item_type type, unsigned block) {
        for (std::uint64_t const n : {0u, 1u, 2u, 31u, 32u, 33u, 255u, 256u, 257u, 1000u}) {
            for (simt::schedule const schedule : schedules) {
                run_request request{.block = block};
                request.options = {.checks = true, .counters = false, .schedule = schedule, .seed = n};
                expect_right(kernel, type, n, request);
            }
        }
    });
}

TEST(answers, sizes_that_split_oddly_over_the_grid) {
    for_all([](kernel_entry const& kernel, item_type type, unsigned block) {
        // One item more or less than whole blocks, and a prime.
        for (std::uint64_t const n :
             {std::uint64_t{7} * block + 1, std::uint64_t{6} * block - 1, std::uint64_t{4099}}) {
            for (simt::schedule const schedule : schedules) {
                run_request request{.block = block};
                request.options = {.checks = false, .counters = false, .schedule = schedule, .seed = n};
                expect_right(kernel, type, n, request);
            }
        }
    });
}

TEST(answers, large_sizes) {
    // Sanitizers take ten times as long, and find no more in a million items than in 65 537.
    std::vector<std::uint64_t> sizes{65537};
    if (!WARPFOLD_SANITIZED) sizes.push_back(1u << 20);
    std::size_t turn = 0;  // the schedules take turns, so that every kernel runs under each
    for_all([&](kernel_entry const& kernel, item_type type, unsigned block) {
        for (std::uint64_t const n : sizes) {
            run_request request{.block = block};
            request.options.schedule = schedules[turn++ % std::size(schedules)];
            request.options.seed = turn;
            expect_right(kernel, type, n, request);
        }
    });
}

TEST(answers, grids_that_are_asked_for) {
    for (kernel_entry const& kernel : catalogue(flavour::plain)) {
        if (kernel.needs != need::executor || kernel.launch.most_blocks < 2) continue;
        for (std::uint64_t const grid : {1u, 3u, 7u}) {
            expect_right(kernel, types(kernel.run).front(), 10007, {.grid = grid});
        }
    }
}

TEST(answers, what_a_kernel_cannot_do_is_an_error) {
    EXPECT_THROW(run("Z9", {}), std::invalid_argument);
    EXPECT_THROW(run("C2", {.n = 10, .type = item_type::u8}), std::invalid_argument);
    EXPECT_THROW(run("H1", {.n = 10, .type = item_type::f32}), std::invalid_argument);
    EXPECT_THROW(run("C2", {.n = 10, .block = 96}), std::invalid_argument);
    EXPECT_THROW(run("C2", {.n = 10, .block = 2048}), std::invalid_argument);
    EXPECT_THROW(run("A5", {.n = 10, .block = 32}), std::invalid_argument);
    EXPECT_THROW(run("C2", {.n = 10, .block = 0, .grid = 4}), std::invalid_argument);
    EXPECT_THROW(run("C2", {.n = 10, .block = 0, .grid = 0, .seed = 1, .as_published = true}), std::invalid_argument);
    EXPECT_THROW(run("A8", {}), needs_gpu);
    EXPECT_THROW(run("A-torch", {}), needs_gpu);
}

TEST(answers, of_trials_are_what_claims_hang_on) {
    auto const right = [](std::string const& name) {
        trial const made = try_out(trial_of(name), engine::executor, 2);
        EXPECT_EQ(made.runs, 2);
        EXPECT_TRUE(made.right == 0 || made.right == 2) << name;
        EXPECT_EQ(made.found == made.exact, made.right == 2) << name << ": " << made.found << ", " << made.exact;
        return made.right == 2;
    };
    for (char const* name : {"C8 as published", "E4 as published", "E8 as published", "E10 as published",
                             "C2 in blocks of 96", "B3 where threads without an item bring 0",
                             "E8 as published, equals at 1 and 16", "E8 as published, a NaN before 1",
                             "E8 as published, NaN alone"}) {
        EXPECT_FALSE(right(name)) << name;
    }
    EXPECT_TRUE(right("B3 over negative items"));
    EXPECT_TRUE(right("E8 as published, equals at 0 and 16"));
    EXPECT_EQ(try_out(trial_of("C5 in blocks of 96"), engine::executor).right, 1);
    EXPECT_EQ(try_out(trial_of("C5 in blocks of 96"), engine::executor).threads, 96u);
    EXPECT_THROW(trial_of("C2 as published"), std::invalid_argument);
}

TEST(answers, argmax_takes_the_first_of_equals_and_the_first_nan) {
    float const nan = std::numeric_limits<float>::quiet_NaN();
    for (char const* id : {"B7", "E8"}) {
        std::vector<float> items(5000, 1.0f);
        items[4321] = items[777] = items[778] = 7;
        EXPECT_EQ(run(id, {}, items).found, (answer{7, 777})) << id;
        items[3000] = items[2999] = nan;
        EXPECT_EQ(run(id, {}, items).found[1], 2999) << id;
    }
}

TEST(answers, infinities_are_the_identities_of_min_and_max) {
    float const infinity = std::numeric_limits<float>::infinity();
    std::vector<float> const low(300, -infinity);
    std::vector<float> const high(300, infinity);
    EXPECT_EQ(run("B3", {}, low).found.front(), -infinity);
    EXPECT_EQ(run("E7", {}, low).found.front(), -infinity);
    EXPECT_EQ(run("B4", {}, high).found.front(), infinity);
    EXPECT_EQ(run("B4", {}, std::vector<float>{}).found.front(), infinity);
    EXPECT_EQ(run("B3", {}, std::vector<int>{}).found.front(), std::numeric_limits<int>::lowest());
}

// The reference itself: a wrong answer must not pass.
TEST(answers, errors_are_measured_against_the_exact_sum) {
    item_list const items = std::vector<float>{1, 0.5f, 0.25f};
    reference const right = make_reference(operation::sum, items);
    EXPECT_EQ(compare(right, {1.75}, 3).ulps, 0);
    error const off = compare(right, {std::nextafter(1.75f, 2.0f)}, 3);
    EXPECT_EQ(off.ulps, 1);
    EXPECT_TRUE(off.right());
    EXPECT_FALSE(compare(right, {1.5}, 3).right());
    EXPECT_FALSE(compare(make_reference(operation::sum, std::vector<int>{1, 2}), {4}, 2).right());
    EXPECT_FALSE(compare(right, {std::nan("")}, 3).right());
}

}  // namespace
