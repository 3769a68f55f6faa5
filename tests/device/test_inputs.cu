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
struct less_than {
    int limit;
    template <class T>
    WARPFOLD_HD bool operator()(T x) const { return x < static_cast<T>(limit); }
};
/// The sum of odd cubes: every bit and the sign of an item tell.
struct odd_cubes {
    using state = std::int64_t;
    WARPFOLD_HD state identity() const { return 0; }
    template <class T>
    WARPFOLD_HD void step(state& s, T x, wf::index_t) const {
        if (x % 2 != 0) s += static_cast<state>(x) * x * x;
    }
    WARPFOLD_HD void merge(state& s, state const& later) const { s += later; }
    WARPFOLD_HD state finish(state const& s) const { return s; }
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
                       {"above halfway by a 54th bit, by lanes", {0}, {0x1p-38F, 0x1p-60F, 0x1p15F, 0x1p-9F, -0x1p-60F}}, {"below", {0}, {-0x1p-38F, 0x1p-60F, 0x1p15F, 0x1.8p-8F, -0x1p-60F}},
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

/// Where a block cannot take a shortcut and its neighbour can, they still divide the items in one way: at a multiple of
/// 1024.
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
    EXPECT_EQ(engine::reduce(masked, wf::count_if(positive{})).value, std::count_if(kept.begin(), kept.end(), positive{}));
    EXPECT_EQ(engine::reduce(wf::map(half_of{}, copy.span()), wf::sum).value, engine::defined(wf::sum, engine::host_span(halves)).value);
    EXPECT_EQ(engine::reduce(masked, wf::mean).value, engine::defined(wf::mean, engine::host_span(kept)).value);
    EXPECT_EQ(engine::reduce(masked, wf::argmin).value, 3 * engine::defined(wf::argmin, engine::host_span(kept)).value);
}

/// A user's folds of `n` items, in vectors and out of line.
template <class T>
void expect_users_folds(std::size_t n) {
    auto const x = items::make<T>(n + 1, items::kind::bit_patterns, 19);
    engine::items<T> const copy{x};
    for (int const offset : {0, 1}) {
        auto const count = static_cast<wf::index_t>(n);
        auto const in = engine::span<T>(copy.data() + offset, count);
        wf::contiguous<T> const host_in{x.data() + offset, count};
        for (int const blocks : {0, 1, 3}) {
            EXPECT_EQ(engine::reduce(in, odd_cubes{}, blocks).value, engine::defined(odd_cubes{}, host_in).value) << n;
            for (int const limit : {-100, 0, 1, 77})
                EXPECT_EQ(engine::reduce(in, wf::count_if(less_than{limit}), blocks).value, engine::defined(wf::count_if(less_than{limit}), host_in).value)
                    << n << " items less than " << limit;
        }
    }
}
TEST(user_folds, of_integers_with_a_sign) {
    for (std::size_t const n : {0, 1, 15, 4097, 40001}) {
        expect_users_folds<std::int8_t>(n);
        expect_users_folds<std::int16_t>(n);
    }
}

#if WARPFOLD_DEVICE
/// A range whose data() is no plain pointer, as those of thrust are.
template <class T>
struct behind_a_class {
    struct pointer {
        T* address;
        T* get() const { return address; }
    };
    pointer data() const { return {items}; }
    std::size_t size() const { return count; }
    T* items;
    std::size_t count;
};

TEST(inputs, ranges_whose_pointers_are_classes) {
    std::size_t const n = 5000;
    auto const x = items::make<float>(n, items::kind::normal, 10), y = items::make<float>(n, items::kind::normal, 11);
    engine::items<float> const x_copy{x}, y_copy{y};
    behind_a_class<float> const range{x_copy.data(), n}, other{y_copy.data(), n};
    std::vector<double> halves;
    for (float const item : x) halves.push_back(0.5 * item);
    EXPECT_EQ(wf::sum(range), engine::wanted(wf::sum, engine::host_span(x)).value);
    EXPECT_EQ(wf::sum(wf::map(half_of{}, range)), engine::wanted(wf::sum, engine::host_span(halves)).value);
    EXPECT_EQ(wf::dot(wf::zip(range, other)), engine::wanted(wf::dot, wf::zip(x, y)).value);
}
#endif

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

template <class Float>
struct near_one {
    /// (Products that are exact, so that it does not matter where a compiler fuses them with the addition.)
    WARPFOLD_HD Float operator()(std::int8_t x) const { return 1 + static_cast<Float>(x) * Float{0x1.9e4p-17}; }
};
template <class Float>
void expect_products_of_bytes(std::size_t n) {
    auto const bytes = items::make<std::int8_t>(n, items::kind::bit_patterns, 18);
    engine::items<std::int8_t> const copy{bytes};
    auto const in = wf::map(near_one<Float>{}, copy.span());
    auto const host_in = wf::map(near_one<Float>{}, engine::host_span(bytes));
    for (int const blocks : {0, 1, 2, 7}) {
        EXPECT_EQ(engine::reduce(in, wf::product, blocks).value, engine::defined(wf::product, host_in).value) << n;
        EXPECT_EQ(engine::reduce(in, wf::as<double>(wf::product), blocks).value, engine::defined(wf::as<double>(wf::product), host_in).value) << n;
    }
}

