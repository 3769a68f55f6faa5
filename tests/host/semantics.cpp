// What every fold makes of empty inputs, NaN, ties, infinities and zeros, for every item type: two tables.
#include <gtest/gtest.h>

#include <functional>

#include "items.hpp"
#include "warpfold/warpfold.hpp"

namespace {

using testing_data::from_fields;
using testing_data::item_of;
using testing_data::items;

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

/// The item of a value that T holds, NaN and infinities among them.
template <class T>
T item(double value) {
    if constexpr (wf::is_float<T>)
        if (!std::isfinite(value))
            return from_fields<T>(value < 0, testing_data::largest_field<T> + 1, std::isnan(value));
    return item_of<T>(value);
}
template <class T>
items<T> list(std::vector<double> const& values) {
    items<T> result(values.size());
    std::transform(values.begin(), values.end(), result.begin(), item<T>);
    return result;
}
template <class T>
double number_of(T x) {
    return static_cast<double>(static_cast<wf::float_result<T>>(x));
}

/// What a result consists of; nothing where there is none, of an empty input.
using numbers = std::vector<double>;

template <class T>
void append(numbers& to, T const& x) {
    to.push_back(number_of(x));
}
template <class T>
void append(numbers& to, wf::minimum_maximum<T> const& both) {
    to.insert(to.end(), {number_of(both.min), number_of(both.max)});
}
void append(numbers& to, wf::argmin_argmax const& both) {
    to.insert(to.end(), {number_of(both.argmin), number_of(both.argmax)});
}
void append(numbers&, wf::pack<> const&) {}
template <class T, class... Rest>
void append(numbers& to, wf::pack<T, Rest...> const& all) {
    append(to, all.head);
    append(to, all.tail);
}
template <class Range, class Fold>
numbers numbers_of(Range const& range, Fold const& fold) {
    numbers result;
    try {
        append(result, wf::reduce(range, fold));
    } catch (wf::empty_input const&) {
    }
    return result;
}

/// Equal, zeros with their signs, or NaN; or `within` so much of max(1, |b|).
bool same(numbers const& a, numbers const& b, double within) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](double x, double y) {
        if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
        if (x == y) return std::signbit(x) == std::signbit(y);
        return std::abs(x - y) <= within * std::max(1.0, std::abs(y));
    });
}

/// The columns of the table below; the first four are for every type, the others for floats.
enum column {
    none, one, two, ties, some_nan, only_nan, up, down, up_and_down, only_up, only_down, zeros, minus_zeros, columns
};
std::vector<double> const inputs[columns] = {
    {}, {1}, {1, 0}, {0, 1, 1, 0, 1, 1, 0, 0}, {1, nan, 0, nan}, {nan, nan}, {1, inf, inf}, {-inf, 1}, {inf, 1, -inf},
    {inf, inf}, {-inf, -inf}, {0, -0.0}, {-0.0, -0.0}};

enum class kind { value, extreme, place };

template <class T>
using evaluation = std::function<numbers(items<T> const&)>;
template <class T, class Fold>
evaluation<T> evaluation_of(Fold const& fold) {
    return [fold](items<T> const& x) { return numbers_of(x, fold); };
}

/// A fold, what it gives of each column, and of any other items.
template <class T>
struct row {
    std::string name;
    kind of_kind;
    std::vector<numbers> expected;
    double within = 0;
    evaluation<T> of, skipping_of;  // the latter with skip_nan, of floats
};

