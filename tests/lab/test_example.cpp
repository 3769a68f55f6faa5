// The worked example of docs/adding-a-kernel.md is a kernel like any other, and the document shows it as it is.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "lab/explain.hpp"
#include "lab/race.hpp"

namespace {

using namespace warpfold::lab;

std::string contents(std::string const& path) {
    std::ifstream file(std::string(WARPFOLD_SOURCE "/") + path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

TEST(example, is_right_and_clean) {
    for (item_type const type : {item_type::f32, item_type::i32}) {
        for (std::uint64_t const n : {0u, 1u, 33u, 1000u, 65537u}) {
            EXPECT_TRUE(run("X1", {.n = n, .type = type}).error.right()) << n;
        }
        EXPECT_FALSE(find_races("X1", {.n = 0, .type = type}, 5).found_anything());
    }
}

TEST(example, is_explained_beside_its_predecessor) {
    explanation const explained = explain("X1", {.n = 65536});
    EXPECT_EQ(explained.predecessor->id, "A4");
    EXPECT_EQ(explained.kernel.counters.shuffles, 5u * 65536 / 32);
    EXPECT_EQ(explained.kernel.counters.shared_load_wavefronts, 0u);
    EXPECT_GE(explained.sentences.size(), 2u);
}

TEST(example, is_shown_in_the_documentation_as_it_is) {
    std::string const source = contents("tests/lab/adding_a_kernel.cu");
    ASSERT_FALSE(source.empty());
    EXPECT_NE(contents("docs/adding-a-kernel.md").find("```cpp\n" + source + "```"), std::string::npos);
}

}  // namespace
