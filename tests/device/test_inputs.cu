// Users' folds, order, masks, maps, truth values: the same from every engine.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "engine.hpp"
#include "items.hpp"

namespace {

/// Composition of affine maps: associative, not commutative.
struct composed {
    static constexpr bool commutative = false;
    struct state {
        std::uint64_t factor, offset;
    };
    WARPFOLD_HD state identity() const { return {1, 0}; }
    WARPFOLD_HD void step(state& s, std::uint32_t x, wf::index_t) const { merge(s, {2 * std::uint64_t{x} + 1, x}); }
    WARPFOLD_HD void merge(state& s, state const& later) const {
        s = {s.factor * later.factor, s.offset * later.factor + later.offset};
    }
    WARPFOLD_HD std::uint64_t finish(state const& s) const { return s.offset; }
};
struct positive {
    WARPFOLD_HD bool operator()(float x) const { return x > 0; }
};
struct half_of {
    WARPFOLD_HD double operator()(float x) const { return 0.5 * x; }
};
struct third_of {
    WARPFOLD_HD float operator()(std::int8_t x) const { return static_cast<float>(x) / 3; }
};

TEST(user_folds, keep_the_order_of_items) {
    for (std::size_t const n : {0, 1, 3, 1000, 8192, 123457}) {
        auto const x = items::make<std::uint32_t>(n + 1, items::kind::bit_patterns, 5);
        engine::items<std::uint32_t> const copy{x};
        for (int const offset : {0, 1}) {
            auto const count = static_cast<wf::index_t>(n);
            auto const wanted = engine::defined(composed{}, wf::contiguous<std::uint32_t>{x.data() + offset, count}).value;
            for (int const blocks : {0, 1, 3, 100})
                EXPECT_EQ(engine::reduce(engine::span<std::uint32_t>(copy.data() + offset, count), composed{}, blocks).value, wanted);
        }
    }
}

/// A fold of one's own from a gather of the library's.
struct root_mean_square : wf::folds::power_sums<float, wf::folds::powers::second> {
    template <class State>
    WARPFOLD_HD float finish(State const& s) const {
        return static_cast<float>(sqrt(wf::exact::round<double>(s.second) / static_cast<double>(s.items)));
    }
};

template <class T>
void expect_defined(std::vector<T> const& x, int offset, char const* what) {
    auto const count = static_cast<wf::index_t>(x.size()) - offset;
    engine::items<T> const copy{x};
    engine::span<T> const in(copy.data() + offset, count);
    wf::contiguous<T> const host_in{x.data() + offset, count};
    auto const check_of = [&](char const* name, auto const& f, auto const& items, auto const& host_items) {
        auto const got = engine::reduce(items, f).value, wanted = engine::defined(f, host_items).value;
        EXPECT_TRUE(engine::same(got, wanted)) << name << " of " << count << " items from " << offset << ", " << what;
    };
    auto const check = [&](char const* name, auto const& f) { check_of(name, f, in, host_in); };
    check("sum", wf::sum);
    check("mean", wf::mean);
    check("norm_l1", wf::norm_l1);
    check("norm_l2", wf::norm_l2);
    check("variance", wf::variance);
    check("standard deviation", wf::standard_deviation.ddof(1));
    check("min", wf::min);
    check("max", wf::max);
    check("minmax", wf::minmax);
    check("argmin", wf::argmin);
    check("argmax", wf::argmax);
    check("argminmax", wf::argminmax);
    check("as double", wf::as<double>(wf::sum));
    check("together", wf::together(wf::mean, wf::variance, wf::max));
    check("together, with positions", wf::together(wf::min, wf::argmin, wf::max, wf::argmax));
    if constexpr (std::is_same_v<T, float>) check("root mean square", root_mean_square{});
    if constexpr (wf::is_float<T>) {
        std::vector<T> const y{x.rbegin(), x.rend()};
        engine::items<T> const reversed{y};
        auto const pairs = wf::zip(in, engine::span<T>(reversed.data(), count));
        auto const host_pairs = wf::zip(host_in, wf::contiguous<T>{y.data(), count});
        check_of("dot", wf::dot, pairs, host_pairs);
        check_of("squared distance", wf::squared_distance, pairs, host_pairs);
        check_of("dot as double", wf::as<double>(wf::dot), pairs, host_pairs);
        check_of("dot and distance together", wf::together(wf::dot, wf::squared_distance), pairs, host_pairs);
    }
}

/// What one block takes by a shortcut, and what it must not decide that way.
TEST(few_items, of_any_count_and_alignment) {
    std::mt19937 random{3};
    for (int i = 0; i < engine::few_cases; ++i) {
        auto const n = 1 + random() % (i % 2 ? 8300 : 70);
        auto const offset = static_cast<int>(random() % (n < 8 ? n : 8));
        expect_defined(items::make<float>(n, items::kind::normal, i), offset, "normal");
        expect_defined(items::make<double>(n, items::kind::normal, i), offset, "normal double");
        expect_defined(items::make<double>(n, items::kind::mixed_scales, i), offset, "double of many scales");
        expect_defined(items::make<wf::float16>(n, items::kind::normal, i), offset, "normal float16");
        expect_defined(items::make<std::int32_t>(n, items::kind::bit_patterns, i), offset, "int32");
    }
}
/// Of more rows than it asks for at once, and of just more than it takes.
TEST(few_items, of_more_rows) {
    for (std::size_t const n : {8203, 16379, 16391, 32761}) {
        auto const offset = static_cast<int>(n % 8);
        expect_defined(items::make<float>(n, items::kind::normal, 1), offset, "normal");
        expect_defined(items::make<double>(n, items::kind::normal, 2), offset, "normal double");
        expect_defined(items::make<wf::float16>(n, items::kind::normal, 3), offset, "normal float16");
    }
    // As great as they may be, so are their sums; variances say whether those are exact.
    for (int seed = 0; seed < 6; ++seed) {
        auto x = items::make<double>(16379, items::kind::uniform, seed);
        for (double& v : x) v = 2 - 0x1p-4 * v;
        expect_defined(x, 0, "double near two");
    }
}
template <class T>
void expect_of_one_sign(std::size_t n) {
    using bits = typename wf::float_format<T>::bits;
    constexpr auto plus = bits{0}, minus = static_cast<bits>(bits{1} << (8 * sizeof(T) - 1));
    for (bits const sign : {plus, minus}) {
        char const* const what = sign == plus ? "positive" : "negative";
        auto x = items::make<T>(n, items::kind::uniform, 7);
        for (T& v : x) v = wf::bits_as<T>(static_cast<bits>(wf::bits_as<bits>(v) | sign));
        expect_defined(x, 0, what);
        for (bits const sign_of_nan : {plus, minus}) {
            x[n / 2] = wf::bits_as<T>(static_cast<bits>((wf::infinity_bits<T> + 1) | sign_of_nan));
            expect_defined(x, 0, what);
        }
    }
}
/// Floats are compared by their bits, in which the sign turns the order round.
TEST(few_items, of_one_sign) {
    for (std::size_t const n : {1, 5, 300, 5000, 20011}) {
        expect_of_one_sign<float>(n);
        expect_of_one_sign<wf::float16>(n);
        expect_of_one_sign<wf::bfloat16>(n);
    }
}
TEST(few_items, that_nearly_tie) {
    // 2^24 + 1 lies halfway between two floats; what a double has no room for decides.
    for (float const base : {0x1p24F, 0x1p24F + 2}) {
        for (float const bit : {0.0F, 0x1p-40F, -0x1p-40F, 0x1p-140F}) {
            std::vector<float> x{base, 1, bit};
            for (int i = 0; i < 1000; ++i) {
                x.push_back(static_cast<float>(i));
                x.push_back(static_cast<float>(-i));
            }
            expect_defined(x, 0, "halfway");
        }
    }
}
TEST(few_items, that_cancel_or_are_extreme) {
    float const infinity = wf::infinity_of<float>, nan = wf::nan_of<float>;
    std::vector<float> offset;
    for (int i = 0; i < 3000; ++i) offset.push_back(1e7F + static_cast<float>(i % 7));
    for (auto const& x : {std::vector<float>{1, -1}, {0.0F}, {-0.0F, -0.0F}, {0.0F, -0.0F, 1}, {-0.0F, 0.0F, -1}, {5, 5, 5}, {0x1p-149F, 0x1p-149F},
                          {0x1p-149F, -0x1p-148F}, {0x1.fffffep127F, 0x1.fffffep127F}, {0x1.fffffep127F, -0x1.fffffep127F, 1}, {infinity, 1},
                          {infinity, -infinity}, {-infinity, 3}, {nan, 1}, {2, nan}, offset})
        expect_defined(x, 0, "extreme");
    std::vector<double> ties{0x1p53, 1, 0x1p-60};
    for (int i = 0; i < 100; ++i) ties.push_back(i - 49.5);
    expect_defined(ties, 0, "double, nearly a tie");
    expect_defined(std::vector<double>{0x1p10, 0x1p10 + 0x1p-42, 0x1p-103, 0}, 0, "double, halfway but for a bit that two doubles miss");
    expect_defined(std::vector<double>(offset.begin(), offset.end()), 0, "double, far from zero");
    expect_defined(std::vector<double>(100, 0.1), 0, "double, equal");
    for (auto const& x : {std::vector<double>{0x1p-540, 0x1p-541}, {0x1p-500, 0x1p-480, 0x1p-1074}, {0x1p-1074, 0x1p-1074}, {0x1p520, 3}, {0x1p1023, 0x1p1023},
                          {0x1p1023, 0x1p1023, -0x1p1023}, {0x1p600, -0x1p600, 1}, {1, 0x1p-53, 0x1p-106}, {1, 0x1p-53, -0x1p-106}, {1, 0x1p-53}, {-0.0, -0.0},
                          {1e300, -1e300}, {double(infinity), 1}, {double(nan), 1}, {0x1p26 + 0x1p-26, 0x1p-27}})
        expect_defined(x, 0, "extreme double");
    for (auto const& x : {std::vector<std::int32_t>(9, wf::highest_of<std::int32_t>), std::vector<std::int32_t>(9, wf::lowest_of<std::int32_t>)})
        expect_defined(x, 0, "extreme int32");
}

/// What several blocks take by a shortcut, up to 17 or 65 items a thread, at the edges of its windows and beyond them.
TEST(some_blocks, that_take_few_items_each) {
    float const most = 0x1.fffffep22F, least = 0x1.000002p-45F, half = 0x1p-22F, infinity = wf::infinity_of<float>;
    struct {
        char const* what;
        std::vector<float> repeated, first;
    } const cases[] = {{"normal", {1.5F, -0.7F}, {}}, {"all as large as may be", {most}, {}}, {"and negative", {-most}, {}}, {"large and small", {most, least}, {}},
                       {"all small", {least, -0x1.8p-44F}, {}}, {"one too large", {1, 2}, {-0x1p23F}}, {"one too small", {1, 2}, {0x1.fffffep-46F}},
                       {"subnormal", {0x1p-149F, 0x1p-130F}, {}}, {"half a unit for each vector", {half, 0, 0, 0}, {}}, {"and negative", {-half, 0, 0, 0}, {}},
                       {"three halves", {0, 0, 3 * half, 0}, {}}, {"26 binades apart", {0x1p20F, 0x1.000002p-6F, -0x1p20F, 0}, {}},
                       {"but for one bit", {0x1p20F, 0x1.fffffep-7F, -0x1p20F, 0}, {}}, {"too far apart", {most, 0x1.000002p-10F, -most, 0}, {}}, {"halfway", {0}, {0x1p22F, 0x1p22F, 0x1p22F, 0x1p22F, 1}},
                       {"above halfway", {0}, {0x1p22F, 0x1p22F, 0x1p22F, 0x1p22F, 1, 0x1p-45F}}, {"below", {0}, {0x1p22F, 0x1p22F, 0x1p22F, 0x1p22F, 1, -0x1p-45F}},
                       {"far below", {0}, {0x1p22F, 0x1p22F, 0x1p22F, 0x1p22F, 1, -0x1p-149F}}, {"cancelled but for little", {most, -most}, {0x1p-2F}},
                       {"all -0", {-0.0F}, {}}, {"one 0", {-0.0F}, {0.0F}}, {"-0 and what cancels", {-0.0F, -1, -0.0F, 1}, {}}, {"infinite", {1, 2}, {infinity}},
                       {"NaN", {1, 2}, {wf::nan_of<float>}}, {"opposite infinities", {1, 2}, {-infinity, infinity}}};
    for (auto const& c : cases) {
        for (int const offset : {0, 1, 3}) {
            for (int const rows : {8, 32}) {
                auto const n = static_cast<wf::index_t>(rows * 2048 - 4);
                std::vector<float> x;
                for (wf::index_t i = 0; i < n + offset; ++i) x.push_back(c.repeated[static_cast<std::size_t>(i) % c.repeated.size()]);
                for (std::size_t i = 0; i < c.first.size(); ++i) x[static_cast<std::size_t>(offset) + 5 + 3000 * i % static_cast<std::size_t>(n - 9)] = c.first[i];
                engine::items<float> const copy{x};
                engine::span<float> const in(copy.data() + offset, n);
                wf::contiguous<float> const host_in{x.data() + offset, n};
                for (int const blocks : {2, 3, 5}) {
                    auto const check = [&](auto const& f) {
                        EXPECT_TRUE(engine::same(engine::reduce(in, f, blocks).value, engine::defined(f, host_in).value))
                            << c.what << ", " << rows << " rows, from " << offset << " on, " << blocks << " blocks";
                    };
                    check(wf::sum);
                    check(wf::norm_l1);
                    check(wf::min);
                    check(wf::argmax);
                }
            }
        }
    }
}

/// Blocks find extremes by a word that each raises in its turn: none, one or all of them more than it was, with NaN in none, some or all.
template <class T>
void expect_extremes(std::vector<T> const& x, char const* what) {
    engine::items<T> const copy{x};
    auto const host_in = engine::host_span(x);
    for (int const blocks : {2, 3, 40, 300}) {
        auto const check = [&](auto const& f) {
            auto const got = engine::reduce(copy.span(), f, blocks), wanted = engine::defined(f, host_in);
            EXPECT_EQ(got.state, wanted.state) << what << ", " << blocks << " blocks";
            EXPECT_TRUE(wanted.state != wf::status::ok || engine::same(got.value, wanted.value)) << what << ", " << blocks << " blocks";
        };
        check(wf::min);
        check(wf::max);
        check(wf::minmax);
        check(wf::skip_nan(wf::min));
        check(wf::skip_nan(wf::minmax));
    }
}
template <class T>
void expect_extremes_of() {
    auto const x = items::make<T>(30000, items::kind::bit_patterns, 4);
    expect_extremes(x, "bit patterns");
    expect_extremes(std::vector<T>(30000, wf::highest_of<T>), "the highest alone");
    expect_extremes(std::vector<T>(30000, wf::lowest_of<T>), "the lowest alone");
    std::vector<T> rising;
    for (int i = 0; i < 30000; ++i) rising.push_back(static_cast<T>(i / 300));
    expect_extremes(rising, "rising");
    std::reverse(rising.begin(), rising.end());
    expect_extremes(rising, "falling");
}
TEST(extremes, of_blocks) {
    expect_extremes_of<std::int8_t>();
    expect_extremes_of<std::uint16_t>();
    expect_extremes_of<std::int32_t>();
    expect_extremes_of<std::uint32_t>();
    expect_extremes_of<std::int64_t>();
    float const nan = wf::nan_of<float>, infinity = wf::infinity_of<float>;
    auto x = items::make<float>(30000, items::kind::normal, 5);
    expect_extremes(x, "normal");
    for (std::size_t const from : {0, 12000, 29990}) {
        auto y = x;
        y[from] = nan;
        expect_extremes(y, "one NaN");
        for (std::size_t i = from; i < y.size(); ++i) y[i] = i % 2 ? nan : -nan;
        expect_extremes(y, "NaN from one place on");
        for (std::size_t i = 0; i < from; ++i) y[i] = i % 2 ? infinity : -infinity;
        expect_extremes(y, "infinities before them");
    }
    expect_extremes(std::vector<float>(30000, infinity), "infinity alone");
    expect_extremes(std::vector<float>(30000, -0.0F), "-0 alone");
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i / 300) - 50;
    expect_extremes(x, "rising");
    std::vector<wf::float16> h;
    for (float const v : x) h.push_back(items::from_double<wf::float16>(-v));
    expect_extremes(h, "falling float16");
    h[777] = items::from_bits<wf::float16>(0x7e00);
    expect_extremes(h, "and a NaN");
}

