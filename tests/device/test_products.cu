// Products: the host engine's results, from every engine, where these are nearly others.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "engine.hpp"
#include "expect_same.hpp"
#include "items.hpp"

namespace {

template <class T>
class products : public testing::Test {
  public:
    /// Of results of the items' own kind and of doubles.
    static void check(std::vector<T> const& x, std::vector<int> const& grids, std::string const& what) {
        engine::items<T> const copy{x};
        expect_same(("product, " + what).c_str(), wf::product, copy.span(), engine::host_span(x), 0, grids);
        expect_same(("as double, " + what).c_str(), wf::as<double>(wf::product), copy.span(), engine::host_span(x), 0, grids);
    }
    /// The same items among as many that a mask leaves out.
    static void check_masked(std::vector<T> const& x, std::vector<int> const& grids, std::string const& what) {
        std::vector<T> among(2 * x.size(), items::from_double<T>(1.5));
        std::vector<std::uint8_t> mask(among.size());
        for (std::size_t i = 0; i < x.size(); ++i) among[2 * i + i % 2] = x[i], mask[2 * i + i % 2] = 1;
        engine::items<T> const copy{among};
        engine::items<std::uint8_t> const mask_copy{mask};
        expect_same(("masked, " + what).c_str(), wf::product, wf::masked(copy.span(), mask_copy.span()), engine::host_span(x), 0, grids);
    }
};
using floats = testing::Types<double, float, wf::float16, wf::bfloat16>;
TYPED_TEST_SUITE(products, floats);

/// Products that are ties of their results, or next to one, or at the ends of their range, among items that change
/// little.
TYPED_TEST(products, next_to_ties) {
    using T = TypeParam;
    constexpr int bits = wf::float_format<T>::significand_bits, low = wf::exponent_range<T>::low;
    auto const exact = [](double x) { return items::from_double<T>(x); };
    // Factors whose product has as many bits, the last of them set.
    auto const of_bits = [&](int count) {
        std::vector<T> factors;
        for (int left = count - 1; left > 0; left -= std::min(left, bits)) factors.push_back(exact(1 + std::ldexp(1, -std::min(left, bits))));
        return factors;
    };
    T const above = exact(1 + std::ldexp(1, -bits)), below = exact(1 - std::ldexp(1, -bits - 1)), least = exact(std::ldexp(1, low));
    T const small = exact(std::ldexp(1, low + bits)), large = exact(std::ldexp(1, -(low + bits)));
    for (int const count : {25, 54, 128}) {
        std::vector<std::vector<T>> cases(9, of_bits(count));
        cases[1].insert(cases[1].end(), 8, above);
        cases[2].insert(cases[2].end(), 8, below);
        cases[3].insert(cases[3].end(), {exact(-1), small, exact(0.5), exact(0.5)});  // next to what is no longer normal
        cases[4].insert(cases[4].end(), {least, exact(1.5), below});
        cases[5].insert(cases[5].end(), {large, exact(2), exact(-2), exact(0.5)});
        cases[6].insert(cases[6].end(), {large, exact(4), exact(2)});
        cases[7].insert(cases[7].end(), {T{}, least, exact(-1)});
        cases[8].insert(cases[8].end(), {wf::infinity_of<T>, small, exact(-1)});
        if constexpr (sizeof(T) >= 4) {  // times 1 - 2^-60, and 1 - 2^-120
            cases.push_back(of_bits(count));
            for (double const x : {1 + 0x1p-15, 1 - 0x1p-15, 25 * 0x1p-30, 13.0, 41.0, 61.0, 1321.0}) cases.back().push_back(exact(x));
        }
        if constexpr (sizeof(T) == 8) {
            cases.push_back(cases.back());
            for (double const x : {17 * 0x1p-60, 241.0, 61681.0, 4562284561.0}) cases.back().push_back(x);
        }
        if constexpr (sizeof(T) >= 4) {  // what is rounded off on the way depends on the order
            for (int turn = 0; turn < 6; ++turn) {
                cases.push_back(cases.back());
                std::rotate(cases.back().begin(), cases.back().begin() + 2, cases.back().end());
            }
        }
        constexpr std::size_t vector = 16 / sizeof(T), row = 512 * vector;
        for (std::size_t k = 0; k < cases.size(); ++k) {
            // By threads of their own, and by one thread of a block with four rows, or the eight that it takes alone.
            struct {
                std::size_t items, run, stride;
            } const layouts[] = {{200, 1, 7}, {12'001, 1, 719}, {(engine::is_fast ? 8 : 4) * row, vector, row}};
            for (auto const& [n, run, stride] : layouts) {
                std::vector<T> x(n, exact(1));
                for (std::size_t i = 0; i < n; i += 3) x[i] = exact(i % 2 == 0 ? 2 : -0.5);
                for (std::size_t i = 0; i < cases[k].size(); ++i) x[(i / run * stride + i % run) % n] = cases[k][i];
                auto const what = std::to_string(count) + " bits, case " + std::to_string(k) + ", " + std::to_string(n) + " items";
                this->check(x, {0, 1, 7}, what);
                if (n == 12'001) this->check_masked(x, {0, 7}, what);
            }
        }
    }
}

/// Subnormal items and others that make up for them, zeros, infinities and NaN.
TYPED_TEST(products, of_extreme_items) {
    using T = TypeParam;
    constexpr int low = wf::exponent_range<T>::low, high = wf::exponent_range<T>::high;
    T const turns[] = {items::from_double<T>(std::ldexp(5, low)), items::from_double<T>(-std::ldexp(0x1.ap-2, high)),
                       items::from_double<T>(std::ldexp(1 / (5 * 0x1.ap-2), -low - high))};
    T const zero{}, negative_zero = items::from_double<T>(-0.0), infinity = wf::infinity_of<T>, nan = wf::nan_of<T>;
    for (std::size_t const n : {3, 63, 999, engine::is_fast ? 16'383 : 3'999}) {
        std::vector<T> x;
        for (std::size_t i = 0; i < n; ++i) x.push_back(turns[i % 3]);
        for (auto const& special : std::vector<std::vector<T>>{{}, {zero}, {negative_zero}, {infinity}, {nan}, {infinity, zero}, {nan, negative_zero}}) {
            for (std::size_t i = 0; i < special.size(); ++i) x[n - 1 - i] = special[i];
            auto const what = std::to_string(n) + " extreme items, " + std::to_string(special.size()) + " special ones";
            this->check(x, {0, 1, 5}, what);
            engine::items<T> const copy{x};
            expect_same(("without NaN, " + what).c_str(), wf::skip_nan(wf::product), copy.span(), engine::host_span(x), 0, {0, 5});
        }
    }
}

TYPED_TEST(products, of_items_near_1) {
    using T = TypeParam;
    std::mt19937_64 random{5};
    for (std::size_t const n : {1, 2, 33, 1000, 8000, 8195, 16'000, engine::is_fast ? 3'000'001 : 150'001}) {
        std::vector<T> x(n);
        for (T& item : x) item = items::from_double<T>((random() % 2 == 0 ? 1 : -1) * (1 + (static_cast<double>(random() >> 11) * 0x1p-53 - 0.5) / 64));
        this->check(x, {0, 1, 5}, std::to_string(n) + " items");
    }
}

/// Small ones for one thread, large ones for the next, so far from 1 that some have their exponents taken away and some
/// do not.
TYPED_TEST(products, of_items_far_from_1_by_threads) {
    using T = TypeParam;
    constexpr int vector = 16 / int{sizeof(T)}, most = wf::exponent_range<T>::high - 3;
    std::mt19937_64 random{6};
    for (int const binades : {30, 31, 32, 33, 60}) {
        for (std::size_t const n : {4 * vector, 64 * vector, 2000, 4096, engine::is_fast ? 8192 : 4100}) {
            std::vector<T> x(n);
            for (std::size_t i = 0; i < n; ++i) {
                int const exponent = std::min(binades, most) * (i / vector % 2 == 0 ? -1 : 1);
                x[i] = items::from_double<T>(std::ldexp(1 + static_cast<double>(random() >> 11) * 0x1p-53 / 64, exponent));
            }
            auto const what = std::to_string(n) + " items, " + std::to_string(binades) + " binades";
            this->check(x, {0, 1, 5}, what);
            x[n / 2] = items::from_double<T>(std::ldexp(1.5, -most));  // one that is farther
            this->check(x, {0, 1, 5}, "one among " + what);
        }
    }
}

/// As many items for a thread as a variance takes, all just below a power of two.
TYPED_TEST(products, beside_a_variance) {
    using T = TypeParam;
    for (std::size_t const n : {100, 16 * 512 * 16 / int{sizeof(T)}}) {
        std::vector<T> x;
        for (std::size_t i = 0; i < n; ++i) x.push_back(items::from_double<T>((i % 3 == 0 ? -1 : 1) * (i % 2 == 0 ? 1.9921875 : 0.498046875)));
        engine::items<T> const copy{x};
        auto const both = wf::together(wf::product, wf::variance);
        expect_same("product and variance", both, copy.span(), engine::host_span(x), 0, {0, 5});
    }
}

template <class T>
class integer_products : public testing::Test {
  public:
    /// Items whose product is just below 2^64 / divisor, or just above: small ones, and what brings it there.
    static std::vector<T> next_to_a_limit(std::mt19937_64& random, double divisor, bool above) {
        std::vector<T> x;
        double left = 0x1p64 / divisor;
        for (auto const large = static_cast<double>(wf::highest_of<T>); left >= large / 2; left /= static_cast<double>(x.back()))
            x.push_back(static_cast<T>(2 + random() % (sizeof(T) == 1 ? 60 : 1000)));
        x.push_back(static_cast<T>(static_cast<std::int64_t>(left) + above));
        return x;
    }
};
using integers = testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(integer_products, integers);

/// Products next to 2^53, 2^63 and 2^64, and powers of two far beyond, whose low bits are all zero, among 1 and −1; some with
/// a zero.
TYPED_TEST(integer_products, next_to_the_limits) {
    using T = TypeParam;
    std::mt19937_64 random{7};
    auto const two_to = [](int power) {
        std::vector<T> factors;
        for (int left = power; left > 0; left -= std::min(left, 5)) factors.push_back(static_cast<T>(1 << std::min(left, 5)));
        return factors;
    };
    std::vector<std::vector<T>> cases;
    for (int const power : {52, 53, 54, 62, 63, 64, 65, 127, 128, 200, 1100}) cases.push_back(two_to(power));
    cases.push_back(two_to(63));
    cases.back().push_back(T{3});  // 3 · 2^63, whose low bits are those of 2^63
    // 2^53 - 2, - 1, + 1, + 2 and + 8, where doubles begin to be rounded.
    for (std::vector<std::int64_t> const& factors : {std::vector<std::int64_t>{2, 3, 5, 53, 157, 1613, 2731, 8191}, {6361, 69431, 20394401},
                                                     {3, 107, 28059810762433}, {2, 17, 858001, 308761441}, {8, 125, 41, 101, 8101, 268501}}) {
        auto const fits = [](std::int64_t x) { return x == static_cast<std::int64_t>(static_cast<T>(x)); };
        if (std::all_of(factors.begin(), factors.end(), fits)) cases.emplace_back(factors.begin(), factors.end());
    }
    for (double const divisor : {0.667, 0.8, 1.0, 1.33, 1.99, 2.0, 2.01})
        for (int turn = 0; turn < 6; ++turn) cases.push_back(this->next_to_a_limit(random, divisor, turn % 2 == 1));
    for (auto const& factors : cases) {
        for (std::size_t const n : {300, 4'001}) {
            std::vector<T> x(n, T{1});
            for (std::size_t i = 0; i < factors.size(); ++i) x[i * 719 % n] = factors[i];
            auto const check = [&](char const* what) {
                engine::items<T> const copy{x};
                expect_same(what, wf::product, copy.span(), engine::host_span(x), static_cast<int>(factors.size()), {0, 7});
            };
            check("product");
            if (std::is_signed_v<T>) {
                x[1] = static_cast<T>(-1);
                check("negative product");
            }
            x[n / 2] = T{};
            check("product with a zero");
        }
    }
}

}  // namespace
