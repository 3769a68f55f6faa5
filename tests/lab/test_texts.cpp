// What the lab says: explanations, searches, the ledger of claims and the tables of the course.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "lab/claims.hpp"
#include "lab/course.hpp"
#include "lab/explain.hpp"
#include "lab/race.hpp"

namespace {

using namespace warpfold::lab;

bool contains(std::string const& text, std::string const& part) {
    return text.find(part) != std::string::npos;
}

TEST(explain, names_what_changed) {
    explanation const c1b = explain("C1b", {.n = 65536});
    EXPECT_TRUE(contains(c1b.sentences.front(), "26 880 bank conflicts, C1 has none")) << c1b.sentences.front();
    explanation const c2 = explain("C2", {.n = 65536});
    EXPECT_TRUE(contains(c2.sentences.front(), "11 520 passes over shared memory, 3.33 times fewer than C1"))
        << c2.sentences.front();
    explanation const a2 = explain("A2", {.n = 65536});
    EXPECT_TRUE(contains(a2.sentences.front(), "256 turns at atomics on global memory, 256 times fewer than A1"))
        << a2.sentences.front();
}

TEST(explain, says_two_or_three_sentences_of_every_kernel) {
    for (kernel_entry const& kernel : catalogue(flavour::plain)) {
        if (kernel.needs != need::executor) continue;
        std::size_t const sentences = explain(kernel.id, {.n = 5000}).sentences.size();
        EXPECT_TRUE(sentences == 2 || sentences == 3) << kernel.id;
    }
}

TEST(explain, shows_counters_per_block_and_in_all) {
    std::string const page = text(explain("C2", {.n = 65536}));
    EXPECT_TRUE(contains(page, "shared_load_wavefronts                      25         6 400        24 320     0.263"))
        << page;
    nlohmann::json const counters = json(explain("C2", {.n = 65536})).at("counters");
    for (auto const& row : counters) {
        if (row.at("counter") != "shared_load_wavefronts") continue;
        EXPECT_EQ(row.at("ncu_metric"), "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum");
        EXPECT_EQ(row.at("per_block"), 25);
        EXPECT_EQ(row.at("total"), 6400);
        EXPECT_EQ(row.at("predecessor_total"), 24320);
    }
}

TEST(explain, takes_no_kernel_of_the_host) {
    EXPECT_THROW(explain("B8", {.n = 10}), std::invalid_argument);
}

TEST(race, shows_both_lines_and_the_barrier) {
    run_request request{.n = 0};
    request.as_published = true;
    std::string const page = text(find_races("A6", request, 2));
    EXPECT_TRUE(contains(page, "T const value = partial[threadIdx.x] + partial[threadIdx.x + warp_size];")) << page;
    EXPECT_TRUE(contains(page, "if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];"))
        << page;
    EXPECT_TRUE(contains(page, "Missing between the two: __syncthreads()")) << page;
}

TEST(race, of_a_clean_kernel_says_so) {
    EXPECT_TRUE(
        contains(text(find_races("C2", {.n = 0}, 3)), "Nothing found, and the answer is right in all 5 schedules."));
}

TEST(claims, are_decided) {
    auto const verdict_of = [](std::string const& id) {
        for (claim const& one : claims()) {
            if (one.id == id) return name(rule(one, own_measurements()).verdict);
        }
        return std::string("none");
    };
    for (char const* id :
         {"A.1", "A.2", "A.3", "A.4", "A.5", "B.1", "B.2", "C.5", "C.8", "C.10", "D.1", "E.3", "E.7"}) {
        EXPECT_EQ(verdict_of(id), "holds") << id;
    }
    for (char const* id : {"A.7", "A.8", "A.9", "C.1", "C.2", "C.3", "C.4", "C.6", "C.11", "C.12", "C.13", "E.1", "E.2",
                           "E.5", "E.8", "E.9", "E.10"}) {
        EXPECT_EQ(verdict_of(id), "does not hold") << id;
    }
    // Only a GPU decides these.
    for (char const* id : {"A.6", "C.9", "D.3", "D.4"}) EXPECT_EQ(verdict_of(id), "holds") << id;
    for (char const* id : {"D.2", "E.4", "E.6"}) EXPECT_EQ(verdict_of(id), "does not hold") << id;
}

TEST(claims, without_measurements_say_what_needs_a_gpu) {
    std::vector<std::string> undecided;
    for (claim const& one : claims()) {
        ruling const made = rule(one, {});
        EXPECT_FALSE(made.measured) << one.id;
        if (made.verdict == verdict::needs_gpu) undecided.push_back(one.id);
    }
    EXPECT_EQ(undecided, (std::vector<std::string>{"A.6", "C.9", "D.2", "D.3", "D.4", "E.4", "E.6"}));
}

TEST(claims, come_with_evidence) {
    nlohmann::json const ledger = ledger_json(own_measurements());
    EXPECT_EQ(ledger.size(), claims().size());
    for (auto const& row : ledger) {
        std::string const evidence = row.contains("evidence") ? row.at("evidence") : row.at("measured").at("evidence");
        EXPECT_GT(evidence.size(), 20u) << row.at("id");
    }
    std::string const text = ledger_text(own_measurements());
    EXPECT_TRUE(contains(text, "16777216 items of 4 bytes in 2.8 ms are 24 GB/s, published 85"));
    EXPECT_TRUE(contains(text, "On NVIDIA H200 it does not hold: ")) << text;
    EXPECT_TRUE(contains(text, " 0 need a GPU.")) << text;
}

TEST(course, tables_are_up_to_date) {
    std::ifstream file(WARPFOLD_SOURCE "/docs/lab.md");
    std::ostringstream document;
    document << file.rdbuf();
    ASSERT_TRUE(contains(document.str(), "<!-- counters "));
    ASSERT_TRUE(contains(document.str(), "<!-- measured A -->"));
    EXPECT_EQ(with_tables(document.str(), own_measurements()), document.str()) << "run script/lab-tables";
}

TEST(course, refuses_a_table_without_an_end) {
    EXPECT_THROW(with_tables("<!-- counters C1 -->\n", {}), std::invalid_argument);
    EXPECT_THROW(with_tables("<!-- measured A -->\n<!-- end -->\n", {}), std::invalid_argument);
    EXPECT_EQ(with_tables("no table\n", {}), "no table\n");
}

}  // namespace