/// Where a block cannot take a shortcut and its neighbour can, they still divide the items in one way: at a multiple of 1024.
TEST(some_blocks, of_which_one_takes_no_shortcut) {
    for (int const offset : {0, 1, 3}) {
        wf::index_t const n = 18000;
        std::vector<float> x(static_cast<std::size_t>(n + offset), -1);
        x[static_cast<std::size_t>(offset) + 7] = 0x1p-60F;  // the windows of a shortcut do not hold it
        std::vector<std::int32_t> y(x.size(), wf::highest_of<std::int32_t>);  // the least of all: a shortcut does not know where one is
        for (wf::index_t border = 1024; border < n; border += 1024) {
            for (wf::index_t const least : {border - 4, border - 1, border, border + 3}) {
                auto const i = static_cast<std::size_t>(offset + least);
                x[i] = -9;
                y[i] = 5;
                engine::items<float> const x_copy{x};
                engine::items<std::int32_t> const y_copy{y};
                for (int const blocks : {3, 5}) {
                    EXPECT_EQ(engine::reduce(engine::span<float>(x_copy.data() + offset, n), wf::sum, blocks).value, -7.0F - static_cast<float>(n)) << least;
                    EXPECT_EQ(engine::reduce(engine::span<float>(x_copy.data() + offset, n), wf::argmin, blocks).value, least) << "from " << offset;
                    EXPECT_EQ(engine::reduce(engine::span<std::int32_t>(y_copy.data() + offset, n), wf::argmin, blocks).value, least) << "from " << offset;
                }
                x[i] = -1;
                y[i] = wf::highest_of<std::int32_t>;
            }
        }
    }
}

