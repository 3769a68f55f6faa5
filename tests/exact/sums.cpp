// Every fold that follows from exact sums, against exact rational numbers. Built once for each float type,
// WARPFOLD_ITEM.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "exact_cases.hpp"
#include "reference.hpp"
#include "warpfold/warpfold.hpp"

namespace {

using item = WARPFOLD_ITEM;
using narrow_result = wf::float_result<item>;
using testing_data::cases;
constexpr long low = reference::grid<item>;

/// The terms of a sum, exactly: the finite ones on a grid, and the others counted.
struct exact_terms {
    mpz_class sum;
    long finite = 0, nans = 0, plus = 0, minus = 0;
    bool only_negative_zeros = true;

    void add(mpz_class const& term, bool negative) {
        ++finite;
        only_negative_zeros = only_negative_zeros && negative && sgn(term) == 0;
        sum += term;
    }
    /// A term that is NaN or infinite.
    void add_special(double term) { ++(std::isnan(term) ? nans : term > 0 ? plus : minus); }
    bool all_finite() const { return nans + plus + minus == 0; }

    template <class R>
    R special_sum() const {
        if (nans || (plus && minus)) return std::numeric_limits<R>::quiet_NaN();
        return plus ? std::numeric_limits<R>::infinity() : -std::numeric_limits<R>::infinity();
    }
    template <class R>
    R expected_sum(long exponent) const {
        if (!all_finite()) return special_sum<R>();
        if (finite && only_negative_zeros) return -R{0};
        return reference::nearest<R>(sum, exponent);
    }
    template <class R>
    R expected_mean(long exponent) const {
        if (!all_finite()) return special_sum<R>();
        if (finite == 0) return std::numeric_limits<R>::quiet_NaN();
        if (only_negative_zeros) return -R{0};
        return reference::nearest<R>(sum, finite, exponent);
    }
};

double value_of(item x) { return static_cast<double>(static_cast<narrow_result>(x)); }
bool is_finite(item x) { return std::isfinite(value_of(x)); }

/// What the folds of items are of.
struct exact_items : exact_terms {
    mpz_class magnitudes, squares;

    explicit exact_items(std::vector<item> const& items) {
        for (item const x : items) {
            if (!is_finite(x)) {
                add_special(value_of(x));
                continue;
            }
            mpz_class const v = reference::on_grid(x);
            add(v, wf::is_negative(x));
            magnitudes += abs(v);
            squares += v * v;
        }
    }

    template <class R>
    R expected_norm(bool second) const {
        if (nans) return std::numeric_limits<R>::quiet_NaN();
        if (plus + minus) return std::numeric_limits<R>::infinity();
        return second ? reference::nearest<R>(squares, 1, 2 * low, true) : reference::nearest<R>(magnitudes, low);
    }
    template <class R>
    R expected_spread(long ddof, bool root) const {
        if (!all_finite() || finite <= ddof) return std::numeric_limits<R>::quiet_NaN();
        mpz_class const n = finite;
        return reference::nearest<R>(n * squares - sum * sum, n * (n - ddof), 2 * low, root);
    }
};

/// What the folds of pairs are of.
struct exact_pairs {
    exact_terms dot, distance;