TEST(inputs, products_of_more_items_a_vector_than_their_type_has) {
    for (std::size_t const n : {5, 300, 3001, 40001}) {
        expect_products_of_bytes<float>(n);
        expect_products_of_bytes<double>(n);
    }
}

/// Next to 2: sums of two doubles hold no more than 2^15 of them.
struct near_two {
    WARPFOLD_HD double operator()(std::int8_t x) const { return 2.0 - (x + 200) * 0.000012345678912345; }
};
struct to_bfloat16 {
    WARPFOLD_HD wf::bfloat16 operator()(std::int8_t x) const {
        return {static_cast<std::uint16_t>(wf::bits_as<std::uint32_t>(static_cast<float>(x)) >> 16)};
    }
};
TEST(inputs, of_more_items_a_vector_than_one_block_may_add_up) {
    for (std::size_t const n : {8192, 40'000, 65'536, 131'072}) {
        auto const bytes = items::make<std::int8_t>(n, items::kind::bit_patterns, 21), others = items::make<std::int8_t>(n, items::kind::bit_patterns, 22);
        engine::items<std::int8_t> const x{bytes}, y{others};
        std::vector<double> twos, more_twos;
        std::vector<wf::bfloat16> narrow, more_narrow;
        for (auto const v : bytes) twos.push_back(near_two{}(v)), narrow.push_back(to_bfloat16{}(v));
        for (auto const v : others) more_twos.push_back(near_two{}(v)), more_narrow.push_back(to_bfloat16{}(v));
        auto const in = wf::map(near_two{}, x.span());
        for (int const blocks : {0, 1, 3}) {
            EXPECT_EQ(engine::reduce(in, wf::sum, blocks).value, engine::defined(wf::sum, engine::host_span(twos)).value) << n;
            EXPECT_EQ(engine::reduce(in, wf::variance, blocks).value, engine::defined(wf::variance, engine::host_span(twos)).value) << n;
            EXPECT_EQ(engine::reduce(wf::zip(in, wf::map(near_two{}, y.span())), wf::dot, blocks).value,
                      engine::defined(wf::dot, wf::zip(twos, more_twos)).value) << n;
            EXPECT_EQ(engine::reduce(wf::zip(wf::map(to_bfloat16{}, x.span()), wf::map(to_bfloat16{}, y.span())), wf::dot, blocks).value,
                      engine::defined(wf::dot, wf::zip(narrow, more_narrow)).value) << n;
        }
    }
}

/// Adds two members of records, in order of nothing.
struct both_members {
    using state = double;
    WARPFOLD_HD state identity() const { return 0; }
    template <class Record>
    WARPFOLD_HD void step(state& s, Record const& x, wf::index_t) const { s += static_cast<double>(x.a) + static_cast<double>(x.b); }
    WARPFOLD_HD void merge(state& s, state const& later) const { s += later; }
    WARPFOLD_HD double finish(state const& s) const { return s; }
};
struct three_bytes { unsigned char a, b, c; };
struct two_floats { float a, b; };
struct three_floats { float a, b, c; };
struct four_floats { float a, b, c, d; };
struct two_doubles { double a, b; };
struct three_doubles { double a, b, c; };
template <class Record>
void check_records(std::size_t from) {
    std::vector<Record> x(1001);
    for (std::size_t i = 0; i < x.size(); ++i) x[i].a = static_cast<decltype(x[i].a)>(i % 100), x[i].b = 1;
    std::vector<unsigned char> bytes(from + x.size() * sizeof(Record));
    std::memcpy(bytes.data() + from, x.data(), x.size() * sizeof(Record));
    engine::items<unsigned char> const copy{bytes};
    auto const* const items = reinterpret_cast<Record const*>(copy.data() + from);
    for (int const skipped : {0, 1}) EXPECT_EQ(engine::reduce(engine::span<Record>(items + skipped, 1000), both_members{}).value, 50500);
}
TEST(inputs, of_records_of_any_size_and_alignment) {
    check_records<three_bytes>(0), check_records<three_bytes>(1);
    check_records<two_floats>(0), check_records<two_floats>(4);
    check_records<three_floats>(0), check_records<three_floats>(4);
    check_records<four_floats>(0), check_records<four_floats>(4);
    check_records<two_doubles>(0);
#if !defined(SIMT_EXECUTOR)  // which does not tell 16 bytes of it from a vector's
    check_records<two_doubles>(8);
#endif
    check_records<three_doubles>(0), check_records<three_doubles>(8);
}

TEST(inputs, of_exponents_that_differ_by_little_of_much) {
    auto const check = [](auto least, auto distance) {
        using T = decltype(least);
        std::vector<T> x(64, least);
        x[40] = static_cast<T>(least + distance);
        engine::items<T> const copy{x};
        for (int const blocks : {0, 3})
            EXPECT_EQ(engine::reduce(copy.span(), wf::logsumexp, blocks).value, engine::defined(wf::logsumexp, engine::host_span(x)).value) << least;
    };
    for (float const least : {0x1p27F, 0x1p28F, -0x1p28F - 64, 0x1p29F, 0x1p60F}) check(least, least / 0x1p23F), check(least, 2 * std::fabs(least) / 0x1p23F);
    check(0x1p57, 0x1p5);
    check(std::int64_t{1} << 57, std::int64_t{32});
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