template <class T>
std::vector<row<T>> const& table() {
    using result = wf::float_result<T>;
    static std::vector<row<T>> const rows = [] {
        std::vector<row<T>> all;
        auto const add = [&](char const* name, auto const& fold, kind of_kind, std::vector<numbers> expected,
                             std::vector<numbers> const& of_floats, double within = 0) {
            expected.insert(expected.end(), of_floats.begin(), of_floats.end());
            all.push_back({name, of_kind, std::move(expected), within, evaluation_of<T>(fold), {}});
            if constexpr (wf::is_float<T>) all.back().skipping_of = evaluation_of<T>(wf::skip_nan(fold));
        };
        using enum kind;
        // Of {}, {1}, {1, 0}, {0, 1, 1, 0, 1, 1, 0, 0}; of {1, nan, 0, nan}, {nan, nan}, {1, inf, inf}, {-inf, 1},
        // {inf, 1, -inf}, {inf, inf}, {-inf, -inf}, {0, -0} and the other way round, {-0, -0}.
        add("sum", wf::sum, value, {{0}, {1}, {1}, {4}},
            {{nan}, {nan}, {inf}, {-inf}, {nan}, {inf}, {-inf}, {0}, {-0.0}});
        add("product", wf::product, value, {{1}, {1}, {0}, {0}},
            {{nan}, {nan}, {inf}, {-inf}, {-inf}, {inf}, {inf}, {-0.0}, {0}});
        add("mean", wf::mean, value, {{nan}, {1}, {0.5}, {0.5}},
            {{nan}, {nan}, {inf}, {-inf}, {nan}, {inf}, {-inf}, {0}, {-0.0}});
        add("variance", wf::variance, value, {{nan}, {0}, {0.25}, {0.25}},
            {{nan}, {nan}, {nan}, {nan}, {nan}, {nan}, {nan}, {0}, {0}});
        add("variance, ddof 4", wf::variance.ddof(4), value, {{nan}, {nan}, {nan}, {0.5}},
            {{nan}, {nan}, {nan}, {nan}, {nan}, {nan}, {nan}, {nan}, {nan}});
        add("standard deviation", wf::standard_deviation, value, {{nan}, {0}, {0.5}, {0.5}},
            {{nan}, {nan}, {nan}, {nan}, {nan}, {nan}, {nan}, {0}, {0}});
        std::vector<numbers> const norms{{nan}, {nan}, {inf}, {inf}, {inf}, {inf}, {inf}, {0}, {0}};
        add("norm_l1", wf::norm_l1, value, {{0}, {1}, {1}, {4}}, norms);
        add("norm_l2", wf::norm_l2, value, {{0}, {1}, {1}, {2}}, norms);
        add("norm_linf", wf::norm_linf, value, {{0}, {1}, {1}, {1}}, norms);
        add("min", wf::min, extreme, {{}, {1}, {0}, {0}},
            {{nan}, {nan}, {1}, {-inf}, {-inf}, {inf}, {-inf}, {-0.0}, {-0.0}});
        add("max", wf::max, extreme, {{}, {1}, {1}, {1}},
            {{nan}, {nan}, {inf}, {1}, {inf}, {inf}, {-inf}, {0}, {-0.0}});
        add("minmax", wf::minmax, extreme, {{}, {1, 1}, {0, 1}, {0, 1}},
            {{nan, nan}, {nan, nan}, {1, inf}, {-inf, 1}, {-inf, inf}, {inf, inf}, {-inf, -inf}, {-0.0, 0},
             {-0.0, -0.0}});
        add("argmin", wf::argmin, place, {{}, {0}, {1}, {0}}, {{1}, {0}, {0}, {0}, {2}, {0}, {0}, {0}, {0}});
        add("argmax", wf::argmax, place, {{}, {0}, {0}, {1}}, {{1}, {0}, {1}, {1}, {0}, {0}, {0}, {0}, {0}});
        add("argminmax", wf::argminmax, place, {{}, {0, 0}, {1, 0}, {0, 1}},
            {{1, 1}, {0, 0}, {0, 1}, {0, 1}, {2, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}});
        add("count", wf::count, value, {{0}, {1}, {2}, {8}}, {{4}, {2}, {3}, {2}, {3}, {2}, {2}, {2}, {2}});
        auto const not_zero = [](T const& x) { return !(number_of(x) == 0); };
        add("count_if", wf::count_if{not_zero}, value, {{0}, {1}, {1}, {4}},
            {{3}, {2}, {3}, {2}, {3}, {2}, {2}, {0}, {0}});
        add("any", wf::any, value, {{0}, {1}, {1}, {1}}, {{1}, {1}, {1}, {1}, {1}, {1}, {1}, {0}, {0}});
        add("all", wf::all, value, {{1}, {1}, {0}, {0}}, {{0}, {1}, {1}, {1}, {1}, {1}, {1}, {0}, {0}});
        double const e = std::exp(1.0), log2 = std::log(2.0), few_ulps = std::numeric_limits<result>::epsilon() * 4;
        add("logsumexp", wf::logsumexp, value, {{-inf}, {1}, {std::log(e + 1)}, {std::log(4 * e + 4)}},
            {{nan}, {nan}, {inf}, {1}, {inf}, {inf}, {-inf}, {log2}, {log2}}, few_ulps);
        add("together", wf::together(wf::sum, wf::minmax, wf::count), value,
            {{}, {1, 1, 1, 1}, {1, 0, 1, 2}, {4, 0, 1, 8}},
            {{nan, nan, nan, 4}, {nan, nan, nan, 2}, {inf, 1, inf, 3}, {-inf, -inf, 1, 2}, {nan, -inf, inf, 3},
             {inf, inf, inf, 2}, {-inf, -inf, -inf, 2}, {0, -0.0, 0, 2}, {-0.0, -0.0, -0.0, 2}});
        return all;
    }();
    return rows;
}

