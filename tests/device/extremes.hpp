// Extremes and their places, of each item type, as blocks find them. Part of test_matrix.cu, which compiles most of
// these folds anyway.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "engine.hpp"
#include "items.hpp"

namespace {

/// Blocks find extremes by a word that each raises in its turn: none, one or all of them more than it was, with NaN in
/// none, some or all.
template <class List>
void expect_extremes(List const& x, char const* what) {
    using T = typename List::value_type;
    engine::items<T> const copy{x};
    auto const host_in = engine::host_span(x);
    for (int const blocks : {2, 3, 40, 300}) {
        auto const check = [&](auto const& f) {
            auto const got = engine::reduce(copy.span(), f, blocks), wanted = engine::defined(f, host_in);
            EXPECT_EQ(got.state, wanted.state) << what << ", " << blocks << " blocks";
            EXPECT_TRUE(wanted.state != wf::status::ok || engine::same(got.value, wanted.value)) << what << ", " << blocks << " blocks";
        };
        check(wf::minmax);
        if constexpr (engine::all_folds) {
            check(wf::min);
            check(wf::max);
        }
        if constexpr (wf::is_float<T>) check(wf::skip_nan(wf::minmax));
        if constexpr (wf::is_float<T> && engine::all_folds) check(wf::skip_nan(wf::min));
    }
}

/// Places of extremes, which blocks of up to 32 rows find by a shortcut.
template <class List>
void expect_places(List const& x, int offset, char const* what) {
    using T = typename List::value_type;
    auto const count = static_cast<wf::index_t>(x.size()) - offset;
    engine::items<T> const copy{x};
    engine::span<T> const in(copy.data() + offset, count);
    wf::contiguous<T> const host_in{x.data() + offset, count};
    for (int const blocks : {1, 2}) {
        auto const check = [&](auto const& f) {
            EXPECT_TRUE(engine::same(engine::reduce(in, f, blocks).value, engine::defined(f, host_in).value))
                << what << ", " << count << " items from " << offset << " on, " << blocks << " blocks";
        };
        check(wf::argminmax);
        if constexpr (engine::all_folds) {
            check(wf::argmin);
            check(wf::argmax);
        }
        if constexpr (wf::is_float<T> && engine::all_folds) check(wf::skip_nan(wf::argmin));
    }
}

template <class T>
class extremes : public testing::Test {};
TYPED_TEST_SUITE(extremes, testing::Types<WARPFOLD_TEST_TYPES>);

TYPED_TEST(extremes, of_blocks) {
    using T = TypeParam;
    std::size_t const n = 30000;
    expect_extremes(items::make<T>(n, items::kind::bit_patterns, 4), "bit patterns");
    expect_extremes(items::list<T>(n, items::highest<T>()), "the highest alone");
    expect_extremes(items::list<T>(n, items::lowest<T>()), "the lowest alone");
    items::list<T> rising;
    for (std::size_t i = 0; i < n; ++i) rising.push_back(items::from_double<T>(static_cast<double>(i / 300) - (wf::is_float<T> ? 50 : 0)));
    expect_extremes(rising, "rising");
    std::reverse(rising.begin(), rising.end());
    expect_extremes(rising, "falling");
    if constexpr (wf::is_float<T>) {
        T const nan = items::nan<T>(), infinity = items::highest<T>();
        rising[777] = nan;
        expect_extremes(rising, "falling, and a NaN");
        auto const x = items::make<T>(n, items::kind::normal, 5);
        expect_extremes(x, "normal");
        expect_extremes(items::list<T>(n, items::negative(T{})), "-0 alone");
        for (std::size_t const from : {0, 12000, 29990}) {
            auto y = x;
            y[from] = nan;
            expect_extremes(y, "one NaN");
            for (std::size_t i = from; i < n; ++i) y[i] = i % 2 ? nan : items::negative(nan);
            expect_extremes(y, "NaN from one place on");
            for (std::size_t i = 0; i < from; ++i) y[i] = i % 2 ? infinity : items::negative(infinity);
            expect_extremes(y, "infinities before them");
        }
    }
}

TYPED_TEST(extremes, places_in_blocks_of_many_rows) {
    using T = TypeParam;
    for (std::size_t const n : {9 * 2048, 32 * 2048 - 5, 33 * 2048 + 1}) {
        for (int const offset : {0, 3}) {
            auto x = items::make<T>(n, wf::is_float<T> ? items::kind::normal : items::kind::bit_patterns, 3);
            expect_places(x, offset, "random");
            expect_places(items::list<T>(n, items::highest<T>()), offset, "the highest alone");
            for (std::size_t const at : {std::size_t{3}, std::size_t{2050}, n / 2, n - 1}) {
                auto y = x;
                y[at] = y[at / 2 + 3] = items::highest<T>();
                y[n - 1 - at / 3] = y[n - 2] = items::lowest<T>();
                expect_places(y, offset, "ties");
                if constexpr (wf::is_float<T>) {
                    y = x;
                    y[at] = items::nan<T>();
                    expect_places(y, offset, "one NaN");
                    for (std::size_t i = at; i < n; i += 700) y[i] = items::nan<T>();
                    expect_places(y, offset, "NaN from one place on");
                }
            }
            if constexpr (wf::is_float<T>) {
                for (std::size_t i = 0; i < n; ++i)
                    if (!(static_cast<float>(x[i]) > 0)) x[i] = i % 3 == 0 ? T{} : items::negative(T{});
                expect_places(x, offset, "zeros of both signs as the least");
                for (T& v : x) v = items::negative(v);
                expect_places(x, offset, "and as the greatest");
            }
        }
    }
}

}  // namespace
