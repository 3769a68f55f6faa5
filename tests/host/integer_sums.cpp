// Sums of integers and of their squares, before they are rounded: those of steps, whatever is next to what.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "exact/random.hpp"
#include "targets.hpp"
#include "warpfold/warpfold.hpp"

namespace {

using testing_data::for_each_target;
using testing_data::random_bits;

template <class T>
struct integer_sums : testing::Test {};
using item_types = testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                                  std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(integer_sums, item_types);

template <int Low, int High>
void expect_equal(wf::exact::fixed_point<Low, High> a, wf::exact::fixed_point<Low, High> b) {
    a.carry();
    b.carry();
    EXPECT_TRUE(std::equal(std::begin(a.limb), std::end(a.limb), std::begin(b.limb)));
}

template <class Gather, class T>
void check(std::vector<T> const& x) {
    Gather const gather{};
    auto expected = gather.identity();
    for (std::size_t i = 0; i < x.size(); ++i) gather.step(expected, x[i], static_cast<wf::index_t>(i));
    for_each_target([&] {
        auto const sums = wf::host::gather(gather, wf::as_input(x), {1});
        EXPECT_EQ(sums.items, expected.items);
        if constexpr (Gather::has_first) expect_equal(sums.first, expected.first);
        if constexpr (Gather::has_second) expect_equal(sums.second, expected.second);
    });
}
template <class T>
void check_all(std::vector<T> const& x) {
    using wf::folds::power_sums, wf::folds::powers;
    check<power_sums<T, powers::first>>(x);
    check<power_sums<T, powers::first, true>>(x);
    check<power_sums<T, powers::second>>(x);
    check<power_sums<T, powers::both>>(x);
}

/// Integers whose halves are as small or as great as they may be, or next to that.
template <class T>
T extreme(random_bits& random) {
    constexpr int half = 4 * sizeof(T);
    std::uint64_t const ends[] = {0, 1, (std::uint64_t{1} << (half - 1)) - 1, std::uint64_t{1} << (half - 1),
                                  (std::uint64_t{1} << half) - 1};
    return static_cast<T>(ends[random() % 5] << half | ends[random() % 5]);
}

TYPED_TEST(integer_sums, of_extreme_halves_are_those_of_steps) {
    random_bits random{5};
    for (std::int64_t i = testing_data::cases(1'000); i > 0 && !testing::Test::HasFailure(); --i) {
        // One of them again and again, so that all that is summed in a lane is as far from zero as it may be, or any.
        bool const one = random.chance(2);
        TypeParam const first = extreme<TypeParam>(random);
        std::vector<TypeParam> x(static_cast<std::size_t>(random.between(0, random.chance(4) ? 20'000 : 300)));
        for (auto& item : x) item = one ? first : extreme<TypeParam>(random);
        check_all(x);
    }
}

TYPED_TEST(integer_sums, of_more_items_than_a_stretch_are_those_of_steps) {
    if (testing_data::slowdown > 1) GTEST_SKIP() << "too slow where every load is watched";
    using limits = std::numeric_limits<TypeParam>;
    for (TypeParam const item : {limits::min(), limits::max()})
        check<wf::folds::power_sums<TypeParam, wf::folds::powers::both>>(
            std::vector<TypeParam>((std::size_t{1} << 24) + 77, item));
}

}  // namespace