template <class T>
struct of_numbers : testing::Test {};
using number_types =
    testing::Types<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                   std::uint32_t, std::uint64_t, wf::float16, wf::bfloat16, float, double>;
TYPED_TEST_SUITE(of_numbers, number_types);

template <class T>
struct of_floats : testing::Test {};
using float_types = testing::Types<wf::float16, wf::bfloat16, float, double>;
TYPED_TEST_SUITE(of_floats, float_types);

TYPED_TEST(of_numbers, every_fold_gives_what_its_row_says) {
    using T = TypeParam;
    for (auto const& row : table<T>()) {
        ASSERT_EQ(row.expected.size(), columns);
        for (int c = none; c < (wf::is_float<T> ? columns : some_nan); ++c) {
            EXPECT_TRUE(same(row.of(list<T>(inputs[c])), row.expected[c], row.within)) << row.name << ", column " << c;
        }
        if constexpr (wf::is_float<T>) {
            auto const reversed = list<T>({-0.0, 0});
            EXPECT_TRUE(same(row.of(reversed), row.expected[zeros], row.within)) << row.name << " of -0 and 0";
        }
    }
}

/// Of what is no NaN, skip_nan changes nothing; with some, it gives what the others do by themselves, where they are.
TYPED_TEST(of_floats, every_fold_skips_nan) {
    using T = TypeParam;
    for (auto const& row : table<T>()) {
        for (int c = none; c < columns; ++c) {
            numbers expected = row.expected[c == some_nan ? two : c == only_nan ? none : c];
            if (c == some_nan && row.of_kind == kind::place)
                for (double& at : expected) at *= 2;
            auto const x = list<T>(inputs[c]);
            EXPECT_TRUE(same(row.skipping_of(x), expected, row.within)) << row.name << ", column " << c;
        }
    }
}

/// The numbers of a row that are NaN where an item is; of a NaN at `at` in items like `others`.
template <class T>
numbers with_nan(row<T> const& row, items<T> const& others, std::size_t at) {
    numbers result = row.of(others);
    for (std::size_t i = 0; i < result.size(); ++i) {
        if (std::isnan(row.expected[only_nan][i])) result[i] = nan;
        else if (row.of_kind == kind::place) result[i] = static_cast<double>(at);
    }
    return result;
}

