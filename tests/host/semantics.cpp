// What every fold makes of empty inputs, NaN, ties, infinities and zeros, for every item type.
#include <gtest/gtest.h>

#include "items.hpp"
#include "warpfold/warpfold.hpp"

namespace {

using testing_data::from_fields;
using testing_data::item_of;
using testing_data::items;

template <class T>
items<T> list(std::initializer_list<T> values) {
    items<T> result(values.size());
    std::copy(values.begin(), values.end(), result.begin());
    return result;
}
template <class T>
double value(T x) {
    return static_cast<double>(static_cast<wf::float_result<T>>(x));
}
template <class R>
bool is_negative_zero(R x) {
    return x == 0 && std::signbit(x);
}

template <class T>
struct of_numbers : testing::Test {};
using numbers = testing::Types<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t,
                               std::uint64_t, wf::float16, wf::bfloat16, float, double>;
TYPED_TEST_SUITE(of_numbers, numbers);

template <class T>
struct of_floats : testing::Test {
    static constexpr int top = testing_data::largest_field<T> + 1;
    T const nan = from_fields<T>(false, top, 1), inf = from_fields<T>(false, top, 0), minus_inf = from_fields<T>(true, top, 0);
    T const zero = item_of<T>(0), minus_zero = from_fields<T>(true, 0, 0), one = item_of<T>(1), two = item_of<T>(2);
};
using floats = testing::Types<wf::float16, wf::bfloat16, float, double>;
TYPED_TEST_SUITE(of_floats, floats);

TYPED_TEST(of_numbers, empty) {
    items<TypeParam> const none(0);
    EXPECT_EQ(wf::sum(none), 0);
    EXPECT_FALSE(std::signbit(static_cast<double>(wf::sum(none))));
    EXPECT_EQ(wf::product(none), 1);
    EXPECT_EQ(wf::count(none), 0);
    EXPECT_FALSE(wf::any(none));
    EXPECT_TRUE(wf::all(none));
    EXPECT_EQ(value(wf::logsumexp(none)), -std::numeric_limits<double>::infinity());
    EXPECT_TRUE(std::isnan(wf::mean(none)));
    EXPECT_TRUE(std::isnan(wf::variance(none)));
    EXPECT_TRUE(std::isnan(wf::standard_deviation(none)));
    EXPECT_EQ(wf::norm_l1(none), 0);
    EXPECT_EQ(wf::norm_l2(none), 0);
    EXPECT_EQ(wf::norm_linf(none), 0);
    EXPECT_EQ(wf::dot(none, none), 0);
    EXPECT_EQ(wf::squared_distance(none, none), 0);
    EXPECT_THROW(wf::min(none), wf::empty_input);
    EXPECT_THROW(wf::max(none), wf::empty_input);
    EXPECT_THROW(wf::minmax(none), wf::empty_input);
    EXPECT_THROW(wf::argmin(none), wf::empty_input);
    EXPECT_THROW(wf::argmax(none), wf::empty_input);
    EXPECT_THROW(wf::argminmax(none), wf::empty_input);
}

TYPED_TEST(of_numbers, result_types) {
    using T = TypeParam;
    using float_result = std::conditional_t<std::is_same_v<T, double> || wf::is_integer<T>, double, float>;
    using sum_result = std::conditional_t<wf::is_integer<T>, std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>, float_result>;
    items<T> const x(1);
    static_assert(std::is_same_v<decltype(wf::sum(x)), sum_result>);
    static_assert(std::is_same_v<decltype(wf::product(x)), sum_result>);
    static_assert(std::is_same_v<decltype(wf::dot(x, x)), sum_result>);
    static_assert(std::is_same_v<decltype(wf::mean(x)), float_result>);
    static_assert(std::is_same_v<decltype(wf::variance(x)), float_result>);
    static_assert(std::is_same_v<decltype(wf::norm_l2(x)), float_result>);
    static_assert(std::is_same_v<decltype(wf::logsumexp(x)), float_result>);
    static_assert(std::is_same_v<decltype(wf::min(x)), T>);
    static_assert(std::is_same_v<decltype(wf::argmin(x)), std::int64_t>);
    static_assert(std::is_same_v<decltype(wf::count(x)), std::int64_t>);
    static_assert(std::is_same_v<decltype(wf::reduce(x, wf::as<double>(wf::mean))), double>);
    static_assert(std::is_same_v<decltype(wf::reduce(x, wf::as<double>(wf::logsumexp))), double>);
}

TYPED_TEST(of_numbers, degrees_of_freedom) {
    using T = TypeParam;
    auto const x = list<T>({item_of<T>(1), item_of<T>(0), item_of<T>(1), item_of<T>(0)});
    EXPECT_EQ(wf::variance(x), 0.25);
    EXPECT_EQ(wf::standard_deviation(x), 0.5);
    EXPECT_EQ(wf::reduce(x, wf::variance.ddof(2)), 0.5);
    EXPECT_EQ(wf::reduce(x, wf::variance.ddof(3)), 1);
    EXPECT_TRUE(std::isnan(wf::reduce(x, wf::variance.ddof(4))));
    EXPECT_TRUE(std::isnan(wf::reduce(x, wf::variance.ddof(5))));
    EXPECT_TRUE(std::isnan(wf::reduce(x, wf::standard_deviation.ddof(std::uint64_t{1} << 63))));
    EXPECT_EQ(wf::variance(list<T>({item_of<T>(1)})), 0);
}

TYPED_TEST(of_numbers, ties_go_to_the_lowest_index) {
    using T = TypeParam;
    T const low = item_of<T>(0), high = item_of<T>(1);
    // Ties within a vector, across vectors, tiles, chunks and threads.
    for (std::size_t const n : {2, 17, 64, 1000, 70'000}) {
        for (std::size_t first = 0; first < n; first = first * 3 + 1) {
            items<T> x(n);
            std::fill(x.begin(), x.end(), low);
            for (std::size_t i = first; i < n; i += 5) x[i] = high;
            EXPECT_EQ(wf::reduce(x, wf::argmax, {2, 1000}), static_cast<wf::index_t>(first));
            EXPECT_EQ(wf::reduce(x, wf::argmin, {2, 1000}), first == 0 ? 1 : 0);
            for (T& item : x) item = item_of<T>(value(item) == 0);
            EXPECT_EQ(wf::reduce(x, wf::argmin, {2, 1000}), static_cast<wf::index_t>(first));
        }
        items<T> const equal(n);
        EXPECT_EQ(wf::reduce(equal, wf::argminmax, {2, 100}), (wf::argmin_argmax{0, 0}));
    }
}

TYPED_TEST(of_numbers, the_highest_and_lowest_item_are_ordinary) {
    using T = TypeParam;
    T low, high;
    if constexpr (wf::is_float<T>) {
        low = from_fields<T>(true, testing_data::largest_field<T> + 1, 0);
        high = from_fields<T>(false, testing_data::largest_field<T> + 1, 0);
    } else {
        low = std::numeric_limits<T>::lowest();
        high = std::numeric_limits<T>::max();
    }
    for (std::size_t const n : {1, 3, 64, 300, 5000}) {
        items<T> x(n);
        std::fill(x.begin(), x.end(), high);
        EXPECT_EQ(value(wf::min(x)), value(high));
        EXPECT_EQ(wf::argmin(x), 0);
        EXPECT_EQ(wf::argmax(x), 0);
        std::fill(x.begin(), x.end(), low);
        EXPECT_EQ(value(wf::max(x)), value(low));
        EXPECT_EQ(wf::argmin(x), 0);
        EXPECT_EQ(wf::argmax(x), 0);
    }
}

TYPED_TEST(of_floats, nan_propagates) {
    using T = TypeParam;
    for (std::size_t const n : {1, 2, 40, 300, 9000}) {
        for (std::size_t const at : {std::size_t{0}, n / 2, n - 1}) {
            items<T> x(n), ones(n);
            std::fill(x.begin(), x.end(), this->one);
            std::fill(ones.begin(), ones.end(), this->one);
            x[at] = this->nan;
            if (at + 1 < n) x[n - 1] = this->nan;
            auto const nans = at + 1 < n ? 2 : 1;
            EXPECT_TRUE(std::isnan(wf::sum(x)));
            EXPECT_TRUE(std::isnan(wf::product(x)));
            EXPECT_TRUE(std::isnan(wf::mean(x)));
            EXPECT_TRUE(std::isnan(wf::variance(x)));
            EXPECT_TRUE(std::isnan(wf::standard_deviation(x)));
            EXPECT_TRUE(std::isnan(wf::norm_l1(x)));
            EXPECT_TRUE(std::isnan(wf::norm_l2(x)));
            EXPECT_TRUE(std::isnan(wf::norm_linf(x)));
            EXPECT_TRUE(std::isnan(wf::logsumexp(x)));
            EXPECT_TRUE(std::isnan(wf::dot(x, ones)));
            EXPECT_TRUE(std::isnan(wf::squared_distance(ones, x)));
            EXPECT_TRUE(wf::is_nan(wf::min(x)));
            EXPECT_TRUE(wf::is_nan(wf::max(x)));
            EXPECT_TRUE(wf::is_nan(wf::minmax(x).min) && wf::is_nan(wf::minmax(x).max));
            EXPECT_EQ(wf::argmin(x), static_cast<wf::index_t>(at));
            EXPECT_EQ(wf::argmax(x), static_cast<wf::index_t>(at));
            EXPECT_EQ(wf::count(x), static_cast<wf::index_t>(n));
            EXPECT_TRUE(wf::all(x));
            EXPECT_EQ(wf::reduce(x, wf::skip_nan(wf::count)), static_cast<wf::index_t>(n) - nans);
            auto const kept = static_cast<float>(n) - static_cast<float>(nans);
            EXPECT_EQ(wf::reduce(x, wf::skip_nan(wf::sum)), kept);
            EXPECT_EQ(wf::reduce(wf::zip(x, ones), wf::skip_nan(wf::dot)), kept);
            EXPECT_EQ(wf::gather(x, wf::skip_nan(wf::sum)).state().special.nans, nans);
            if (kept == 0) continue;
            EXPECT_EQ(wf::reduce(x, wf::skip_nan(wf::mean)), 1);
            EXPECT_EQ(wf::reduce(x, wf::skip_nan(wf::variance)), 0);
            EXPECT_EQ(wf::reduce(x, wf::skip_nan(wf::product)), 1);
            EXPECT_EQ(value(wf::reduce(x, wf::skip_nan(wf::min))), 1);
            EXPECT_EQ(wf::reduce(x, wf::skip_nan(wf::argmax)), at == 0 ? 1 : 0);
            EXPECT_EQ(wf::reduce(x, wf::skip_nan(wf::norm_linf)), 1);
        }
    }
}

TYPED_TEST(of_floats, only_nan) {
    using T = TypeParam;
    for (std::size_t const n : {1, 70, 5000}) {
        items<T> x(n);
        std::fill(x.begin(), x.end(), this->nan);
        EXPECT_EQ(wf::argmin(x), 0);
        EXPECT_EQ(wf::argmax(x), 0);
        EXPECT_TRUE(wf::any(x));
        EXPECT_TRUE(wf::all(x));
        EXPECT_EQ(wf::reduce(x, wf::skip_nan(wf::sum)), 0);
        EXPECT_FALSE(std::signbit(wf::reduce(x, wf::skip_nan(wf::sum))));
        EXPECT_EQ(wf::reduce(x, wf::skip_nan(wf::product)), 1);
        EXPECT_TRUE(std::isnan(wf::reduce(x, wf::skip_nan(wf::mean))));
        EXPECT_TRUE(std::isnan(wf::reduce(x, wf::skip_nan(wf::variance))));
        EXPECT_EQ(wf::reduce(x, wf::skip_nan(wf::logsumexp)), -std::numeric_limits<float>::infinity());
        EXPECT_FALSE(wf::reduce(x, wf::skip_nan(wf::any)));
        EXPECT_TRUE(wf::reduce(x, wf::skip_nan(wf::all)));
        EXPECT_THROW(wf::reduce(x, wf::skip_nan(wf::min)), wf::empty_input);
        EXPECT_THROW(wf::reduce(x, wf::skip_nan(wf::argmax)), wf::empty_input);
    }
}

TYPED_TEST(of_floats, infinities) {
    using T = TypeParam;
    using R = wf::float_result<T>;
    R const infinity = std::numeric_limits<R>::infinity();
    auto const up = list<T>({this->one, this->inf, this->inf}), down = list<T>({this->minus_inf, this->one}),
               both = list<T>({this->inf, this->one, this->minus_inf});
    EXPECT_EQ(wf::sum(up), infinity);
    EXPECT_EQ(wf::sum(down), -infinity);
    EXPECT_TRUE(std::isnan(wf::sum(both)));
    EXPECT_TRUE(std::isnan(wf::reduce(both, wf::skip_nan(wf::sum))));
    EXPECT_EQ(wf::mean(down), -infinity);
    EXPECT_TRUE(std::isnan(wf::mean(both)));
    EXPECT_TRUE(std::isnan(wf::variance(up)));
    EXPECT_EQ(wf::norm_l1(both), infinity);
    EXPECT_EQ(wf::norm_l2(both), infinity);
    EXPECT_EQ(wf::norm_linf(down), infinity);
    EXPECT_EQ(wf::product(down), -infinity);
    EXPECT_TRUE(std::isnan(wf::product(list<T>({this->zero, this->inf}))));
    EXPECT_EQ(value(wf::min(up)), 1);
    EXPECT_EQ(wf::argmin(both), 2);
    EXPECT_EQ(wf::argmax(both), 0);
    EXPECT_EQ(wf::logsumexp(up), infinity);
    EXPECT_EQ(wf::logsumexp(both), infinity);
    EXPECT_EQ(wf::logsumexp(list<T>({this->minus_inf, this->minus_inf})), -infinity);
    EXPECT_EQ(wf::logsumexp(list<T>({this->minus_inf, this->zero})), 0);
    EXPECT_TRUE(std::isnan(wf::logsumexp(list<T>({this->inf, this->nan}))));
    EXPECT_EQ(wf::dot(list<T>({this->inf}), list<T>({this->two})), infinity);
    EXPECT_TRUE(std::isnan(wf::dot(list<T>({this->inf}), list<T>({this->zero}))));
    EXPECT_EQ(wf::squared_distance(list<T>({this->minus_inf}), list<T>({this->two})), infinity);
    EXPECT_TRUE(std::isnan(wf::squared_distance(list<T>({this->inf}), list<T>({this->inf}))));
}

TYPED_TEST(of_floats, zeros) {
    using T = TypeParam;
    T const plus = this->zero, minus = this->minus_zero;
    EXPECT_FALSE(std::signbit(wf::sum(list<T>({plus, minus}))));
    EXPECT_FALSE(std::signbit(wf::sum(list<T>({minus, plus}))));
    EXPECT_FALSE(std::signbit(wf::sum(list<T>({this->one, from_fields<T>(true, testing_data::largest_field<T> / 2, 0)}))));
    EXPECT_TRUE(is_negative_zero(wf::sum(list<T>({minus, minus}))));
    EXPECT_TRUE(is_negative_zero(wf::mean(list<T>({minus, minus}))));
    EXPECT_TRUE(is_negative_zero(wf::product(list<T>({minus, this->one}))));
    EXPECT_FALSE(std::signbit(wf::product(list<T>({minus, minus}))));
    EXPECT_FALSE(std::signbit(wf::norm_l1(list<T>({minus}))));
    EXPECT_FALSE(std::signbit(wf::norm_l2(list<T>({minus}))));
    EXPECT_FALSE(std::signbit(wf::norm_linf(list<T>({minus}))));
    EXPECT_FALSE(std::signbit(wf::variance(list<T>({minus, plus}))));
    EXPECT_TRUE(is_negative_zero(wf::dot(list<T>({minus}), list<T>({this->one}))));
    for (auto const& zeros : {list<T>({plus, minus}), list<T>({minus, plus})}) {
        EXPECT_TRUE(wf::is_negative(wf::min(zeros)));
        EXPECT_FALSE(wf::is_negative(wf::max(zeros)));
        EXPECT_EQ(wf::argmin(zeros), 0);
        EXPECT_EQ(wf::argmax(zeros), 0);
        EXPECT_FALSE(wf::any(zeros));
        EXPECT_FALSE(wf::all(zeros));
    }
    // The same across vectors, tiles and chunks.
    items<T> many(3000);
    many[2999] = minus;
    EXPECT_TRUE(wf::is_negative(wf::reduce(many, wf::min, {2, 100})));
    EXPECT_EQ(wf::reduce(many, wf::argmin, {2, 100}), 0);
}

}  // namespace
