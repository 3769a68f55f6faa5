// What one block takes by a shortcut, of each item type, and what it must not decide that way. Part of test_matrix.cu,
// which compiles most of these folds anyway.
#pragma once

#include <gtest/gtest.h>

#include <random>

#include "engine.hpp"
#include "items.hpp"

namespace {

/// A fold of one's own from a gather of the library's.
struct root_mean_square : wf::folds::power_sums<float, wf::folds::powers::second> {
    template <class State>
    WARPFOLD_HD float finish(State const& s) const {
        return static_cast<float>(sqrt(wf::exact::round<double>(s.second) / static_cast<double>(s.items)));
    }
};

/// Compares every fold of x without its first `offset` items with what it is defined as.
template <class List>
void expect_defined(List const& x, int offset, char const* what) {
    using T = typename List::value_type;
    auto const count = static_cast<wf::index_t>(x.size()) - offset;
    engine::items<T> const copy{x};
    engine::span<T> const in(copy.data() + offset, count);
    wf::contiguous<T> const host_in{x.data() + offset, count};
    auto const check_of = [&](char const* name, auto const& f, auto const& items, auto const& host_items) {
        auto const got = engine::reduce(items, f), wanted = engine::defined(f, host_items);
        EXPECT_EQ(got.state, wanted.state) << name << " of " << count << " items from " << offset << ", " << what;
        EXPECT_TRUE(wanted.state != wf::status::ok || engine::same(got.value, wanted.value)) << name << " of " << count << " items from " << offset << ", " << what;
    };
    auto const check = [&](char const* name, auto const& f) { check_of(name, f, in, host_in); };
    check("sum", wf::sum);
    check("norm_l1", wf::norm_l1);
    check("norm_l2", wf::norm_l2);
    check("variance", wf::variance);
    check("minmax", wf::minmax);
    check("argminmax", wf::argminmax);
    if constexpr (engine::all_folds) {
        check("mean", wf::mean);
        check("standard deviation", wf::standard_deviation.ddof(1));
        check("min", wf::min);
        check("max", wf::max);
        check("argmin", wf::argmin);
        check("argmax", wf::argmax);
        check("as double", wf::as<double>(wf::sum));
        check("together", wf::together(wf::mean, wf::variance, wf::max));
        check("together, with positions", wf::together(wf::min, wf::argmin, wf::max, wf::argmax));
    }
    if constexpr (std::is_same_v<T, float>) check("root mean square", root_mean_square{});
    if constexpr (wf::is_float<T>) {
        std::vector<T> const y{x.rbegin(), x.rend()};
        engine::items<T> const reversed{y};
        auto const pairs = wf::zip(in, engine::span<T>(reversed.data(), count));
        auto const host_pairs = wf::zip(host_in, wf::contiguous<T>{y.data(), count});
        check_of("dot", wf::dot, pairs, host_pairs);
        check_of("squared distance", wf::squared_distance, pairs, host_pairs);
        check_of("dot as double", wf::as<double>(wf::dot), pairs, host_pairs);
        if constexpr (engine::all_folds) check_of("dot and distance together", wf::together(wf::dot, wf::squared_distance), pairs, host_pairs);
    }
}

/// Inputs whose answers hang on a bit, do not fit, or lie at an end of what T holds.
template <class T>
std::vector<items::list<T>> edge_cases() {
    return {items::list<T>(9, items::highest<T>()), items::list<T>(9, items::lowest<T>()),
            items::list<T>(100, static_cast<T>(5))};
}
template <class T>
    requires wf::is_float<T>
std::vector<std::vector<T>> edge_cases() {
    T const infinity = items::highest<T>(), minus_infinity = items::lowest<T>(), nan = items::nan<T>();
    T const least = items::from_bits<T>(1), most = items::from_bits<T>(wf::infinity_bits<T> - 1);
    T const zero{}, one = items::from_double<T>(1), two = items::from_double<T>(2), minus_zero = items::negative(zero), minus_one = items::negative(one);
    std::vector<std::vector<T>> cases{{one, minus_one}, {zero}, {minus_zero, minus_zero}, {zero, minus_zero, one}, {minus_zero, zero, minus_one},
                                      {least, least}, {least, items::from_bits<T>(2)}, {most, most}, {most, items::negative(most), one}, {infinity, one},
                                      {infinity, minus_infinity}, {minus_infinity, two}, {nan, one}, {two, nan}, std::vector<T>(100, items::from_double<T>(0.1))};
    // Far from zero; and 2^p + 1, halfway between two items: what a double has no room for decides.
    auto const far = sizeof(T) == 2 ? 1e3 : 1e7, half = std::ldexp(1.0, wf::float_format<T>::significand_bits + 1);
    cases.emplace_back();
    for (int i = 0; i < 3000; ++i) cases.back().push_back(items::from_double<T>(far + i % 7));
    for (double const base : {half, half + 2}) {
        for (T const bit : {zero, items::from_double<T>(0x1p-40), items::from_double<T>(-0x1p-40), least}) {
            cases.push_back({items::from_double<T>(base), one, bit});
            for (int i = 0; i < 1000; ++i) {
                cases.back().push_back(items::from_double<T>(i));
                cases.back().push_back(items::from_double<T>(-i));
            }
        }
    }
    if constexpr (std::is_same_v<T, double>) {
        cases.insert(cases.end(), {{0x1p10, 0x1p10 + 0x1p-42, 0x1p-103, 0},  // halfway but for a bit that two doubles miss
                                   {0x1p-540, 0x1p-541}, {0x1p-500, 0x1p-480, 0x1p-1074}, {0x1p520, 3}, {0x1p1023, 0x1p1023, -0x1p1023}, {0x1p600, -0x1p600, 1},
                                   {1, 0x1p-53, 0x1p-106}, {1, 0x1p-53, -0x1p-106}, {1, 0x1p-53}, {1e300, -1e300}, {0x1p26 + 0x1p-26, 0x1p-27}});
    }
    return cases;
}

/// Doubles among which windows lie where most are; others are set aside, or windows move to them.
inline std::vector<std::vector<double>> doubles_of_mixed_magnitudes() {
    auto const normal = items::make<double>(9000, items::kind::normal, 5);
    std::vector<std::vector<double>> cases;
    auto const add = [&](auto const& scale) {
        cases.push_back(normal);
        for (std::size_t i = 0; i < normal.size(); ++i) cases.back()[i] *= scale(i);
    };
    add([](std::size_t) { return 1e-12; });
    add([](std::size_t) { return 1e-300; });
    add([](std::size_t) { return 0x1p-1060; });
    add([](std::size_t i) { return i % 100 == 7 ? 1e-15 : 1; });
    add([](std::size_t i) { return i % 100 == 7 ? 1e-200 : 1; });
    add([](std::size_t i) { return i % 100 == 7 ? 0x1p-1070 : 1; });
    add([](std::size_t i) { return i % 3 == 0 ? 1 : 0; });
    add([](std::size_t i) { return i / 3000 == 1 ? 1e10 : 1e-10; });
    add([](std::size_t i) { return i < 4000 ? 1e30 : 1e-30; });
    return cases;
}

/// n float16 whose sum a double holds and whose mean is halfway between two floats, but for an n-th of `bit`. For 813 of
/// the n from 14337 to 16383 the double nearest to 1/n times that sum rounds to the wrong one.
inline std::vector<wf::float16> near_halfway_mean(int n, double bit) {
    std::vector<double> x(static_cast<std::size_t>(n - 56), 31008);
    x.insert(x.end(), 52, 32768);
    x.insert(x.end(), {32512, 16, (n - 16384) * 0x1p-10, bit});
    std::vector<wf::float16> all;
    for (double const v : x) all.push_back(items::from_double<wf::float16>(v));
    return all;
}

/// Items of one sign, alone and beside a NaN of either sign: floats are compared by their bits, in which the sign turns
/// the order round.
template <class T>
void expect_of_one_sign(std::size_t n) {
    for (bool const negative : {false, true}) {
        char const* const what = negative ? "negative" : "positive";
        auto x = items::make<T>(n, items::kind::uniform, 7);
        if (negative)
            for (T& v : x) v = items::negative(v);
        expect_defined(x, 0, what);
        for (T const nan : {items::nan<T>(), items::negative(items::nan<T>())}) {
            x[n / 2] = nan;
            expect_defined(x, 0, what);
        }
    }
}

template <class T>
class few_items : public testing::Test {};
TYPED_TEST_SUITE(few_items, testing::Types<WARPFOLD_TEST_TYPES>);

TYPED_TEST(few_items, of_any_count_and_alignment) {
    std::mt19937 random{3};
    for (int i = 0; i < engine::few_cases; ++i) {
        auto const n = 1 + random() % (i % 2 ? 8300 : 70);
        auto const offset = static_cast<int>(random() % (n < 8 ? n : 8));
        auto const seed = static_cast<unsigned>(i);
        expect_defined(items::make<TypeParam>(n, items::kind::normal, seed), offset, "normal");
        expect_defined(items::make<TypeParam>(n, items::kind::mixed_scales, seed), offset, "of many scales");
    }
}
/// One item that is looked for, first, last or anywhere, and none.
TYPED_TEST(few_items, finds_one_among_others) {
    auto const other = [](double x) { return items::from_double<TypeParam>(x); };
    for (std::size_t const n : {1, 5, 300, 4096, 20011}) {
        for (int const offset : {0, 1}) {
            for (bool const zero : {false, true}) {
                items::list<TypeParam> x(n + 1, other(zero ? 1 : 0));
                auto const found = [&] {
                    engine::items<TypeParam> const copy{x};
                    engine::span<TypeParam> const in(copy.data() + offset, static_cast<wf::index_t>(n));
                    return zero ? !engine::reduce(in, wf::all).value : engine::reduce(in, wf::any).value;
                };
                EXPECT_FALSE(found()) << n;
                for (std::size_t const at : {std::size_t{0}, n / 3, n - 1}) {
                    x[at + static_cast<std::size_t>(offset)] = other(zero ? 0 : 1);
                    EXPECT_TRUE(found()) << at << " of " << n << " from " << offset;
                    x[at + static_cast<std::size_t>(offset)] = other(zero ? 1 : 0);
                }
            }
        }
    }
}
/// Of as many items as fill rows of a warp, of a few warps and of all of a block, of one less and of one more.
TYPED_TEST(few_items, of_whole_warps) {
    std::size_t const row = 32 * 16 / sizeof(TypeParam);
    for (std::size_t const rows : {1, 2, 4, 8, 28, 32, 60, 64})
        for (std::size_t const n : {rows * row - 1, rows * row, rows * row + 1})
            for (int const offset : {0, 1}) expect_defined(items::make<TypeParam>(n, items::kind::normal, 2), offset, "normal");
}
/// Of more rows than it asks for at once, and of just more than it takes.
TYPED_TEST(few_items, of_more_rows) {
    for (std::size_t const n : {8203, 16379, 16391, 32761})
        expect_defined(items::make<TypeParam>(n, items::kind::normal, 1), static_cast<int>(n % 8), "normal");
    // As great as they may be, so are their sums; variances say whether those are exact.
    for (unsigned seed = 0; seed < 6; ++seed) {
        items::list<TypeParam> x;
        for (double const v : items::make<double>(16379, items::kind::uniform, seed)) x.push_back(items::from_double<TypeParam>(2 - 0x1p-4 * v));
        expect_defined(x, 0, "near two");
    }
    if constexpr (std::is_same_v<TypeParam, wf::float16>)
        for (int const n : {16373, 16375})
            for (double const bit : {0.0, 0x1p-24, -0x1p-24}) expect_defined(near_halfway_mean(n, bit), 0, "near halfway");
}
TYPED_TEST(few_items, at_an_edge) {
    for (auto const& x : edge_cases<TypeParam>()) expect_defined(x, 0, "an edge");
    if constexpr (std::is_same_v<TypeParam, double>)
        for (auto const& x : doubles_of_mixed_magnitudes()) expect_defined(x, 1, "mixed magnitudes");
    if constexpr (wf::is_float<TypeParam>)
        for (std::size_t const n : {1, 5, 300, 5000, 20011}) expect_of_one_sign<TypeParam>(n);
}

}  // namespace