TYPED_TEST(of_floats, nan_of_long_inputs) {
    using T = TypeParam;
    for (std::size_t const n : {1, 2, 40, 300, 9000}) {
        for (std::size_t const at : {std::size_t{0}, n / 2, n - 1}) {
            items<T> x(n), ones(n);
            std::fill(ones.begin(), ones.end(), item<T>(1));
            std::fill(x.begin(), x.end(), item<T>(1));
            x[at] = x[n - 1] = item<T>(nan);
            auto const nans = at + 1 < n ? 2 : 1;
            items<T> kept(n - static_cast<std::size_t>(nans));
            std::fill(kept.begin(), kept.end(), item<T>(1));
            for (auto const& row : table<T>()) {
                SCOPED_TRACE(row.name + " of " + std::to_string(n) + " items, NaN from " + std::to_string(at) + " on");
                EXPECT_TRUE(same(row.of(x), with_nan(row, ones, at), 0));
                numbers expected = row.of(kept);
                if (row.of_kind == kind::place)
                    for (double& place : expected) place = at == 0;
                EXPECT_TRUE(same(row.skipping_of(x), expected, 0));
            }
            EXPECT_TRUE(std::isnan(wf::dot(x, ones)) && std::isnan(wf::dot(ones, x)));
            EXPECT_TRUE(std::isnan(wf::squared_distance(x, ones)) && std::isnan(wf::squared_distance(ones, x)));
            EXPECT_EQ(wf::reduce(wf::zip(x, ones), wf::skip_nan(wf::dot)), static_cast<double>(kept.size()));
            EXPECT_EQ(wf::reduce(wf::zip(x, ones), wf::skip_nan(wf::squared_distance)), 0);
            // What was skipped is counted, in the state and by a count beside it.
            EXPECT_EQ(wf::gather(x, wf::skip_nan(wf::sum)).state().special.nans, nans);
            EXPECT_EQ(wf::gather(x, wf::skip_nan(wf::min)).state().nans, nans);
            auto const [all, counted] = wf::reduce(x, wf::together(wf::count, wf::skip_nan(wf::count)));
            EXPECT_EQ(all - counted, nans);
        }
    }
}

/// Two inputs, and what dot and squared distance give of them, without and with skip_nan.
struct pair_row {
    std::vector<double> x, y;
    double dot, distance, skipping_dot, skipping_distance;
};
pair_row const pairs_of_numbers[] = {{{}, {}, 0, 0, 0, 0}, {{1}, {1}, 1, 0, 1, 0}, {{0, 1, 1}, {1, 1, 0}, 1, 2, 1, 2}};
pair_row const pairs_of_floats[] = {
    {{1, nan}, {1, 1}, nan, nan, 1, 0}, {{1, 1}, {nan, 1}, nan, nan, 1, 0}, {{nan}, {nan}, nan, nan, 0, 0},
    {{nan}, {inf}, nan, nan, 0, 0},     {{inf}, {1}, inf, inf, inf, inf},   {{-inf}, {1}, -inf, inf, -inf, inf},
    {{inf}, {0}, nan, inf, 0, inf},     {{inf}, {inf}, inf, nan, inf, 0},   {{inf}, {-inf}, -inf, inf, -inf, inf},
    {{inf, -inf}, {1, 1}, nan, inf, nan, inf}, {{-0.0}, {1}, -0.0, 1, -0.0, 1}, {{-0.0}, {0}, -0.0, 0, -0.0, 0},
    {{-0.0}, {-0.0}, 0, 0, 0, 0},       {{-0.0, 0}, {1, 1}, 0, 2, 0, 2}};

