// Integer folds are exact, and an error exactly where the result does not fit.
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "random.hpp"
#include "reference.hpp"
#include "warpfold/warpfold.hpp"

namespace {

using testing_data::cases;

template <class T>
struct integers : testing::Test {};
using item_types = testing::Types<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                                  std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(integers, item_types);

mpz_class to_mpz(std::int64_t x) { return x; }
mpz_class to_mpz(std::uint64_t x) { return x; }
template <class T>
mpz_class big(T x) {
    return to_mpz(static_cast<wf::integer_result<T>>(x));
}

/// The value as R, or nothing where it does not fit.
template <class R>
std::optional<R> fitting(mpz_class const& value) {
    if (value < to_mpz(std::numeric_limits<R>::lowest()) || value > to_mpz(std::numeric_limits<R>::max())) return {};
    if constexpr (std::is_signed_v<R>) return static_cast<R>(value.get_si());
    else return static_cast<R>(value.get_ui());
}
template <class Range, class Fold>
auto value_or_overflow(Range const& range, Fold const& fold) -> std::optional<decltype(wf::reduce(range, fold))> {
    try {
        return wf::reduce(range, fold);
    } catch (wf::overflow const&) {
        return {};
    }
}

/// Random items of all magnitudes, or of the extremes only, where sums of few items overflow.
template <class T>
std::vector<T> some_items(testing_data::random_bits& random, int n) {
    std::vector<T> items;
    bool const extremes = random.chance(2);
    for (int i = 0; i < n; ++i) {
        if (extremes && !random.chance(8)) {
            items.push_back(random.chance(2) ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest());
        } else if constexpr (std::is_same_v<T, bool>) {
            items.push_back(random.chance(2));
        } else {
            auto const x = static_cast<T>(random() >> random.between(0, 63));
            items.push_back(random.chance(2) ? x : static_cast<T>(T{} - x));
        }
    }
    return items;
}
/// std::vector<bool> is no range of bool.
template <class T>
struct span_of {
    std::unique_ptr<T[]> items;
    std::size_t count;
    explicit span_of(std::vector<T> const& from) : items{new T[from.size()]}, count{from.size()} {
        std::copy(from.begin(), from.end(), items.get());
    }
    T const* data() const { return items.get(); }
    std::size_t size() const { return count; }
    T const* begin() const { return data(); }
    T const* end() const { return data() + count; }
};

TYPED_TEST(integers, folds_are_exact_or_overflow) {
    using T = TypeParam;
    using result = wf::integer_result<T>;
    testing_data::random_bits random{sizeof(T) + 100};
    for (std::int64_t k = 0; k < cases(20'000); ++k) {
        int const n = random.chance(50) ? random.between(60, 200) : random.between(0, 9);
        auto const items = some_items<T>(random, n), others = some_items<T>(random, n);
        mpz_class sum, magnitudes, squares, product = 1, dot, distance, most;
        for (std::size_t i = 0; i < items.size(); ++i) {
            mpz_class const x = big<T>(items[i]), y = big<T>(others[i]);
            sum += x;
            magnitudes += abs(x);
            squares += x * x;
            product *= x;
            dot += x * y;
            distance += (x - y) * (x - y);
            if (abs(x) > most) most = abs(x);
        }
        span_of<T> const range{items}, other{others};
        ASSERT_EQ(value_or_overflow(range, wf::sum), fitting<result>(sum));
        ASSERT_EQ(value_or_overflow(range, wf::norm_l1), fitting<std::uint64_t>(magnitudes));
        ASSERT_EQ(value_or_overflow(range, wf::product), fitting<result>(product)) << product;
        ASSERT_EQ(value_or_overflow(wf::zip(range, other), wf::dot), fitting<result>(dot)) << dot;
        ASSERT_EQ(value_or_overflow(wf::zip(range, other), wf::squared_distance), fitting<result>(distance)) << distance;
        ASSERT_EQ(wf::reduce(range, wf::norm_linf), most.get_ui());
        ASSERT_EQ(wf::reduce(range, wf::norm_l2), reference::nearest<double>(squares, 1, 0, true));
        if (n == 0) {
            ASSERT_TRUE(std::isnan(wf::reduce(range, wf::mean)));
            ASSERT_TRUE(std::isnan(wf::reduce(range, wf::variance)));
            continue;
        }
        ASSERT_EQ(wf::reduce(range, wf::mean), reference::nearest<double>(sum, n, 0));
        ASSERT_EQ(wf::reduce(range, wf::variance), reference::nearest<double>(n * squares - sum * sum, mpz_class{n} * n, 0));
        if (n == 1) continue;
        ASSERT_EQ(wf::reduce(range, wf::standard_deviation.ddof(1)),
                  reference::nearest<double>(n * squares - sum * sum, mpz_class{n} * (n - 1), 0, true));
    }
}

TYPED_TEST(integers, long_sums_are_exact) {
    using T = TypeParam;
    testing_data::random_bits random{7};
    for (int const n : {1000, 70'000, 300'001}) {
        auto const items = some_items<T>(random, n);
        mpz_class sum, squares;
        for (T const x : items) {
            sum += big<T>(x);
            squares += big<T>(x) * big<T>(x);
        }
        span_of<T> const range{items};
        EXPECT_EQ(value_or_overflow(range, wf::sum), fitting<wf::integer_result<T>>(sum));
        EXPECT_EQ(wf::reduce(range, wf::norm_l2), reference::nearest<double>(squares, 1, 0, true));
        EXPECT_EQ(wf::reduce(range, wf::variance), reference::nearest<double>(n * squares - sum * sum, mpz_class{n} * n, 0));
    }
}

TEST(integer_limits, are_reached_and_not_passed) {
    std::int64_t const high = std::numeric_limits<std::int64_t>::max(), low = std::numeric_limits<std::int64_t>::min();
    EXPECT_EQ(wf::sum(std::vector{high - 1, std::int64_t{1}}), high);
    EXPECT_THROW(wf::sum(std::vector{high, std::int64_t{1}}), wf::overflow);
    EXPECT_EQ(wf::sum(std::vector{high, high, low, low}), -2);
    EXPECT_EQ(wf::sum(std::vector{low}), low);
    EXPECT_THROW(wf::sum(std::vector{low, std::int64_t{-1}}), wf::overflow);
    EXPECT_EQ(wf::product(std::vector{low, std::int64_t{1}}), low);
    EXPECT_THROW(wf::product(std::vector{low, std::int64_t{-1}}), wf::overflow);
    EXPECT_EQ(wf::product(std::vector{low, low, std::int64_t{0}}), 0);
    EXPECT_EQ(wf::norm_l1(std::vector{low}), std::uint64_t{1} << 63);
    EXPECT_EQ(wf::norm_l1(std::vector{low, high}), ~std::uint64_t{0});
    EXPECT_THROW(wf::norm_l1(std::vector{low, low}), wf::overflow);
    EXPECT_EQ(wf::sum(std::vector{~std::uint64_t{0}}), ~std::uint64_t{0});
    EXPECT_THROW(wf::sum(std::vector{~std::uint64_t{0}, std::uint64_t{1}}), wf::overflow);
    EXPECT_EQ(wf::sum(std::vector<std::int32_t>{std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::min()}),
              -(std::int64_t{1} << 32));
}

}  // namespace