/// Places of extremes, which blocks of up to 32 rows find by a shortcut.
template <class T>
void expect_places(std::vector<T> const& x, int offset, char const* what) {
    auto const count = static_cast<wf::index_t>(x.size()) - offset;
    engine::items<T> const copy{x};
    engine::span<T> const in(copy.data() + offset, count);
    wf::contiguous<T> const host_in{x.data() + offset, count};
    for (int const blocks : {1, 2}) {
        auto const check = [&](auto const& f) {
            EXPECT_TRUE(engine::same(engine::reduce(in, f, blocks).value, engine::defined(f, host_in).value))
                << what << ", " << count << " items from " << offset << " on, " << blocks << " blocks";
        };
        check(wf::argmin);
        check(wf::argmax);
        check(wf::argminmax);
        check(wf::skip_nan(wf::argmin));
    }
}
TEST(places, in_blocks_of_many_rows) {
    float const nan = wf::nan_of<float>;
    for (std::size_t const n : {9 * 2048, 32 * 2048 - 5, 33 * 2048 + 1}) {
        for (int const offset : {0, 3}) {
            expect_places(items::make<double>(n / 2, items::kind::normal, 1), offset, "normal double");
            expect_places(items::make<std::int8_t>(n, items::kind::bit_patterns, 2), offset, "int8, many ties");
            expect_places(std::vector<std::int32_t>(n, wf::highest_of<std::int32_t>), offset, "equal int32");
            auto x = items::make<float>(n, items::kind::normal, 3);
            expect_places(x, offset, "normal");
            for (std::size_t const at : {std::size_t{3}, std::size_t{2050}, n / 2, n - 1}) {
                auto y = x;
                y[at] = nan;
                expect_places(y, offset, "one NaN");
                for (std::size_t i = at; i < n; i += 700) y[i] = nan;
                expect_places(y, offset, "NaN from one place on");
                y = x;
                y[at] = y[at / 2 + 3] = 99;
                y[n - 1 - at / 3] = y[n - 2] = -99;
                expect_places(y, offset, "ties");
            }
            for (std::size_t i = 0; i < n; ++i) x[i] = x[i] > 0 ? x[i] : i % 3 == 0 ? 0.0F : -0.0F;
            expect_places(x, offset, "zeros of both signs as the least");
            for (float& v : x) v = -v;
            expect_places(x, offset, "and as the greatest");
        }
    }
}