template <class T>
void expect_pairs(pair_row const& row) {
    auto const x = list<T>(row.x), y = list<T>(row.y);
    // As two columns, and as what is loaded pair by pair.
    auto const columns_of_both = wf::zip(x, y);
    auto const mapped = wf::zip(x, wf::map([](T const& v) { return v; }, y));
    auto const check = [&](char const* name, auto const& fold, double expected) {
        EXPECT_TRUE(same(numbers_of(columns_of_both, fold), {expected}, 0)) << name;
        EXPECT_TRUE(same(numbers_of(mapped, fold), {expected}, 0)) << name << ", mapped";
    };
    SCOPED_TRACE(testing::PrintToString(row.x) + " and " + testing::PrintToString(row.y));
    check("dot", wf::dot, row.dot);
    check("squared distance", wf::squared_distance, row.distance);
    check("skip_nan dot", wf::skip_nan(wf::dot), row.skipping_dot);
    check("skip_nan squared distance", wf::skip_nan(wf::squared_distance), row.skipping_distance);
}
TYPED_TEST(of_numbers, folds_of_pairs_give_what_their_rows_say) {
    for (auto const& row : pairs_of_numbers) expect_pairs<TypeParam>(row);
}
TYPED_TEST(of_floats, folds_of_pairs_give_what_their_rows_say) {
    for (auto const& row : pairs_of_floats) expect_pairs<TypeParam>(row);
}

template <class Item, class Result, class... Folds>
constexpr bool results_are(Result, Folds const&...) {
    return (std::is_same_v<wf::result_of<wf::bound<Folds, Item>>, Result> && ...);
}

TYPED_TEST(of_numbers, result_types) {
    using T = TypeParam;
    constexpr bool integer = wf::is_integer<T>;
    using quotient = std::conditional_t<std::is_same_v<T, double> || integer, double, float>;
    using exact = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
    using total = std::conditional_t<integer, exact, quotient>;
    using magnitude = std::conditional_t<integer, std::uint64_t, quotient>;
    EXPECT_TRUE((results_are<T>(total{}, wf::sum, wf::product)));
    EXPECT_TRUE((results_are<wf::pair<T, T>>(total{}, wf::dot, wf::squared_distance)));
    EXPECT_TRUE((results_are<T>(magnitude{}, wf::norm_l1, wf::norm_linf)));
    EXPECT_TRUE((results_are<T>(quotient{}, wf::mean, wf::variance, wf::standard_deviation, wf::norm_l2)));
    EXPECT_TRUE((results_are<T>(quotient{}, wf::logsumexp)));
    EXPECT_TRUE((results_are<T>(T{}, wf::min, wf::max, wf::as<double>(wf::min), wf::as<double>(wf::max))));
    EXPECT_TRUE((results_are<T>(wf::minimum_maximum<T>{}, wf::minmax)));
    EXPECT_TRUE((results_are<T>(std::int64_t{}, wf::argmin, wf::argmax, wf::count)));
    EXPECT_TRUE((results_are<T>(wf::argmin_argmax{}, wf::argminmax)));
    EXPECT_TRUE((results_are<T>(bool{}, wf::any, wf::all)));
    // double on request, but for exact integers.
    using wide_total = std::conditional_t<integer, exact, double>;
    using wide_magnitude = std::conditional_t<integer, std::uint64_t, double>;
    EXPECT_TRUE((results_are<T>(wide_total{}, wf::as<double>(wf::sum), wf::as<double>(wf::product))));
    EXPECT_TRUE((results_are<wf::pair<T, T>>(wide_total{}, wf::as<double>(wf::dot))));
    EXPECT_TRUE((results_are<T>(wide_magnitude{}, wf::as<double>(wf::norm_l1), wf::as<double>(wf::norm_linf))));
    EXPECT_TRUE((results_are<T>(double{}, wf::as<double>(wf::mean), wf::as<double>(wf::variance),
                                wf::as<double>(wf::standard_deviation), wf::as<double>(wf::norm_l2),
                                wf::as<double>(wf::logsumexp))));
    items<T> const x(1);
    EXPECT_TRUE((std::is_same_v<decltype(wf::sum(x)), total> && std::is_same_v<decltype(wf::mean(x)), quotient>));
}

