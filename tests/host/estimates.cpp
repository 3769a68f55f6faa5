// Estimated sums: their bounds hold, whatever the items are, and a result that they do not decide is the exact one too.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "bytes.hpp"
#include "items.hpp"

namespace {

using testing_data::bytes_by_steps;
using testing_data::bytes_or_error;
using testing_data::from_fields;
using testing_data::largest_field;
using testing_data::random_bits;
using wf::folds::powers;

template <class T>
struct estimates : testing::Test {};
using item_types = testing::Types<float, double>;
TYPED_TEST_SUITE(estimates, item_types);

/// |sum + estimate − exact|, rounded to the nearest double: no more than a bound, which is a double, where the truth is
/// not.
template <int Low, int High>
double distance(wf::exact::fixed_point<Low, High> sum, wf::exact::near_double const& estimate,
                wf::exact::fixed_point<Low, High> exact) {
    exact.carry();
    for (auto& limb : exact.limb) limb = -limb;
    sum.merge(exact);
    for (double const part : {estimate.high, estimate.low}) {
        auto v = wf::decompose(part);
        // A multiple of 2^Low, as all items are: below it are zeros.
        if (v.exponent < Low) v = {v.significand >> std::min(Low - v.exponent, 63), Low};
        sum.add(v.significand, v.exponent);
    }
    return std::abs(wf::exact::round<double>(sum));
}

/// How far an estimate is off, and how far it may be.
struct errors {
    double first = 0, first_bound = 0, second = 0, second_bound = 0;
};

/// Checks an estimate against the exact state: everything but the sums is equal, and they lie within the bounds.
template <class Gather, class Input>
errors check(Input const& in) {
    auto const exact = wf::host::gather(Gather{}, in, {1});
    auto const estimate = wf::host::gather(wf::host::estimate<Gather>{}, in, {1});
    EXPECT_EQ(estimate.items, exact.items);
    EXPECT_EQ(estimate.special.nans, exact.special.nans);
    EXPECT_EQ(estimate.special.positive_infinities, exact.special.positive_infinities);
    EXPECT_EQ(estimate.special.negative_infinities, exact.special.negative_infinities);
    EXPECT_EQ(estimate.only_negative_zeros, exact.only_negative_zeros);
    errors e{0, estimate.first_estimate.error, 0, estimate.second_estimate.error};
    if constexpr (requires { exact.sum; }) {
        e.first = distance(estimate.sum, estimate.first_estimate, exact.sum);
    } else {
        if constexpr (Gather::has_first) e.first = distance(estimate.first, estimate.first_estimate, exact.first);
        if constexpr (Gather::has_second) e.second = distance(estimate.second, estimate.second_estimate, exact.second);
    }
    EXPECT_LE(e.first, e.first_bound);
    EXPECT_LE(e.second, e.second_bound);
    return e;
}

/// a / b − 1 of two products, cut to 128 bits, rounded.
double relative_distance(auto const& a, auto const& b) {
    auto const above = a.exponent - b.exponent;
    if (above < -1 || above > 1) return 1;
    auto const of_a = static_cast<wf::int128>(a.significand >> (3 - above)), of_b = static_cast<wf::int128>(b.significand >> 3);
    return static_cast<double>(of_a - of_b) * 0x1p-124;
}

/// Checks an estimated product against the exact state, whose significand lacks what it says that it dropped.
template <class T>
errors check_product(std::vector<T> const& x) {
    using gather = wf::folds::products<T>;
    auto const in = wf::contiguous<T>{x.data(), static_cast<wf::index_t>(x.size())};
    auto const exact = wf::host::gather(gather{}, in, {1});
    auto const estimate = wf::host::gather(wf::host::estimate<gather>{}, in, {1});
    EXPECT_EQ(estimate.items, exact.items);
    EXPECT_EQ(estimate.nans, exact.nans);
    EXPECT_EQ(estimate.infinities, exact.infinities);
    EXPECT_EQ(estimate.zeros, exact.zeros);
    EXPECT_EQ(estimate.negative, exact.negative);
    errors const e{std::abs(relative_distance(estimate, exact)), estimate.error, 0, 0};
    EXPECT_LE(e.first, e.first_bound + static_cast<double>(estimate.truncations + exact.truncations + 16) * 0x1p-127);
    return e;
}

template <class T>
wf::contiguous<T> all_of(std::vector<T> const& x) {
    return {x.data(), static_cast<wf::index_t>(x.size())};
}

/// Every estimate of x, and of the products of x and y; counts those that were off, or could have been.
template <class T>
void check_all(std::vector<T> const& x, std::vector<T> const& y, int& off, int& bounded) {
    auto const count = [&](errors const& e) {
        off += e.first > 0 || e.second > 0;
        bounded += e.first_bound > 0 || e.second_bound > 0;
    };
    auto const in = all_of(x);
    if constexpr (std::is_same_v<T, double>) {
        count(check<wf::folds::power_sums<T, powers::first>>(in));
        count(check<wf::folds::power_sums<T, powers::first, true>>(in));
    }
    count(check<wf::folds::power_sums<T, powers::second>>(in));
    count(check<wf::folds::power_sums<T, powers::both>>(in));
    count(check<wf::folds::pair_sums<T, false>>(wf::zip(in, all_of(y))));
    count(check<wf::folds::pair_sums<T, true>>(wf::zip(in, all_of(y))));
    count(check_product(x));
}

/// n items of a random band of exponents, which moves at one of them; of one sign or both; perhaps with a special one,
/// or with two large ones that cancel, perhaps in one lane of a total.
template <class T>
void generate(random_bits& random, std::vector<T>& x, int n) {
    static constexpr int widths[] = {0, 3, 12, 30, 60, 300};
    int const width = widths[random.between(0, 5)], change = random.between(0, 2 * n);
    bool const one_sign = random.chance(2), ones = random.chance(3);
    int const most = random.chance(3) ? largest_field<T> : largest_field<T> * 3 / 5;
    int field = random.between(0, most);
    x.clear();
    for (int i = 0; i < n; ++i) {
        if (i == change) field = std::clamp(field + random.between(-60, 60), 0, most);
        int const at = std::max(0, field - random.between(0, width));
        x.push_back(from_fields<T>(!one_sign && random.chance(2), at, ones ? ~std::uint64_t{0} : random()));
    }
    auto const any = [&](int low, int high) { return static_cast<std::size_t>(random.between(low, high)); };
    if (n > 0 && random.chance(8)) x[any(0, n - 1)] = testing_data::special_item<T>(random);
    if (n > 64 && random.chance(4)) {
        std::size_t const at = any(0, n - 64);
        x[at] = from_fields<T>(random.chance(2), std::min(field + random.between(5, 60), most), random());
        x[at + 4 * any(1, 15)] = testing_data::negate(x[at]);
    }
}

/// Checks every estimate of `arrays` arrays, of lengths that `length(random)` draws. At least `least_off` estimates
/// must have been off, and `least_bounded` could have been.
template <class T, class Length>
void check_arrays(std::uint64_t seed, std::int64_t arrays, Length const& length, int least_off, int least_bounded) {
    random_bits random{seed};
    std::vector<T> x, y;
    int off = 0, bounded = 0;
    for (std::int64_t i = 0; i < arrays && !testing::Test::HasFailure(); ++i) {
        int const n = length(random);
        generate(random, x, n);
        generate(random, y, n);
        check_all(x, y, off, bounded);
    }
    EXPECT_GT(off, least_off);
    EXPECT_GT(bounded, least_bounded);
}

TYPED_TEST(estimates, lie_within_their_bounds) {
    using testing_data::cases;
    auto const length = [](random_bits& random) { return random.between(0, random.chance(50) ? 900 : 90); };
    check_arrays<TypeParam>(1, cases(200'000), length, static_cast<int>(cases(100'000)), static_cast<int>(cases(200'000)));
}

TYPED_TEST(estimates, of_several_tiles_lie_within_their_bounds) {
    using testing_data::cases;
    auto const length = [](random_bits& random) { return random.between(4'000, 17'000); };
    check_arrays<TypeParam>(2, cases(2'500), length, static_cast<int>(cases(1'000)), static_cast<int>(cases(2'000)));
}

// Bounds that a fraction of their size would not hold: items whose rests all have one sign, and round to one side.
TEST(bounds, of_squares_and_products_of_floats_are_nearly_met) {
    // A square has twice 24 bits, some of them below the quantum: of one significand after the other, some leave a
    // little less than half of it. A small item, whose square would need a second window, makes for an estimate.
    double squares = 0, products = 0;
    for (std::uint64_t fraction = ~std::uint64_t{0}; fraction > ~std::uint64_t{0} - 256; --fraction) {
        std::vector<float> x(4'096, from_fields<float>(false, 127, fraction));
        x[1'000] = 0x1p-20F;
        errors const square = check<wf::folds::power_sums<float, powers::second>>(all_of(x));
        errors const product = check<wf::folds::pair_sums<float, false>>(wf::zip(x, x));
        squares = std::max(squares, square.second / square.second_bound);
        products = std::max(products, product.first / product.first_bound);
    }
    EXPECT_GT(squares, 0.8);
    EXPECT_GT(products, 0.8);
}
TEST(bounds, of_sums_and_products_of_doubles_are_met_within_a_factor_of_ten) {
    // One item places the totals; the others lie below a quantum and are all rest, 53 bits that do not add up exactly.
    double sums = 0, squares = 0, products = 0;
    for (int exponent = 40; exponent < 48; ++exponent) {
        for (std::uint64_t low = 0; low < 256; ++low) {
            std::vector<double> x(2'048, from_fields<double>(false, 1023 - exponent, ~std::uint64_t{255} | low));
            x[1'000] = 1;
            errors const first = check<wf::folds::power_sums<double, powers::first>>(all_of(x));
            std::vector<double> const y(2'048, from_fields<double>(false, 1023, ~std::uint64_t{0}));
            errors const product = check<wf::folds::pair_sums<double, false>>(wf::zip(x, y));
            sums = std::max(sums, first.first / first.first_bound);
            products = std::max(products, product.first / product.first_bound);
            x.assign(2'048, from_fields<double>(false, 1023 - exponent / 2, ~std::uint64_t{255} | low));
            x[1'000] = 1;
            errors const second = check<wf::folds::power_sums<double, powers::second>>(all_of(x));
            squares = std::max(squares, second.second / second.second_bound);
        }
    }
    EXPECT_GT(sums, 0.1);
    EXPECT_GT(products, 0.1);
    EXPECT_GT(squares, 0.1);
}

TYPED_TEST(estimates, of_products_come_within_a_hundredth_of_their_bounds) {
    // One significand over and over: its roundings go one way for a while. Few items, as the bound grows faster than
    // what is left out: 0.014 and 0.017 with the four lanes of AVX2.
    random_bits random{30};
    double most = 0;
    for (int i = 0; i < 4'000; ++i) {
        std::uint64_t const digits = random() >> 12 >> random.between(0, 40);
        std::vector<TypeParam> const x(2'048, from_fields<TypeParam>(false, largest_field<TypeParam> / 2, digits));
        errors const e = check_product(x);
        EXPECT_GT(e.first_bound, 0);
        most = std::max(most, e.first / e.first_bound);
    }
    EXPECT_GT(most, 0.01);
}
TYPED_TEST(estimates, of_products_take_the_least_and_the_largest_that_they_may) {
    // Half an exponent more, and a tile is left to the exact product.
    for (int const exponent : {-128, -127, 0, 128, 129}) {
        if (std::is_same_v<TypeParam, float> && (exponent < -126 || exponent > 127)) continue;
        int const field = largest_field<TypeParam> / 2 + exponent;
        for (std::uint64_t const fraction : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{0x123456789abcdef}}) {
            std::vector<TypeParam> x(8'192, from_fields<TypeParam>(true, field, fraction));
            EXPECT_EQ(check_product(x).first_bound > 0, exponent >= -127 && exponent <= 128) << exponent;
            // The reciprocals bring the product back into the range of results.
            for (std::size_t i = 1; i < x.size(); i += 2) x[i] = from_fields<TypeParam>(false, largest_field<TypeParam> - field, fraction);
            check_product(x);
        }
    }
}

/// Whether estimates decide a result.
template <class Range, class F>
bool decided(Range const& x, F const& fold) {
    auto const in = wf::as_input(x);
    auto const bound = wf::bind<typename wf::input_of<Range>::value_type>(fold);
    return wf::host::estimated_result(bound, in, {}).has_value();
}
template <class T>
bool exact(std::vector<T> const& x, auto const& fold) {
    return bytes_or_error([&] { return wf::reduce(x, fold); }) == bytes_by_steps(x, fold);
}

constexpr auto every_sum =
    wf::together(wf::sum, wf::mean, wf::variance, wf::standard_deviation, wf::norm_l2, wf::argmin);

template <class T>
std::vector<T> normal_items(std::size_t n, std::uint64_t seed) {
    random_bits random{seed};
    std::vector<T> x(n);
    for (T& v : x) v = static_cast<T>(0.7 * testing_data::normal(random));  // full significands
    return x;
}

/// Items and nearly their reciprocals, whose product is a finite one.
template <class T>
std::vector<T> products_near_one(std::size_t n, std::uint64_t seed) {
    auto x = normal_items<T>(n, seed);
    for (std::size_t i = 1; i < n; i += 2) x[i] = 1 / x[i - 1];
    return x;
}

TYPED_TEST(estimates, decide_what_common_items_give) {
    using T = TypeParam;
    for (std::uint64_t seed = 3; seed < 13; ++seed) {
        auto const x = normal_items<T>(20'000, seed), y = normal_items<T>(20'000, seed + 100);
        EXPECT_TRUE(decided(x, every_sum));
        EXPECT_TRUE(exact(x, every_sum));
        EXPECT_TRUE(decided(x, wf::norm_l1));
        EXPECT_TRUE(decided(wf::zip(x, y), wf::dot));
        EXPECT_TRUE(decided(wf::zip(x, x), wf::dot));
        EXPECT_TRUE(decided(wf::zip(x, y), wf::squared_distance));
        EXPECT_TRUE(decided(x, wf::product));
        EXPECT_TRUE(exact(x, wf::product));
        auto const near_one = products_near_one<T>(20'000, seed);
        EXPECT_TRUE(decided(near_one, wf::product));
        EXPECT_TRUE(exact(near_one, wf::product));
    }
}

TEST(estimates, of_sums_see_totals_leave_their_range_where_squares_vanish) {
    // The first items place the totals; the later ones, each of them little larger, move them further together. Squares
    // of either are normal, subnormal or zero.
    random_bits random{31};
    for (int exponent = 400; exponent < 560; ++exponent) {
        std::vector<double> x, y(8'192, 1.0);
        for (int i = 0; i < 4'096; ++i) x.push_back(from_fields<double>(false, exponent - random.between(0, 40), random()));
        for (int i = 0; i < 4'096; ++i) x.push_back(from_fields<double>(false, exponent + 3, random()));
        check<wf::folds::power_sums<double, powers::first>>(all_of(x));
        check<wf::folds::pair_sums<double, false>>(wf::zip(x, y));
    }
}
TEST(estimates, of_products_of_floats_decide_long_sums_that_nearly_cancel) {
    int undecided = 0;
    for (std::uint64_t seed = 20; seed < 30; ++seed) {
        auto const x = normal_items<float>(500'000, seed), y = normal_items<float>(500'000, seed + 100);
        undecided += !decided(wf::zip(x, y), wf::dot);
    }
    EXPECT_LE(undecided, 1);  // every tenth at least where quanta are for the most carries
}

/// A range a multiple of 256 MiB behind another one, or nearly, is read beside blocks of that one.
TYPED_TEST(estimates, of_ranges_256_MiB_apart) {
    using T = TypeParam;
    constexpr std::size_t apart = std::size_t{1} << 28, room = std::size_t{1} << 20;
    void* const pages = ::mmap(nullptr, apart + room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ASSERT_NE(pages, MAP_FAILED);
    std::uint64_t seed = 40;
    for (std::size_t const offset : {0, 1, 100, 2000}) {
        for (std::size_t const n : {1, 64, 1000, 50'000}) {
            auto const x = normal_items<T>(n, seed++), y = normal_items<T>(n, seed++);
            T* const first = static_cast<T*>(pages) + n % 3;
            T* const second = static_cast<T*>(pages) + apart / sizeof(T) + offset;
            std::copy(x.begin(), x.end(), first);
            std::copy(y.begin(), y.end(), second);
            wf::contiguous<T> const a{first, static_cast<wf::index_t>(n)}, b{second, static_cast<wf::index_t>(n)};
            EXPECT_EQ(wf::reduce(wf::zip(a, b), wf::dot), wf::dot(x, y)) << n << " items, " << offset << " further apart";
            EXPECT_EQ(wf::reduce(wf::zip(b, a), wf::squared_distance), wf::squared_distance(x, y)) << n << " items, " << offset << " further apart";
        }
    }
    ::munmap(pages, apart + room);
}

TYPED_TEST(estimates, leave_undecided_what_lies_at_a_rounding_boundary) {
    using T = TypeParam;
    constexpr int digits = std::numeric_limits<T>::digits;
    constexpr int low = std::numeric_limits<T>::min_exponent;
    T const half = static_cast<T>(std::ldexp(1.0, -digits)), tiny = static_cast<T>(std::ldexp(1.0, low)), one = 1;
    random_bits random{4};
    for (T const beside : {T{0}, tiny, static_cast<T>(-tiny)}) {
        // Cancelling items, and 1 + half a unit of its last place, and perhaps a little more or less.
        auto x = normal_items<T>(10'000, 5);
        for (std::size_t i = x.size(); i-- > 0;) x.push_back(-x[i]);
        x.insert(x.end(), {one, half, beside});
        std::shuffle(x.begin(), x.end(), random);
        T const expected = beside > 0 ? one + 2 * half : one;
        EXPECT_FALSE(decided(x, wf::together(wf::sum, wf::variance)));
        EXPECT_EQ(wf::get<0>(wf::reduce(x, wf::together(wf::sum, wf::variance))), expected);
        EXPECT_TRUE(exact(x, every_sum));
        EXPECT_EQ(wf::sum(x), expected);
        // The same sum of products.
        std::vector<T> const ones(x.size(), one);
        EXPECT_FALSE(decided(wf::zip(x, ones), wf::dot));
        EXPECT_EQ(wf::dot(x, ones), expected);
        // Its negative, for which the other direction is up.
        for (T& v : x) v = -v;
        EXPECT_EQ(wf::sum(x), -expected);
        EXPECT_EQ(wf::dot(x, ones), -expected);
    }
}

TYPED_TEST(estimates, leave_undecided_products_half_way_between_two_results) {
    using T = TypeParam;
    constexpr int digits = std::numeric_limits<T>::digits;
    // Two numbers whose product has one bit more than a result; signs and powers of two beside them.
    T const a = static_cast<T>(std::ldexp(1.0, digits / 2)) + 1, b = static_cast<T>(std::ldexp(1.0, digits - digits / 2)) + 1;
    random_bits random{31};
    for (T const last : {T{1}, T{-1}, 1 + std::numeric_limits<T>::epsilon()}) {
        std::vector<T> x(20'000, T{-1});
        for (std::size_t i = 0; i < 4'000; ++i) x[i] = i % 2 == 0 ? T{8} : T{0.125};
        x[7'000] = a;
        x[9'000] = b;
        x[11'000] = last;
        EXPECT_EQ(decided(x, wf::product), std::abs(last) != 1);
        EXPECT_TRUE(exact(x, wf::product));
        std::shuffle(x.begin(), x.end(), random);
        EXPECT_TRUE(exact(x, wf::product));
        EXPECT_TRUE(exact(x, wf::as<double>(wf::product)));
    }
}

TYPED_TEST(estimates, leave_undecided_what_cancels) {
    using T = TypeParam;
    // A sum and mean of zero.
    auto x = normal_items<T>(10'000, 6);
    for (std::size_t i = x.size(); i-- > 0;) x.push_back(-x[i]);
    EXPECT_TRUE(decided(x, wf::variance));
    EXPECT_FALSE(decided(x, every_sum));
    EXPECT_TRUE(exact(x, every_sum));
    EXPECT_EQ(bytes_or_error([&] { return wf::mean(x); }), bytes_or_error([] { return T{0}; }));
    // A variance of zero, of nearly zero, and below what a bound of the squares leaves.
    std::vector<T> close(20'000, static_cast<T>(0.1));
    EXPECT_EQ(decided(close, wf::variance), (std::is_same_v<T, float>)) << "squares of equal floats fit one window";
    EXPECT_EQ(wf::variance(close), 0);
    for (std::size_t i : {0, 7, 19'999}) {
        close[i] = std::nextafter(close[i], T{1});
        EXPECT_TRUE(exact(close, every_sum));
    }
    // A dot product of zero, and one of little more.
    auto y = x;
    for (std::size_t i = 0; i < y.size() / 2; ++i) y[i] = x[y.size() - 1 - i];
    EXPECT_FALSE(decided(wf::zip(x, y), wf::dot) && wf::dot(x, y) == 0);
    std::vector<T> const ones(x.size(), T{1});
    EXPECT_FALSE(decided(wf::zip(x, ones), wf::dot));
    EXPECT_EQ(wf::dot(x, ones), 0);
    x[77] = std::nextafter(x[77], T{9});
    EXPECT_TRUE(exact(x, every_sum));
}

TYPED_TEST(estimates, are_right_at_every_magnitude) {
    using T = TypeParam;
    auto const x = normal_items<T>(4'096, 11), y = normal_items<T>(4'096, 12);
    constexpr int highest = std::numeric_limits<T>::max_exponent, lowest = std::numeric_limits<T>::min_exponent;
    for (int exponent = lowest - 40; exponent <= highest; exponent += highest / 60) {
        auto a = x, b = y;
        for (T& v : a) v = std::ldexp(v, exponent);
        for (T& v : b) v = std::ldexp(v, -exponent);
        EXPECT_TRUE(exact(a, every_sum)) << exponent;
        EXPECT_TRUE(exact(a, wf::variance)) << exponent;
        for (auto const* other : std::initializer_list<std::vector<T> const*>{&x, &y, &a, &b}) {
            std::vector<wf::pair<T, T>> pairs;
            for (std::size_t i = 0; i < a.size(); ++i) pairs.push_back({a[i], (*other)[i]});
            EXPECT_EQ(bytes_or_error([&] { return wf::dot(a, *other); }), bytes_by_steps(pairs, wf::dot)) << exponent;
            EXPECT_EQ(bytes_or_error([&] { return wf::squared_distance(a, *other); }),
                      bytes_by_steps(pairs, wf::squared_distance))
                << exponent;
        }
        // Sums that nearly cancel have errors that are large for them.
        for (std::size_t i = 0; i < a.size(); i += 2) a[i + 1] = -a[i];
        for (int const below : {20, 60, 90}) {
            a[77] = std::ldexp(x[77], exponent - below);
            a[76] = 0;
            EXPECT_TRUE(exact(a, every_sum)) << exponent << ", " << below;
        }
    }
}

TYPED_TEST(estimates, leave_special_items_to_the_exact_sums) {
    using T = TypeParam;
    using limits = std::numeric_limits<T>;
    T const specials[] = {limits::quiet_NaN(), limits::infinity(),  -limits::infinity(),  T{-0.0},
                          limits::max(),       limits::denorm_min(), static_cast<T>(1e30), limits::min()};
    auto const all = wf::together(wf::sum, wf::mean, wf::variance, wf::norm_l2, wf::skip_nan(wf::sum),
                                  wf::skip_nan(wf::variance));
    for (T const special : specials) {
        for (std::size_t const at : {0, 1, 2'047, 2'048, 4'095, 4'096, 10'000, 16'383, 19'999}) {
            auto x = normal_items<T>(20'000, 7);
            auto const y = normal_items<T>(20'000, 8);
            x[at] = special;
            EXPECT_TRUE(exact(x, all)) << special << " at " << at;
            EXPECT_TRUE(exact(x, wf::sum)) << special << " at " << at;
            EXPECT_TRUE(exact(x, wf::norm_l1)) << special << " at " << at;
            EXPECT_TRUE(exact(x, wf::norm_l2)) << special << " at " << at;
            EXPECT_TRUE(exact(x, wf::product)) << special << " at " << at;
            EXPECT_TRUE(exact(x, wf::skip_nan(wf::product))) << special << " at " << at;
            auto near_one = products_near_one<T>(20'000, 9);
            near_one[at] = special;
            EXPECT_TRUE(exact(near_one, wf::product)) << special << " at " << at;
            std::vector<wf::pair<T, T>> pairs;
            for (std::size_t i = 0; i < x.size(); ++i) pairs.push_back({x[i], y[i]});
            EXPECT_EQ(bytes_or_error([&] { return wf::dot(x, y); }), bytes_by_steps(pairs, wf::dot))
                << special << " at " << at;
            x[19'000] = -special;
            EXPECT_TRUE(exact(x, all)) << special << " at " << at;
        }
    }
    for (T const same : {T{-0.0}, limits::max(), limits::denorm_min(), T{3}}) {
        std::vector<T> const x(20'000, same);
        EXPECT_TRUE(exact(x, all)) << same;
        EXPECT_TRUE(exact(x, wf::norm_l1)) << same;
    }
}

/// A fold of a user's own, over the sums of a built-in one, but monotone in none of them.
template <class T>
struct is_odd : wf::folds::power_sums<T, powers::both> {
    bool finish(auto const& s) const { return s.first.limb[0] & 1; }
};

TYPED_TEST(estimates, are_not_asked_where_they_cannot_tell) {
    using T = TypeParam;
    using in = wf::contiguous<T>;
    EXPECT_FALSE((wf::host::estimates<is_odd<T>, in>::value));
    EXPECT_FALSE((wf::host::estimates<wf::bound<decltype(wf::together(wf::variance, is_odd<T>{})), T>, in>::value));
    EXPECT_TRUE((wf::host::estimates<wf::bound<decltype(wf::together(wf::variance, wf::min)), T>, in>::value));
    // Results of double from floats are finer than what is estimated for float ones.
    constexpr bool same = std::is_same_v<T, double>;
    EXPECT_EQ((wf::host::estimates<wf::bound<decltype(wf::as<double>(wf::variance)), T>, in>::value), same);
    // Inputs that are made as they are read are read once.
    EXPECT_FALSE((wf::host::estimates<wf::bound<decltype(wf::variance), T>, wf::strided<T>>::value));
}

}  // namespace