/// Windows lie where most doubles are; others are set aside, or windows move to them.
TEST(doubles, of_mixed_magnitudes) {
    std::size_t const n = 9000;
    auto const normal = items::make<double>(n, items::kind::normal, 5);
    auto const expect_scaled = [&](char const* what, auto const& scale) {
        std::vector<double> x(n);
        for (std::size_t i = 0; i < n; ++i) x[i] = normal[i] * scale(i);
        expect_defined(x, 1, what);
    };
    expect_scaled("1e-12", [](std::size_t) { return 1e-12; });
    expect_scaled("1e-300", [](std::size_t) { return 1e-300; });
    expect_scaled("2^-1060", [](std::size_t) { return 0x1p-1060; });
    expect_scaled("some small", [](std::size_t i) { return i % 100 == 7 ? 1e-15 : 1; });
    expect_scaled("some tiny", [](std::size_t i) { return i % 100 == 7 ? 1e-200 : 1; });
    expect_scaled("some subnormal", [](std::size_t i) { return i % 100 == 7 ? 0x1p-1070 : 1; });
    expect_scaled("zeros", [](std::size_t i) { return i % 3 == 0 ? 1 : 0; });
    expect_scaled("small, then large, then small", [](std::size_t i) { return i / 3000 == 1 ? 1e10 : 1e-10; });
    expect_scaled("large, then small", [](std::size_t i) { return i < 4000 ? 1e30 : 1e-30; });
}

