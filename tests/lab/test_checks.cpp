// The defects of the published kernels are found, our variants are clean, and planted bugs are caught.
#include <gtest/gtest.h>

#include <algorithm>

#include "lab/race.hpp"

namespace {

using namespace warpfold::lab;

bool found_kind(std::vector<simt::finding> const& findings, simt::finding_kind kind) {
    return std::any_of(findings.begin(), findings.end(), [kind](simt::finding const& one) { return one.kind == kind; });
}

search search_published(std::string const& id) {
    run_request request{.n = 0};
    request.as_published = true;
    return find_races(id, request, 2);
}

class published_races : public testing::TestWithParam<char const*> {};

TEST_P(published_races, are_found_with_both_lines) {
    search const found = search_published(GetParam());
    ASSERT_FALSE(found.findings.empty());
    for (simt::finding const& finding : found.findings) {
        EXPECT_EQ(finding.kind, simt::finding_kind::shared_race);
        EXPECT_NE(finding.kernel.find("as_published"), std::string::npos) << finding.kernel;
        ASSERT_TRUE(finding.has_other);
        EXPECT_NE(source_line(finding.where.source.file, finding.where.source.line), "");
        EXPECT_NE(source_line(finding.other.source.file, finding.other.source.line), "");
        EXPECT_NE(finding.missing, "");
        EXPECT_EQ(finding.where.block.x, finding.other.block.x);
    }
}

INSTANTIATE_TEST_SUITE_P(, published_races, testing::Values("A5", "A6", "A7", "C4", "C5"));

/// Whether one race has a line that contains `a` and another that contains `b`, and lacks `missing`.
bool races(search const& found, std::string const& a, std::string const& b, std::string const& missing) {
    return std::any_of(found.findings.begin(), found.findings.end(), [&](simt::finding const& one) {
        std::string const first = source_line(one.where.source.file, one.where.source.line);
        std::string const second = source_line(one.other.source.file, one.other.source.line);
        auto const has = [](std::string const& line, std::string const& part) {
            return line.find(part) != std::string::npos;
        };
        return one.missing.find(missing) != std::string::npos &&
               ((has(first, a) && has(second, b)) || (has(first, b) && has(second, a)));
    });
}

TEST(published_lines, are_those_of_the_catalogue) {
    // The tree's last step against the first read of partials 32 to 63.
    std::string const tree = "partial[threadIdx.x] += partial[threadIdx.x + stride]";
    EXPECT_TRUE(races(search_published("A5"), tree, "partial[tid + 32]", "__syncthreads"));
    EXPECT_TRUE(races(search_published("A6"), tree, "partial[threadIdx.x + warp_size]", "__syncthreads"));
    EXPECT_TRUE(races(search_published("A7"), tree, "partial[threadIdx.x + warp_size]", "__syncthreads"));
    // The steps of the last warp among themselves.
    EXPECT_TRUE(races(search_published("A5"), "partial[tid + 16]", "partial[tid + 8]", "__syncwarp"));
    EXPECT_TRUE(races(search_published("C4"), "partial[tid + 16]", "partial[tid + 8]", "__syncwarp"));
    // The slots that the first call still reads.
    EXPECT_TRUE(races(search_published("C5"), "slot[warp] = value", "slot[lane]", "__syncthreads"));
}

class published_wrong_answers : public testing::TestWithParam<char const*> {};

TEST_P(published_wrong_answers, are_reported_for_every_type) {
    kernel_entry const& kernel = find(flavour::plain, GetParam());
    ASSERT_EQ(kernel.defect.kind, fault::wrong_answer);
    for (item_type const type : types(kernel.defect.as_published)) {
        run_request request{.n = 50000, .type = type};
        request.as_published = true;
        run_outcome const outcome = run(kernel.id, request);
        EXPECT_FALSE(outcome.error.right()) << text(kernel, outcome);
        EXPECT_NE(text(kernel, outcome).find("WRONG"), std::string::npos);
    }
    search const found = search_published(GetParam());
    EXPECT_TRUE(found.findings.empty());  // wrong, but not racy
    EXPECT_TRUE(found.found_anything());
}

INSTANTIATE_TEST_SUITE_P(, published_wrong_answers, testing::Values("C8", "E4", "E8", "E10"));

TEST(our_variants, are_clean_in_twenty_random_schedules) {
    for (kernel_entry const& kernel : catalogue(flavour::plain)) {
        if (kernel.needs != need::executor || kernel.study == "planted") continue;
        for (item_type const type : types(kernel.run)) {
            search const found = find_races(kernel.id, {.n = 0, .type = type}, 20);
            EXPECT_FALSE(found.found_anything()) << text(found);
        }
    }
}

TEST(planted_bugs, are_each_caught) {
    auto const findings = [](std::string const& id) {
        run_request request{.n = 1024};
        request.options.checks = true;
        return run(id, request).findings();
    };
    EXPECT_TRUE(found_kind(findings("barrier-removed"), simt::finding_kind::shared_race));
    EXPECT_TRUE(found_kind(findings("index-off-by-one"), simt::finding_kind::out_of_bounds));
    EXPECT_TRUE(found_kind(findings("slot-uninitialised"), simt::finding_kind::uninitialised_read));
    EXPECT_TRUE(found_kind(findings("barrier-divergent"), simt::finding_kind::divergent_barrier) ||
                found_kind(findings("barrier-divergent"), simt::finding_kind::deadlock));
    EXPECT_TRUE(findings("nothing-planted").empty());
}

}  // namespace
