// Every id of the studies is there, with what is known of it.
#include <gtest/gtest.h>

#include <set>

#include "lab/catalogue.hpp"
#include "lab/claims.hpp"
#include "lab/listing.hpp"
#include "lab/published.hpp"

namespace {

using namespace warpfold::lab;

TEST(catalogue, holds_every_kernel) {
    std::vector<std::string> ids;
    for (kernel_entry const& kernel : catalogue(flavour::plain)) ids.push_back(kernel.id);
    std::vector<std::string> const expected{
        "A1", "A2",  "A3",     "A4", "A5",  "A6",  "A7",  "A8",  "A-torch", "B1",  "B2", "B3", "B4",   "B5", "B6",
        "B7", "B8",  "B-tree", "C1", "C1b", "C2",  "C3",  "C4",  "C5",      "C5b", "C6", "C7", "C7t",  "C8", "C9",
        "D1", "D1a", "D1w",    "D2", "D2a", "D2w", "D4",  "D4a", "D4w",     "E0",  "E1", "E2", "E3",   "E4", "E5",
        "E6", "E6a", "E7",     "E8", "E9",  "E10", "E11", "E12", "E-cub",   "H1",  "H2", "H3", "H-cub"};
    EXPECT_EQ(ids, expected);
}

TEST(catalogue, is_the_same_in_both_flavours) {
    auto const& plain = catalogue(flavour::plain);
    auto const& checked = catalogue(flavour::checked);
    ASSERT_EQ(plain.size(), checked.size());
    for (std::size_t i = 0; i < plain.size(); ++i) {
        EXPECT_EQ(plain[i].id, checked[i].id);
        EXPECT_EQ(types(plain[i].run), types(checked[i].run));
        EXPECT_TRUE(plain[i].run.f32 == nullptr || plain[i].run.f32 != checked[i].run.f32) << plain[i].id;
    }
}

TEST(catalogue, entries_are_complete) {
    std::set<std::string> ids;
    for (kernel_entry const& kernel : catalogue(flavour::plain)) ids.insert(kernel.id);
    for (kernel_entry const& kernel : catalogue(flavour::plain)) {
        EXPECT_FALSE(kernel.idea.empty()) << kernel.id;
        EXPECT_TRUE(kernel.needs == need::gpu || !types(kernel.run).empty()) << kernel.id;
        EXPECT_TRUE(kernel.predecessor.empty() || ids.count(kernel.predecessor) == 1) << kernel.id;
        EXPECT_EQ(kernel.defect.kind == fault::none, types(kernel.defect.as_published).empty()) << kernel.id;
        bool found = kernel.published_name.empty();
        for (figure const& one : published())
            found = found || (one.study == kernel.study && one.kernel == kernel.published_name);
        EXPECT_TRUE(found) << kernel.id << " is not in the published figures as " << kernel.published_name;
    }
}

TEST(catalogue, knows_every_published_kernel) {
    for (figure const& one : published()) {
        bool found = false;
        for (kernel_entry const& kernel : catalogue(flavour::plain)) {
            found = found || (one.study == kernel.study && one.kernel == kernel.published_name);
        }
        EXPECT_TRUE(found) << one.study << " " << one.kernel;
    }
}

TEST(catalogue, claims_speak_of_kernels_that_are_there) {
    std::set<std::string> ids;
    for (claim const& one : claims()) {
        EXPECT_TRUE(ids.insert(one.id).second) << one.id << " twice";
        EXPECT_FALSE(one.kernels.empty());
        for (std::string const& kernel : one.kernels) EXPECT_NO_THROW(find(flavour::plain, kernel)) << one.id;
    }
}

TEST(catalogue, refuses_an_id_twice) {
    kernel_entry const again{.id = "C2", .name = "again", .study = "C", .idea = "again"};
    EXPECT_THROW(registration(flavour::plain, {again}), std::logic_error);
}

TEST(catalogue, selects_by_id_study_and_all) {
    EXPECT_EQ(select(flavour::plain, "C2").size(), 1u);
    EXPECT_EQ(select(flavour::plain, "D").size(), 9u);
    EXPECT_EQ(select(flavour::plain, "all").size(), 58u);
    EXPECT_THROW(select(flavour::plain, "F"), std::invalid_argument);
}

TEST(published, holds_all_figures) {
    EXPECT_EQ(published().size(), 223u);
    EXPECT_EQ(published("A", "CG (unroll 2)", "f32", "ms").n, 33554432u);
    EXPECT_EQ(published("A", "CG (unroll 2)", "f32", "ms").value, 0.187392);
    EXPECT_EQ(published("D", "TwoPass vec4", "i32", "GB/s").greatest, 3200);
    EXPECT_THROW(published("A", "none", "f32", "ms"), std::out_of_range);
}

TEST(listing, as_json_holds_figures_claims_and_defects) {
    nlohmann::json const c8 = list_json({find(flavour::plain, "C8")}).at(0);
    EXPECT_EQ(c8.at("study"), "C");
    EXPECT_EQ(c8.at("predecessor"), "C6");
    EXPECT_EQ(c8.at("defect").at("kind"), "wrong answer");
    EXPECT_EQ(c8.at("published").size(), 4u);
    EXPECT_GE(c8.at("claims").size(), 3u);
    EXPECT_EQ(c8.at("launch").at("most_blocks"), 1024);
    EXPECT_EQ(list_json({find(flavour::plain, "A8")}).at(0).at("needs"), "GPU");
}

}  // namespace