TEST(few_pairs, dot_and_distance) {
    for (std::size_t const n : {2, 40, 3001}) {
        auto const x = items::make<double>(n, items::kind::normal, 1), y = items::make<double>(n, items::kind::normal, 2);
        auto halfway = x, ones = std::vector<double>(n, 0);  // the dot product is a tie but for one bit
        halfway[0] = 0x1p10 + 0x1p-42;
        ones[0] = 1 + 0x1p-52;
        halfway[1] = ones[1] = 0x1p-51;
        for (auto const& [a, b] : {std::pair{x, y}, {x, x}, {halfway, ones}}) {
            engine::items<double> const ca{a}, cb{b};
            auto const in = wf::zip(ca.span(), cb.span());
            auto const host_in = wf::zip(engine::host_span(a), engine::host_span(b));
            EXPECT_TRUE(engine::same(engine::reduce(in, wf::dot).value, engine::defined(wf::dot, host_in).value)) << n;
            EXPECT_TRUE(engine::same(engine::reduce(in, wf::squared_distance).value, engine::defined(wf::squared_distance, host_in).value)) << n;
        }
    }
}

TEST(inputs, maps_masks_and_predicates) {
    std::size_t const n = 54321;
    auto const x = items::make<float>(n, items::kind::normal, 9);
    std::vector<std::uint8_t> mask(n);
    std::vector<float> kept;
    std::vector<double> halves;
    wf::index_t positives = 0;
    for (std::size_t i = 0; i < n; ++i) {
        mask[i] = i % 3 == 0;
        if (mask[i]) kept.push_back(x[i]);
        halves.push_back(0.5 * x[i]);
        positives += x[i] > 0;
    }
    engine::items<float> const copy{x};
    engine::items<std::uint8_t> const mask_copy{mask};
    auto const masked = wf::masked(copy.span(), mask_copy.span());
    EXPECT_EQ(engine::reduce(copy.span(), wf::count_if(positive{})).value, positives);
    EXPECT_EQ(engine::reduce(wf::map(half_of{}, copy.span()), wf::sum).value, engine::defined(wf::sum, engine::host_span(halves)).value);
    EXPECT_EQ(engine::reduce(masked, wf::mean).value, engine::defined(wf::mean, engine::host_span(kept)).value);
    EXPECT_EQ(engine::reduce(masked, wf::argmin).value, 3 * engine::defined(wf::argmin, engine::host_span(kept)).value);
}