TYPED_TEST(of_numbers, degrees_of_freedom) {
    using T = TypeParam;
    auto const x = list<T>({1, 0, 1, 0});
    EXPECT_EQ(wf::variance(x), 0.25);
    EXPECT_EQ(wf::standard_deviation(x), 0.5);
    EXPECT_EQ(wf::reduce(x, wf::variance.ddof(2)), 0.5);
    EXPECT_EQ(wf::reduce(x, wf::variance.ddof(3)), 1);
    EXPECT_TRUE(std::isnan(wf::reduce(x, wf::variance.ddof(4))));
    EXPECT_TRUE(std::isnan(wf::reduce(x, wf::variance.ddof(5))));
    EXPECT_TRUE(std::isnan(wf::reduce(x, wf::standard_deviation.ddof(std::uint64_t{1} << 63))));
    EXPECT_EQ(wf::variance(list<T>({1})), 0);
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
            wf::argmin_argmax const both{first == 0 ? 1 : 0, static_cast<wf::index_t>(first)};
            EXPECT_EQ(wf::reduce(x, wf::argminmax, {2, 1000}), both);
            for (T& item : x) item = item_of<T>(number_of(item) == 0);
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
        low = item<T>(-inf);
        high = item<T>(inf);
    } else {
        low = std::numeric_limits<T>::lowest();
        high = std::numeric_limits<T>::max();
    }
    for (std::size_t const n : {1, 3, 64, 300, 5000}) {
        for (T const only : {low, high}) {
            items<T> x(n);
            std::fill(x.begin(), x.end(), only);
            for (auto const& row : table<T>()) {
                if (row.of_kind == kind::value) continue;
                numbers const expected(row.expected[one].size(), row.of_kind == kind::place ? 0 : number_of(only));
                EXPECT_TRUE(same(row.of(x), expected, 0)) << row.name << " of " << n << " times " << number_of(only);
            }
        }
    }
}

TYPED_TEST(of_floats, infinities_beside_other_items) {
    using T = TypeParam;
    EXPECT_TRUE(std::isnan(wf::product(list<T>({0, inf}))));
    EXPECT_TRUE(std::isnan(wf::product(list<T>({-inf, -0.0}))));
    EXPECT_TRUE(std::isnan(wf::reduce(list<T>({inf, nan, -inf}), wf::skip_nan(wf::sum))));
    for (auto const& x : {list<T>({inf, nan}), list<T>({nan, -inf})}) {
        EXPECT_TRUE(std::isnan(wf::norm_l1(x)) && std::isnan(wf::norm_l2(x)) && std::isnan(wf::norm_linf(x)));
        EXPECT_TRUE(std::isnan(wf::logsumexp(x)));
    }
    EXPECT_EQ(wf::logsumexp(list<T>({-inf, 0})), 0);
    EXPECT_EQ(wf::logsumexp(list<T>({0, -inf, -inf})), 0);
}

TYPED_TEST(of_floats, zeros_beside_other_items) {
    using T = TypeParam;
    EXPECT_FALSE(std::signbit(wf::sum(list<T>({1, -1}))));
    EXPECT_FALSE(std::signbit(wf::mean(list<T>({-1, -0.0, 1}))));
    EXPECT_TRUE(std::signbit(wf::product(list<T>({-0.0, 1}))));
    EXPECT_TRUE(std::signbit(wf::product(list<T>({0, -1}))));
    // Across vectors, tiles and chunks.
    items<T> many(3000);
    many[2999] = item<T>(-0.0);
    EXPECT_TRUE(wf::is_negative(wf::reduce(many, wf::min, {2, 100})));
    EXPECT_FALSE(wf::is_negative(wf::reduce(many, wf::max, {2, 100})));
    EXPECT_EQ(wf::reduce(many, wf::argminmax, {2, 100}), (wf::argmin_argmax{0, 0}));
}

}  // namespace
