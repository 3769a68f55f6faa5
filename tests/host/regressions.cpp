// Inputs that broke other reduction libraries, as their users reported them.
#include <gtest/gtest.h>

#include "items.hpp"
#include "warpfold/warpfold.hpp"

namespace {

using testing_data::from_bits;
using testing_data::item_of;
using testing_data::items;

/// `count` items that take no memory: value(i).
template <class Value>
struct generated {
    using value_type = decltype(Value{}(wf::index_t{}));
    wf::index_t count;

    wf::index_t size() const { return count; }
    value_type const* load(wf::index_t first, wf::index_t n, value_type* buffer) const {
        for (wf::index_t i = 0; i < n; ++i) buffer[i] = Value{}(first + i);
        return buffer;
    }
};

TEST(regressions, a_billion_float_ones) {
    struct one {
        float operator()(wf::index_t) const { return 1; }
    };
    wf::index_t const n = testing_data::cases(1'000'000'000);
    EXPECT_EQ(wf::sum(generated<one>{n}), static_cast<float>(n));
    EXPECT_EQ(wf::mean(generated<one>{n}), 1);
}

TEST(regressions, more_items_than_32_bits_count) {
    struct byte {
        std::uint8_t operator()(wf::index_t i) const { return i == (wf::index_t{1} << 32) - 1 ? 9 : 1; }
    };
    if (testing_data::slowdown > 1) GTEST_SKIP() << "too slow where every load is watched";
    for (wf::index_t const n : {(wf::index_t{1} << 31) - 1, (wf::index_t{1} << 31) + 1, wf::index_t{1} << 32}) {
        auto const [sum, where, count] = wf::reduce(generated<byte>{n}, wf::together(wf::sum, wf::argmax, wf::count));
        bool const has_nine = n == wf::index_t{1} << 32;
        EXPECT_EQ(sum, static_cast<std::uint64_t>(n) + (has_nine ? 8 : 0));
        EXPECT_EQ(where, has_nine ? n - 1 : 0);
        EXPECT_EQ(count, n);
    }
}

TEST(regressions, half_precision_mean_of_more_ones_than_it_can_count) {
    items<wf::float16> x(65'520);
    std::fill(x.begin(), x.end(), item_of<wf::float16>(1));
    EXPECT_EQ(wf::mean(x), 1);
    EXPECT_EQ(wf::sum(x), 65'520);
    // And of the largest ones, whose sum no half can hold.
    std::fill(x.begin(), x.end(), item_of<wf::float16>(65'504));
    EXPECT_EQ(wf::mean(x), 65'504);
}

TEST(regressions, dispersion_and_norms_whose_squares_overflow) {
    std::vector<float> const x{1e20F, 1.1e20F, 0.9e20F, 1.05e20F};
    double mean = 0, squares = 0;
    for (float const v : x) mean += static_cast<double>(v) / 4;
    for (float const v : x) squares += (v - mean) * (v - mean) / 4;
    EXPECT_FLOAT_EQ(wf::standard_deviation(x), static_cast<float>(std::sqrt(squares)));
    EXPECT_EQ(wf::variance(std::vector<float>{1e20F, -1e20F}), std::numeric_limits<float>::infinity());
    EXPECT_FLOAT_EQ(wf::norm_l2(std::vector<float>(4, 1e20F)), 2e20F);
    EXPECT_EQ(wf::norm_l2(std::vector<double>(4, 1e-200)), 2e-200);
    EXPECT_EQ(wf::norm_l2(std::vector<double>(4, 5e-324)), 1e-323);
    EXPECT_EQ(wf::norm_l2(std::vector<double>(4, 1e308)), std::numeric_limits<double>::infinity());
    EXPECT_EQ(wf::mean(std::vector<double>(4, 1e308)), 1e308);
    // Not one digit of the variance is left in doubles: 1e9 ± 1e-4.
    std::vector<double> const close{1e9 + 0x1p-13, 1e9 - 0x1p-13};
    EXPECT_EQ(wf::variance(close), 0x1p-26);
}

TEST(regressions, infinite_extremes_are_values) {
    float const infinity = std::numeric_limits<float>::infinity();
    for (std::size_t const n : {1, 5, 64, 1000, 70'000}) {
        std::vector<float> const high(n, infinity), low(n, -infinity);
        EXPECT_EQ(wf::min(high), infinity);
        EXPECT_EQ(wf::argmin(high), 0);
        EXPECT_EQ(wf::max(low), -infinity);
        EXPECT_EQ(wf::argmax(low), 0);
    }
}

TEST(regressions, nan_first_in_the_middle_last_and_everywhere) {
    float const nan = std::numeric_limits<float>::quiet_NaN();
    for (std::size_t const at : {0, 31, 32, 500, 4095, 4096, 9999}) {
        std::vector<float> x(10'000, 1.0F);
        x[at] = nan;
        EXPECT_EQ(wf::argmin(x), static_cast<wf::index_t>(at));
        EXPECT_EQ(wf::argmax(x), static_cast<wf::index_t>(at));
        EXPECT_TRUE(std::isnan(wf::min(x)));
        EXPECT_TRUE(std::isnan(wf::max(x)));
    }
}

TEST(regressions, sums_of_narrow_integers_that_need_wide_ones) {
    std::int32_t const low = std::numeric_limits<std::int32_t>::min();
    EXPECT_EQ(wf::sum(std::vector{low, low}), -(std::int64_t{1} << 32));
    items<bool> flags(100'000);
    std::fill(flags.begin(), flags.end(), true);
    EXPECT_EQ(wf::sum(flags), 100'000U);
    std::vector<std::int64_t> const close{(std::int64_t{1} << 53) + 1, std::int64_t{1} << 53};
    EXPECT_EQ(wf::argmax(close), 0);  // equal as doubles
    EXPECT_EQ(wf::min(close), std::int64_t{1} << 53);
}

TEST(regressions, cancellation_that_plain_addition_loses) {
    EXPECT_EQ(wf::sum(std::vector{1e100, 1.0, -1e100}), 1);
    EXPECT_EQ(wf::sum(std::vector{1e308, 1e308, -1e308}), 1e308);
    EXPECT_EQ(wf::sum(std::vector<float>{3e38F, 3e38F, -3e38F, -3e38F, 1e-45F}), 1e-45F);
    EXPECT_EQ(wf::dot(std::vector{1e200, 1.0, 1e200}, std::vector{1e200, 1.0, -1e200}), 1);
    EXPECT_EQ(wf::dot(std::vector{5e-324, 1.0}, std::vector{5e-324, 1.0}), 1);
    EXPECT_EQ(wf::product(std::vector{1e200, 1e200, 1e-200, 1e-200}), wf::product(std::vector{1e200, 1e-200, 1e200, 1e-200}));
}

TEST(regressions, logsumexp_of_large_and_of_vanishing_items) {
    EXPECT_FLOAT_EQ(wf::logsumexp(std::vector<float>(4, 1000.0F)), 1000 + std::log(4.0F));
    EXPECT_DOUBLE_EQ(wf::logsumexp(std::vector<double>(4, -1e5)), -1e5 + std::log(4.0));
    EXPECT_EQ(wf::logsumexp(std::vector<double>{0, -1e300}), 0);
    EXPECT_EQ(wf::logsumexp(std::vector<double>{-745.5}), -745.5);
}

/// As many items as an image of 4096² has, whose mean is 0 and whose variance is 1 + 2^-24 and a little, next to where
/// floats part.
TEST(regressions, variance_of_2_to_the_24_items_that_an_estimate_does_not_decide) {
    std::vector<float> x(1 << 24);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = i % 2 ? -1.0F : 1.0F;
    for (std::size_t i = 512; i + 8 <= x.size(); i += 1024) {
        float const unlike[8] = {2, -2, 0x1p-60F, -0x1p-60F};
        std::copy(std::begin(unlike), std::end(unlike), x.begin() + static_cast<std::ptrdiff_t>(i));
    }
    float const first[] = {1.5F, -1.5F, 0.5F, -0.5F};
    std::copy(std::begin(first), std::end(first), x.begin());
    EXPECT_EQ(wf::variance(x), 1 + 0x1p-23F);
    EXPECT_EQ(wf::get<0>(wf::reduce(x, wf::together(wf::variance, wf::max))), 1 + 0x1p-23F);
}

TEST(regressions, chunks_longer_than_any_input) {
    std::vector<float> const x(1000, 1.0F);
    for (wf::index_t const chunk : {wf::index_t{1} << 61, std::numeric_limits<wf::index_t>::max()})
        for (int const threads : {0, 1, 2}) {
            wf::host::options const how{threads, chunk};
            EXPECT_EQ(wf::sum(x, how), 1000);
            EXPECT_TRUE(wf::any(x, how));
            EXPECT_EQ(wf::sum(std::vector<float>{}, how), 0);
        }
}

TEST(regressions, maps_over_records_larger_than_a_stack_holds_hundreds_of) {
    struct record {
        float pixels[1 << 14];
    };
    std::vector<record> x(300);
    for (auto& each : x) each.pixels[7] = 2;
    auto const pixel = [](record const& r) { return r.pixels[7]; };
    EXPECT_EQ(wf::sum(wf::map(pixel, x)), 600);
    EXPECT_EQ(wf::sum(wf::map(pixel, wf::strided<record>{x.data(), 150, 2})), 300);
    EXPECT_EQ(wf::sum(wf::map([](auto const& both) { return both.first.pixels[7] + both.second.pixels[7]; }, wf::zip(x, x))), 1200);
}

}  // namespace