TEST(inputs, of_more_items_a_vector_than_their_type_has) {
    auto const bytes = items::make<std::int8_t>(40001, items::kind::bit_patterns, 17);
    engine::items<std::int8_t> const copy{bytes};
    for (int const offset : {0, 1}) {
        std::vector<float> thirds;
        for (std::size_t i = static_cast<std::size_t>(offset); i < bytes.size(); ++i) thirds.push_back(third_of{}(bytes[i]));
        auto const in = wf::map(third_of{}, engine::span<std::int8_t>(copy.data() + offset, static_cast<wf::index_t>(thirds.size())));
        for (int const blocks : {0, 1, 2, 7}) {
            EXPECT_EQ(engine::reduce(in, wf::sum, blocks).value, engine::defined(wf::sum, engine::host_span(thirds)).value);
            EXPECT_EQ(engine::reduce(in, wf::variance, blocks).value, engine::defined(wf::variance, engine::host_span(thirds)).value);
            EXPECT_EQ(engine::reduce(in, wf::argmax, blocks).value, engine::defined(wf::argmax, engine::host_span(thirds)).value);
        }
    }
}

TEST(inputs, truth_values) {
    std::vector<std::uint8_t> bytes(12345);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = i % 5 == 0;
    engine::items<std::uint8_t> const copy{bytes};
    engine::span<bool> const x(reinterpret_cast<bool const*>(copy.data()), 12345);
    EXPECT_EQ(engine::reduce(x, wf::sum).value, 2469U);
    EXPECT_EQ(engine::reduce(x, wf::mean).value, 0.2);
    EXPECT_TRUE(engine::reduce(x, wf::any).value);
    EXPECT_FALSE(engine::reduce(x, wf::all).value);
    EXPECT_EQ(engine::reduce(x, wf::argmin).value, 1);
}

}  // namespace