    exact_pairs(std::vector<item> const& x, std::vector<item> const& y) {
        for (std::size_t k = 0; k < x.size(); ++k) {
            if (is_finite(x[k]) && is_finite(y[k])) {
                mpz_class const a = reference::on_grid(x[k]), b = reference::on_grid(y[k]);
                dot.add(a * b, wf::is_negative(x[k]) != wf::is_negative(y[k]));
                distance.add((a - b) * (a - b), false);
            } else {  // where one of them is infinite or NaN, so are both terms
                double const a = value_of(x[k]), b = value_of(y[k]);
                dot.add_special(a * b);
                distance.add_special((a - b) * (a - b));
            }
        }
    }
};

/// Equal bits; NaN of any bits equal NaN.
template <class R>
bool same(R a, R b) {
    return (std::isnan(a) && std::isnan(b)) || wf::bits_as<typename wf::float_format<R>::bits>(a) == wf::bits_as<typename wf::float_format<R>::bits>(b);
}

template <class Items>
std::string describe(Items const& items) {
    std::string text = std::to_string(items.size()) + " items:";
    for (std::size_t i = 0; i < items.size() && i < 24; ++i) {
        char cell[40];
        std::snprintf(cell, sizeof cell, " %a", static_cast<double>(static_cast<narrow_result>(items[i])));
        text += cell;
    }
    return text;
}

template <class R>
testing::AssertionResult matches(R actual, R expected, std::vector<item> const& items) {
    if (same(actual, expected)) return testing::AssertionSuccess();
    return testing::AssertionFailure() << std::hexfloat << "got " << actual << ", expected " << expected << "; "
                                       << describe(items);
}

template <class R, class Fold>
auto fold_as(Fold const& f) {
    if constexpr (std::is_same_v<R, double>) return wf::as<double>(f);
    else return f;
}

/// Every sum over the items themselves, by the folds that `as` makes of the library's.
template <class R, class As>
void check(std::vector<item> const& items, exact_items const& exact, As as) {
    auto const of = [&](auto const& fold) { return wf::reduce(items, as(fold)); };
    ASSERT_TRUE(matches(of(wf::sum), exact.expected_sum<R>(low), items));
    ASSERT_TRUE(matches(of(wf::mean), exact.expected_mean<R>(low), items));
    ASSERT_TRUE(matches(of(wf::variance), exact.expected_spread<R>(0, false), items));
    ASSERT_TRUE(matches(of(wf::variance.ddof(1)), exact.expected_spread<R>(1, false), items));
    ASSERT_TRUE(matches(of(wf::standard_deviation), exact.expected_spread<R>(0, true), items));
    ASSERT_TRUE(matches(of(wf::standard_deviation.ddof(1)), exact.expected_spread<R>(1, true), items));
    ASSERT_TRUE(matches(of(wf::norm_l1), exact.expected_norm<R>(false), items));
    ASSERT_TRUE(matches(of(wf::norm_l2), exact.expected_norm<R>(true), items));
}
template <class R, class As>
void check(std::vector<item> const& x, std::vector<item> const& y, exact_pairs const& exact, As as) {
    auto const of = [&](auto const& fold) { return wf::reduce(wf::zip(x, y), as(fold)); };
    ASSERT_TRUE(matches(of(wf::dot), exact.dot.expected_sum<R>(2 * low), x)) << "and " << describe(y);
    ASSERT_TRUE(matches(of(wf::squared_distance), exact.distance.expected_sum<R>(2 * low), x)) << "and " << describe(y);
}

/// The same, and without the NaN where there are some.
template <class R>
void check(std::vector<item> const& items) {
    exact_items exact{items};
    check<R>(items, exact, [](auto const& fold) { return fold_as<R>(fold); });
    if (exact.nans == 0 || testing::Test::HasFatalFailure()) return;
    exact.nans = 0;
    check<R>(items, exact, [](auto const& fold) { return wf::skip_nan(fold_as<R>(fold)); });
}
template <class R>
void check(std::vector<item> const& x, std::vector<item> const& y) {
    exact_pairs exact{x, y};
    check<R>(x, y, exact, [](auto const& fold) { return fold_as<R>(fold); });
    if (exact.dot.nans + exact.distance.nans == 0 || testing::Test::HasFatalFailure()) return;
    exact.dot.nans = exact.distance.nans = 0;
    check<R>(x, y, exact, [](auto const& fold) { return wf::skip_nan(fold_as<R>(fold)); });
}

template <class R>
void check_cases(std::int64_t count, std::uint64_t seed) {
    testing_data::case_generator<item> generate{seed};
    std::vector<item> items;
    for (std::int64_t i = 0; i < count && !testing::Test::HasFatalFailure(); ++i) {
        generate.next(items, std::numeric_limits<R>::digits);
        check<R>(items);
    }
}

/// Results of double are others than those of the items' own kind.
constexpr bool has_wide_results = !std::is_same_v<item, double>;

TEST(exact_sums, generated_cases_are_correctly_rounded) {
    check_cases<narrow_result>(cases(1'000'000), 1);
    if (has_wide_results) check_cases<double>(cases(400'000), 2);
}

TEST(exact_sums, long_inputs_are_correctly_rounded) {
    testing_data::random_bits random{3};
    for (std::int64_t const n : {1000, 4095, 4096, 4097, 65'537, 1'000'000}) {
        for (int spread : {0, 6, 40, 2046}) {
            if (n > cases(1'000'000)) continue;
            std::vector<item> items;
            int const field = random.between(0, testing_data::largest_field<item>);
            int const top = std::min(field + spread, testing_data::largest_field<item>);
            for (std::int64_t i = 0; i < n; ++i) {
                std::uint64_t const r = random();
                items.push_back(testing_data::from_fields<item>(r & 1, random.between(field, top), r >> 1));
            }
            check<narrow_result>(items);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
}

TEST(exact_sums, a_million_of_the_largest_items_fit_the_windows_they_get) {
    // One thread and one chunk: nothing empties the windows earlier than they ask for. Windows begin at every eighth
    // exponent.
    auto const n = static_cast<std::size_t>(cases(1 << 20));
    int const middle = testing_data::largest_field<item> / 2;
    for (int field = middle; field < middle + 8; ++field) {
        std::vector<item> const items(n, testing_data::from_fields<item>(false, field, ~std::uint64_t{0}));
        exact_items const exact{items};
        wf::host::options const how{1, static_cast<wf::index_t>(n)};
        EXPECT_TRUE(matches(wf::reduce(items, fold_as<double>(wf::sum), how), exact.expected_sum<double>(low), items));
        EXPECT_TRUE(matches(wf::reduce(items, fold_as<double>(wf::norm_l2), how), exact.expected_norm<double>(true), items));
        EXPECT_TRUE(matches(wf::reduce(items, fold_as<double>(wf::variance), how), exact.expected_spread<double>(0, false), items));
    }
}

/// The other factor of each item: one power of two, whose products keep the boundaries that x was made for; x itself;
/// or any. Now and then one of them is not finite.
std::vector<item> others_of(std::vector<item> const& x, testing_data::random_bits& random) {
    std::vector<item> y = x;
    int const how = random.between(0, 2);
    int const exponent = random.between(low, wf::exponent_range<item>::high - 1);
    for (item& v : y) {
        if (how == 0) v = testing_data::power_of_two<item>(false, exponent);
        if (how == 1) v = testing_data::any_finite<item>(random);
    }
    if (!y.empty() && random.chance(20)) {
        auto const at = static_cast<std::size_t>(random.between(0, static_cast<int>(y.size()) - 1));
        int const special = testing_data::largest_field<item> + 1;
        y[at] = testing_data::from_fields<item>(random.chance(2), special, random.chance(3));
    }
    return y;
}

template <class R>
void check_pairs(std::int64_t count, std::uint64_t seed) {
    testing_data::case_generator<item> generate{seed};
    std::vector<item> x;
    for (std::int64_t i = 0; i < count && !testing::Test::HasFatalFailure(); ++i) {
        generate.next(x, std::numeric_limits<R>::digits);
        check<R>(x, others_of(x, generate.random()));
    }
}

TEST(exact_sums, dot_and_distance_are_correctly_rounded) {
    check_pairs<narrow_result>(cases(1'000'000), 4);
    if (has_wide_results) check_pairs<double>(cases(400'000), 5);
}

/// Cases as hard as the short ones, among items that cancel: a hundred to a million of them, as many cases a decade.
TEST(exact_sums, long_inputs_that_cancel_are_correctly_rounded) {
    testing_data::case_generator<item> generate{8};
    testing_data::random_bits& random = generate.random();
    std::vector<item> x;
    for (std::int64_t i = 0; i < cases(60) && !testing::Test::HasFatalFailure(); ++i) {
        generate.next(x, std::numeric_limits<narrow_result>::digits);
        auto const n = static_cast<std::size_t>(std::pow(10.0, 2 + static_cast<double>(random() >> 11) * 0x1p-51));
        int const field = random.between(0, testing_data::largest_field<item>), width = 1 << random.between(0, 11);
        while (x.size() < n) {
            int const own = std::max(field - random.between(0, width), 0);
            x.push_back(testing_data::from_fields<item>(random.chance(2), own, random()));
            x.push_back(testing_data::negate(x.back()));
        }
        std::shuffle(x.begin(), x.end(), random);
        check<narrow_result>(x);
        // Products by one number cancel as the items do.
        std::vector<item> const same(x.size(), testing_data::item_of<item>(random.between(1, 9)));
        check<narrow_result>(x, same);
    }
}

template <class R>
void check_products(std::int64_t count, std::uint64_t seed) {
    testing_data::case_generator<item> generate{seed};
    testing_data::random_bits& random = generate.random();
    std::vector<item> items;
    for (std::int64_t i = 0; i < count && !testing::Test::HasFatalFailure(); ++i) {
        generate.next(items, std::numeric_limits<R>::digits);
        // Half of the cases stay near one, so that products neither vanish nor overflow.
        if (random.chance(2))
            for (item& x : items)
                if (!wf::is_nan(x) && !wf::is_infinite(x))
                    x = testing_data::from_fields<item>(random.chance(2), testing_data::largest_field<item> / 2 + random.between(-1, 1), random() >> random.between(0, 63));
        mpz_class product = 1;
        long exponent = 0;
        long zeros = 0, nans = 0, infinities = 0;
        bool negative = false;
        for (item const x : items) {
            if (wf::is_nan(x)) {
                ++nans;
                continue;
            }
            negative = negative != wf::is_negative(x);
            if (wf::is_infinite(x)) {
                ++infinities;
                continue;
            }
            mpz_class v = abs(reference::on_grid(x));
            if (sgn(v) == 0) {
                ++zeros;
                continue;
            }
            mp_bitcnt_t const trailing = mpz_scan1(v.get_mpz_t(), 0);
            product *= v >> trailing;
            exponent += low + static_cast<long>(trailing);
        }
        R const sign = negative ? R{-1} : R{1};
        R const expected = nans || (zeros && infinities) ? std::numeric_limits<R>::quiet_NaN()
                           : infinities                  ? sign * std::numeric_limits<R>::infinity()
                           : zeros                       ? sign * R{0}
                           : sgn(product) == 0           ? R{0}
                                                         : sign * reference::nearest<R>(product, exponent);
        ASSERT_TRUE(matches(wf::reduce(items, fold_as<R>(wf::product)), expected, items));
    }
}

TEST(exact_sums, products_are_correctly_rounded) {
    check_products<narrow_result>(cases(600'000), 6);
    check_products<double>(cases(400'000), 7);
}

}  // namespace
