#include "simt/memory.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

TEST(memory, holds_what_it_was_made_of) {
    simt::memory<int> const filled(5, 7);
    EXPECT_EQ(filled.size(), 5U);
    for (int const x : filled.span()) EXPECT_EQ(x, 7);
    std::vector<int> const items{1, 2, 3};
    simt::memory<int> copied(items);
    EXPECT_EQ(copied[2], 3);
    copied.span()[0] = 9;
    EXPECT_EQ(copied.data()[0], 9);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(copied.data()) % 256, 0U);
}

TEST(memory, may_be_empty_and_moved) {
    simt::memory<double> const none(0);
    EXPECT_EQ(none.size(), 0U);
    simt::memory<double> first(4, 1.5);
    simt::memory<double> const second(std::move(first));
    EXPECT_EQ(second[3], 1.5);
}

TEST(registration, refuses_overlap_and_ends_with_its_object) {
    std::vector<float> items(16);
    {
        simt::registration const whole(items.data(), 64, "items");
        EXPECT_THROW(simt::registration(items.data() + 4, 8, "part"), std::invalid_argument);
        EXPECT_THROW(simt::registration(items.data() - 1, 8, "edge"), std::invalid_argument);
    }
    simt::registration first(items.data(), 32, "first half");
    simt::registration const second(items.data() + 8, 32, "second half");
    first = simt::registration();
    EXPECT_NO_THROW(simt::registration(items.data(), 32, "again"));
}

}  // namespace
