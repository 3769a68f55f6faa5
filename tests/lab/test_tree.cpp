#include "lab/tree.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace {

using namespace warpfold::lab;

std::vector<double> one_to(std::size_t n) {
    std::vector<double> items(n);
    std::iota(items.begin(), items.end(), 1.0);
    return items;
}

std::string last_line(std::string const& text) {
    std::size_t const start = text.rfind('\n', text.size() - 2);
    return text.substr(start + 1, text.size() - start - 2);
}

std::string lists(std::vector<double> items, operation op, tree_style style) {
    return last_line(text(make_tree(std::move(items), op, style)));
}

constexpr tree_style styles[] = {tree_style::sequential, tree_style::interleaved, tree_style::shuffle};

TEST(tree, of_eight) {
    EXPECT_EQ(lists(one_to(8), operation::sum, tree_style::interleaved),
              "[1, 2, 3, 4, 5, 6, 7, 8] → [3, 7, 11, 15] → [10, 26] → [36]");
    EXPECT_EQ(lists(one_to(8), operation::sum, tree_style::sequential),
              "[1, 2, 3, 4, 5, 6, 7, 8] → [6, 8, 10, 12] → [16, 20] → [36]");
    EXPECT_EQ(lists(one_to(8), operation::sum, tree_style::shuffle),
              "[1, 2, 3, 4, 5, 6, 7, 8] → [6, 8, 10, 12] → [16, 20] → [36]");
}

TEST(tree, carries_odd_ones) {
    EXPECT_EQ(lists(one_to(5), operation::sum, tree_style::interleaved),
              "[1, 2, 3, 4, 5] → [3, 7, 5] → [10, 5] → [15]");
    EXPECT_EQ(lists(one_to(5), operation::sum, tree_style::sequential), "[1, 2, 3, 4, 5] → [5, 7, 3] → [8, 7] → [15]");
    EXPECT_EQ(lists({4}, operation::sum, tree_style::sequential), "[4]");
}

TEST(tree, of_other_operations) {
    EXPECT_EQ(lists({3, 9, -2}, operation::maximum, tree_style::interleaved), "[3, 9, -2] → [9, -2] → [9]");
    EXPECT_EQ(lists({3, 9, -2}, operation::minimum, tree_style::interleaved), "[3, 9, -2] → [3, -2] → [-2]");
    EXPECT_EQ(lists({3, 9, -2}, operation::product, tree_style::interleaved), "[3, 9, -2] → [27, -2] → [-54]");
}

TEST(tree, gives_the_sum_of_any_length) {
    for (tree_style const style : styles) {
        for (std::size_t const n : {1u, 2u, 3u, 31u, 32u, 33u, 63u, 64u, 65u, 100u, 1023u, 1025u, 5000u}) {
            reduction_tree const tree = make_tree(one_to(n), operation::sum, style);
            EXPECT_EQ(tree.result, static_cast<double>(n * (n + 1) / 2)) << name(style) << " " << n;
            std::size_t pairs = 0;
            for (tree_step const& step : tree.steps) pairs += step.pairs();
            EXPECT_EQ(pairs, n - 1) << name(style) << " " << n;
        }
    }
}

TEST(tree, has_log2_steps) {
    EXPECT_EQ(make_tree(one_to(256), operation::sum, tree_style::sequential).steps.size(), 8u);
    EXPECT_EQ(make_tree(one_to(257), operation::sum, tree_style::interleaved).steps.size(), 9u);
}

TEST(tree, of_shuffles_folds_warps_apart) {
    reduction_tree const tree = make_tree(one_to(64), operation::sum, tree_style::shuffle);
    EXPECT_EQ(tree.steps[4].nodes.size(), 2u);  // a sum a warp, after offsets 16 to 1
    EXPECT_EQ(tree.steps[4].nodes[1].slot, 32u);
    EXPECT_EQ(tree.steps[4].nodes[1].value, 33 * 32 + 31 * 16);
    EXPECT_EQ(tree.steps[5].what, "one slot a warp");
    EXPECT_EQ(tree.steps.size(), 7u);
}

TEST(tree, as_a_table_marks_slots_that_fell_away) {
    std::string const page = text(make_tree(one_to(4), operation::sum, tree_style::interleaved));
    EXPECT_EQ(page,
              "sum of 4 values, interleaved: 2 steps, 3 pairs, result 10\n"
              "\n"
              "slot       0   1   2   3\n"
              "items      1   2   3   4\n"
              "step 1     3   .   7   .   stride 1, 2 pairs\n"
              "step 2    10   .   .   .   stride 2, 1 pair\n"
              "\n"
              "[1, 2, 3, 4] → [3, 7] → [10]\n");
}

TEST(tree, of_many_shortens_the_lists) {
    std::string const page = text(make_tree(one_to(100), operation::sum, tree_style::interleaved));
    EXPECT_NE(page.find("[1, 2, 3, 4, 5, 6, 7, 8, … 84 more …, 93, 94"), std::string::npos) << page;
}

TEST(tree, as_a_picture_has_a_box_a_node) {
    for (std::size_t const n : {1u, 8u, 13u, 70u}) {
        reduction_tree const tree = make_tree(one_to(n), operation::sum, tree_style::shuffle);
        std::string const svg = picture(tree);
        std::size_t boxes = 0;
        for (std::size_t at = svg.find("<rect class="); at != std::string::npos; at = svg.find("<rect class=", at + 1))
            ++boxes;
        std::size_t nodes = n;
        for (tree_step const& step : tree.steps) nodes += step.nodes.size();
        EXPECT_EQ(boxes, nodes);
        EXPECT_EQ(svg.substr(0, 4), "<svg");
        EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
    }
}

TEST(tree, refuses_what_it_cannot_draw) {
    EXPECT_THROW(make_tree({}, operation::sum, tree_style::sequential), std::invalid_argument);
    EXPECT_THROW(make_tree({1}, operation::argmax, tree_style::sequential), std::invalid_argument);
    EXPECT_THROW(parse_tree_style("spiral"), std::invalid_argument);
    EXPECT_THROW(parse_tree_operation("mean"), std::invalid_argument);
}

}  // namespace
