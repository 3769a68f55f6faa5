// NaN and infinities scattered over long inputs, which loops take apart from the other items: results are those of
// steps.
#include <gtest/gtest.h>

#include <algorithm>

#include "bytes.hpp"
#include "items.hpp"
#include "targets.hpp"

namespace {

using testing_data::bytes_by_steps;
using testing_data::bytes_or_error;
using testing_data::for_each_target;
using testing_data::from_fields;
using testing_data::items;
using testing_data::largest_field;
using testing_data::random_bits;

template <class T>
struct exceptions : testing::Test {};
using item_types = testing::Types<float, double, wf::float16, wf::bfloat16>;
TYPED_TEST_SUITE(exceptions, item_types);

constexpr std::size_t count = 20'003;

template <class T, class Fold>
void check(items<T> const& x, Fold const& fold) {
    std::string const expected = bytes_by_steps(x, fold);
    for_each_target([&] { EXPECT_EQ(bytes_or_error([&] { return wf::reduce(x, fold, {1}); }), expected); });
}
template <class T, class Fold>
void check_pairs(items<T> const& x, items<T> const& y, Fold const& fold) {
    items<wf::pair<T, T>> pairs(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) pairs[i] = {x[i], y[i]};
    std::string const expected = bytes_by_steps(pairs, fold);
    for_each_target([&] { EXPECT_EQ(bytes_or_error([&] { return wf::reduce(wf::zip(x, y), fold, {1}); }), expected); });
}
template <class T>
void check_all(items<T> const& x, char const* what) {
    SCOPED_TRACE(what);
    auto const with_and_without_nan = [&](auto const& fold) {
        check(x, fold);
        check(x, wf::skip_nan(fold));
    };
    with_and_without_nan(wf::sum);
    with_and_without_nan(wf::norm_l1);
    with_and_without_nan(wf::norm_l2);
    with_and_without_nan(wf::mean);
    with_and_without_nan(wf::together(wf::variance, wf::argmin, wf::argmax));
    with_and_without_nan(wf::minmax);
    with_and_without_nan(wf::product);
    items<T> y(x.size());
    std::reverse_copy(x.begin(), x.end(), y.begin());
    check_pairs(x, y, wf::dot);
    check_pairs(x, y, wf::skip_nan(wf::dot));
    check_pairs(x, y, wf::squared_distance);
    check_pairs(x, y, wf::skip_nan(wf::squared_distance));
}

/// Items of `width` binades about one, of both signs.
template <class T>
items<T> numbers(int width) {
    random_bits random{11};
    items<T> x(count);
    for (T& item : x) item = from_fields<T>(random.chance(2), largest_field<T> / 2 - random.between(0, width), random());
    return x;
}
template <class T>
void put(items<T>& x, T what, std::size_t begin, std::size_t end, std::size_t distance) {
    for (std::size_t i = begin; i < end; i += distance) x[i] = what;
}

TYPED_TEST(exceptions, among_numbers_are_those_of_steps) {
    using T = TypeParam;
    auto const nan = wf::nan_of<T>, infinity = wf::infinity_of<T>;
    for (int const width : {0, 5, largest_field<T> / 2 - 1}) {
        auto x = numbers<T>(width);
        put(x, nan, 7'000, 13'000, 29);
        check_all(x, "NaN that begin and end");
        put(x, nan, 0, count, 31);
        check_all(x, "NaN throughout");
        x[15'000] = infinity;
        check_all(x, "and an infinity");
        x[3'000] = from_fields<T>(true, largest_field<T> + 1, 0);
        check_all(x, "and its opposite");
        put(x, nan, 5'000, 12'000, 1);
        check_all(x, "and nothing but NaN in between");
        for (std::size_t i = 0; i < count; ++i)
            if (i % 1'000 != 0) x[i] = nan;
        check_all(x, "NaN mostly");
    }
}

TYPED_TEST(exceptions, among_zeros_are_those_of_steps) {
    using T = TypeParam;
    auto const nan = wf::nan_of<T>, zero = from_fields<T>(false, 0, 0), minus_zero = from_fields<T>(true, 0, 0);
    items<T> x(count);
    put(x, minus_zero, 0, count, 1);
    put(x, nan, 3, count, 29);
    check_all(x, "-0 and NaN");
    put(x, nan, 0, 9'000, 1);
    check_all(x, "first NaN alone");
    x[19'000] = zero;
    check_all(x, "and a zero");
    put(x, nan, 0, count, 1);
    check_all(x, "NaN alone");
}

}  // namespace
