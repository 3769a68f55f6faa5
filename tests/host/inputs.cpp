// Every kind of input, together(), skip_nan and users' own folds, merged in order where they do not commute.
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <array>
#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

#include "bytes.hpp"
#include "items.hpp"

namespace {

using testing_data::bytes_or_error;
using testing_data::items;
using testing_data::random_bits;

/// Copies what an input loads, item by item.
template <class Input>
items<typename Input::value_type> copy_of(Input const& in) {
    using T = typename Input::value_type;
    items<T> copy(static_cast<std::size_t>(in.size()));
    for (wf::index_t i = 0; i < in.size(); ++i) {
        T one;
        copy[static_cast<std::size_t>(i)] = *in.load(i, 1, &one);
    }
    return copy;
}

struct not_negative {
    template <class T>
    bool operator()(T const& x) const {
        return !wf::is_negative(x);
    }
};
/// Every fold of items in one read, but products, which overflow.
constexpr auto every_fold = wf::together(
    wf::sum, wf::mean, wf::variance, wf::standard_deviation.ddof(1), wf::norm_l1, wf::norm_l2, wf::norm_linf, wf::min,
    wf::max, wf::minmax, wf::argmin, wf::argmax, wf::argminmax, wf::any, wf::all, wf::count,
    wf::count_if{not_negative{}}, wf::logsumexp);

/// Calls f(fold) with that, with products, and with a fold that ends early; for floats the same with skip_nan.
template <class T, class Function>
void for_each_fold(Function f) {
    f(every_fold);
    f(wf::product);
    f(wf::any);
    if constexpr (wf::is_float<T>) {
        f(wf::skip_nan(every_fold));
        f(wf::skip_nan(wf::product));
        f(wf::skip_nan(wf::any));
    }
}

/// The input gives the bytes that its items give side by side, over threads and chunks.
template <class Input>
void expect_as_copied(Input const& in) {
    auto const copy = copy_of(in);
    for_each_fold<typename Input::value_type>([&](auto const& fold) {
        auto const expected = bytes_or_error([&] { return wf::reduce(copy, fold); });
        for (wf::index_t const chunk : {100, 1111, 0})
            for (int const threads : {1, 4})
                EXPECT_EQ(bytes_or_error([&] { return wf::reduce(in, fold, {threads, chunk}); }), expected);
    });
}

/// Numbers, and of floats the same with a NaN here and there.
template <class T>
std::vector<items<T>> number_sets() {
    random_bits random{3};
    std::vector<items<T>> all;
    all.emplace_back(40'000);
    for (T& x : all[0]) {
        if constexpr (wf::is_float<T>) x = testing_data::item_of<T>(testing_data::normal(random));
        else x = static_cast<T>(random.between(0, std::is_same_v<T, bool> ? 1 : 100));
    }
    if constexpr (wf::is_float<T>) {
        all.push_back(all[0]);
        for (T& x : all[1])
            if (random.chance(50)) x = testing_data::from_fields<T>(false, testing_data::largest_field<T> + 1, 1);
    }
    return all;
}

template <class T>
struct inputs : testing::Test {
    std::vector<items<T>> sets = number_sets<T>();
    items<T> const& data = sets[0];
    wf::index_t const count = static_cast<wf::index_t>(data.size());
};
#if defined(WARPFOLD_ITEMS)
using item_types = testing::Types<WARPFOLD_ITEMS>;
#else
using item_types =
    testing::Types<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                   std::uint32_t, std::uint64_t, wf::float16, wf::bfloat16, float, double>;
#endif
TYPED_TEST_SUITE(inputs, item_types);

TYPED_TEST(inputs, strided_forwards_and_backwards) {
    using T = TypeParam;
    for (auto const& x : this->sets) {
        for (wf::index_t const step : {1, 3, 64})
            expect_as_copied(wf::strided<T>{x.data() + 1, (this->count - 1) / step, step});
        for (wf::index_t const step : {-1, -7})
            expect_as_copied(wf::strided<T>{x.end() - 1, this->count / -step, step});
        expect_as_copied(wf::strided<T>{x.data(), 0, 1});
    }
    EXPECT_EQ(wf::reduce(wf::strided<T>{this->data.data(), 1000, 0}, wf::argmax), 0);
    // The first item read is the last in memory.
    wf::strided<T> const backwards{this->data.end() - 1, this->count, -1};
    T const first = copy_of(backwards)[0];
    EXPECT_EQ(std::memcmp(&first, this->data.end() - 1, sizeof(T)), 0);
}

/// The item itself, or another of its type.
struct next_item {
    template <class T>
    T operator()(T const& x) const {
        if constexpr (wf::is_float<T>) return testing_data::negate(x);
        else return static_cast<T>(x ^ T{1});
    }
};

TYPED_TEST(inputs, mapped) {
    for (auto const& x : this->sets) expect_as_copied(wf::map(next_item{}, x));
    expect_as_copied(wf::map(next_item{}, items<TypeParam>(0)));
}

TYPED_TEST(inputs, masked_items_keep_their_positions) {
    using T = TypeParam;
    random_bits random{4};
    for (int const one_in : {1, 2, 50, 100'000, 0}) {
        items<bool> mask(this->data.size());
        for (bool& m : mask) m = one_in > 0 && random.chance(one_in);
        for (auto const& x : this->sets) {
            for_each_fold<T>([&](auto const& folds) {
                // What step makes of the chosen items, each at its position.
                auto const f = wf::bind<T>(folds);
                auto s = f.identity();
                for (std::size_t i = 0; i < mask.size(); ++i)
                    if (mask[i]) f.step(s, x[i], static_cast<wf::index_t>(i));
                auto const expected = testing_data::bytes_of(wf::detail::as_outcome(f.finish(s)));
                auto const in = wf::masked(x, mask);
                for (wf::index_t const chunk : {333, 0})
                    EXPECT_EQ(bytes_or_error([&] { return wf::reduce(in, folds, {2, chunk}); }), expected) << one_in;
            });
        }
        wf::strided<T> const backwards{this->data.end() - 1, this->count, -1};
        EXPECT_EQ(wf::reduce(wf::masked(backwards, mask), wf::count), std::count(mask.begin(), mask.end(), true));
        // An early end must not miss what a later chunk holds.
        items<bool> last(this->data.size());
        last[last.size() - 3] = true;
        EXPECT_EQ(wf::reduce(wf::masked(this->data, last), wf::count, {2, 100}), 1);
    }
}

TYPED_TEST(inputs, zipped_of_other_inputs) {
    using T = TypeParam;
    wf::index_t const n = 20'000;
    auto const check = [&](items<T> const& all, auto const& fold) {
        wf::strided<T> const even{all.data(), n, 2}, backwards{all.end() - 1, n, -1};
        auto const x = copy_of(even), y = copy_of(backwards);
        auto const of = [&](auto const& in, wf::host::options const& how) {
            return bytes_or_error([&] { return wf::reduce(in, fold, how); });
        };
        auto const expected = of(wf::zip(x, y), {});
        EXPECT_EQ(of(wf::zip(even, backwards), {3, 777}), expected);
        EXPECT_EQ(of(wf::zip(even, y), {}), expected);
        EXPECT_EQ(of(wf::zip(wf::map(next_item{}, wf::map(next_item{}, x)), backwards), {3, 777}), expected);
        items<bool> mask(static_cast<std::size_t>(n));
        std::fill(mask.begin(), mask.end(), true);
        EXPECT_EQ(of(wf::masked(wf::zip(x, y), mask), {}), expected);
    };
    for (auto const& x : this->sets) {
        check(x, wf::dot);
        check(x, wf::squared_distance);
        if constexpr (wf::is_float<T>) {
            check(x, wf::skip_nan(wf::dot));
            check(x, wf::skip_nan(wf::squared_distance));
        }
    }
}

TEST(inputs_of_any_kind, mapped_to_other_types) {
    auto const halves = number_sets<wf::float16>();
    auto const integers = number_sets<std::int32_t>();
    auto const widened = [](wf::float16 x) { return static_cast<double>(static_cast<float>(x)) * 3; };
    expect_as_copied(wf::map(widened, halves[0]));
    expect_as_copied(wf::map([](double x) { return static_cast<float>(x) - 1; }, wf::map(widened, halves[1])));
    auto const second = [](auto const& both) { return both.second - 7; };
    expect_as_copied(wf::map(second, wf::zip(halves[0], integers[0])));
}

TEST(inputs_of_any_kind, refuse_different_lengths) {
    std::vector<float> const x(3), y(4);
    items<bool> const mask(4);
    EXPECT_THROW(wf::zip(x, y), wf::invalid_input);
    EXPECT_THROW(wf::masked(x, mask), wf::invalid_input);
    EXPECT_THROW(wf::dot(x, y), wf::invalid_input);
    EXPECT_NO_THROW(wf::masked(y, mask));
    try {
        (void)wf::zip(x, y);
    } catch (wf::error const& e) {
        EXPECT_STREQ(e.what(), "zip: the inputs have 3 and 4 items, expected as many in both");
    }
}

TEST(errors, hold_their_text_and_cut_what_is_too_long) {
    wf::overflow const brief("two", " parts");
    wf::overflow const copy = brief;
    EXPECT_STREQ(copy.what(), "two parts");
    std::string const lengthy(300, 'x');
    EXPECT_EQ(wf::error(lengthy.c_str(), "more").what(), lengthy.substr(0, 255));
}

TEST(inputs_of_any_kind, pass_on_what_they_throw) {
    tbb::global_control const four(tbb::global_control::max_allowed_parallelism, 4);
    std::vector<int> const x(100'000, 1);
    auto const failing = wf::map([](int v) -> int { return v == 1 ? throw std::runtime_error("source") : v; }, x);
    for (int const threads : {1, 4}) EXPECT_THROW(wf::reduce(failing, wf::sum, {threads, 100}), std::runtime_error);
}

/// The product of 2×2 matrices modulo 2^64, one a number: it does not commute.
struct matrix_product {
    static constexpr bool commutative = false;
    struct state {
        std::uint64_t a, b, c, d;
    };
    static state times(state const& x, state const& y) {
        return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
    }
    state identity() const { return {1, 0, 0, 1}; }
    void step(state& s, std::uint64_t x, wf::index_t i) const { s = times(s, {x, 1, static_cast<std::uint64_t>(i), x ^ 5}); }
    void merge(state& s, state const& later) const { s = times(s, later); }
    std::uint64_t finish(state const& s) const { return s.a ^ s.b * 3 ^ s.c * 5 ^ s.d * 7; }
};

/// The first and the last letters of a text: join keeps order, and nothing else does.
struct ends {
    static constexpr bool commutative = false;
    struct state {
        char first[4];
        char last[4];
        wf::index_t length;
    };
    state identity() const { return {}; }
    void step(state& s, char letter, wf::index_t) const { merge(s, {{letter}, {0, 0, 0, letter}, 1}); }
    void merge(state& s, state const& later) const {
        for (wf::index_t i = s.length; i < 4 && i - s.length < later.length; ++i) s.first[i] = later.first[i - s.length];
        if (later.length > 0) {
            char joined[8];
            std::copy_n(s.last, 4, joined);
            std::copy_n(later.last, 4, joined + 4);
            wf::index_t const fresh = std::min<wf::index_t>(later.length, 4);
            for (wf::index_t i = 0; i < 4 - fresh; ++i) s.last[i] = joined[i + fresh];
            for (wf::index_t i = 4 - fresh; i < 4; ++i) s.last[i] = joined[4 + i];
        }
        s.length += later.length;
    }
    std::string finish(state const& s) const { return std::string(s.first, 4) + "…" + std::string(s.last, 4); }
};

TEST(own_folds, that_do_not_commute_are_merged_in_order) {
    tbb::global_control const eight(tbb::global_control::max_allowed_parallelism, 8);
    random_bits random{8};
    items<std::uint64_t> numbers(100'003);
    for (auto& x : numbers) x = random();
    items<char> letters(numbers.size());
    for (char& c : letters) c = static_cast<char>('a' + random.between(0, 25));
    auto const product = testing_data::bytes_by_steps(numbers, matrix_product{});
    std::string const text = std::string(letters.data(), 4) + "…" + std::string(letters.end() - 4, 4);
    // A few items take their time, so that other threads come to help even where the cores are busy.
    auto const slow = wf::map([](std::uint64_t x) {
        if (x % 4096 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
        return x;
    }, numbers);
    for (int threads = 1; threads <= 8; ++threads)
        for (wf::index_t const chunk : {7, 100, 4096, 33'000, 0}) {
            EXPECT_EQ(bytes_or_error([&] { return wf::reduce(slow, matrix_product{}, {threads, chunk}); }), product);
            EXPECT_EQ(wf::reduce(letters, ends{}, {threads, chunk}), text);
        }
    // What threads do, whether or not one came: work that is split off takes the later items and is joined.
    auto const in = wf::as_input(numbers);
    matrix_product const fold;
    wf::host::fold_work<matrix_product, std::remove_const_t<decltype(in)>> first{fold, in, 0, 0};
    first.run(0, 60'000);
    auto const later = first.split();
    later->run(60'000, in.size());
    first.join(*later);
    EXPECT_EQ(bytes_or_error([&] { return fold.finish(first.state()); }), product);
    // Partials of consecutive parts, merged by neighbours.
    std::vector<wf::partial<matrix_product, std::uint64_t>> parts;
    for (std::size_t begin = 0; begin < numbers.size(); begin += 7001)
        parts.push_back(wf::gather(wf::contiguous<std::uint64_t>{numbers.data() + begin, static_cast<wf::index_t>(std::min<std::size_t>(7001, numbers.size() - begin))},
                                   matrix_product{}, static_cast<wf::index_t>(begin)));
    while (parts.size() > 1) {
        std::size_t const at = static_cast<std::size_t>(random.between(0, static_cast<int>(parts.size()) - 2));
        parts[at].merge(parts[at + 1]);
        parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    }
    EXPECT_EQ(bytes_or_error([&] { return parts[0].result(); }), product);
}

struct above {
    double threshold;
    bool operator()(double x) const { return x > threshold; }
};

TEST(own_folds, of_one_type_and_different_values_stand_together) {
    items<double> x(10'000);
    std::iota(x.begin(), x.end(), 0.0);
    auto const [low, sum, high, middle] = wf::reduce(x, wf::together(wf::count_if{above{9.5}}, wf::sum, wf::count_if{above{9989.5}}, wf::count_if{above{4999}}));
    EXPECT_EQ(low, 9990);
    EXPECT_EQ(sum, 49'995'000.0);
    EXPECT_EQ(high, 10);
    EXPECT_EQ(middle, 5000);
}

struct page {
    std::array<char, 700'000> text;
};
/// A digit of each page, those of later pages before those of earlier ones.
struct digits {
    using state = std::int64_t;
    std::size_t place;
    state identity() const { return 0; }
    void step(state& s, page const& p, wf::index_t i) const {
        state digit = p.text[place];
        for (; i > 0; --i) digit *= 10;
        s += digit;
    }
    void merge(state& s, state later) const { s += later; }
    state finish(state s) const { return s; }
};

TEST(own_folds, take_items_larger_than_a_chunk) {
    std::vector<page> pages(6);
    for (std::size_t i = 0; i < pages.size(); ++i) {
        pages[i].text[0] = static_cast<char>(i + 1);
        pages[i].text[699'999] = static_cast<char>(9 - i);
    }
    EXPECT_EQ(wf::reduce(pages, digits{0}), 654321);
    auto const [first, last] = wf::reduce(pages, wf::together(digits{0}, digits{699'999}));
    EXPECT_EQ(first, 654321);
    EXPECT_EQ(last, 456789);
}

TEST(own_folds, skip_nan_as_built_in_ones_do) {
    items<float> x(5000);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = i % 3 == 0 ? std::numeric_limits<float>::quiet_NaN() : 1.0F;
    auto const everything = wf::count_if{[](float) { return true; }};
    EXPECT_EQ(wf::reduce(x, everything), 5000);
    EXPECT_EQ(wf::reduce(x, wf::skip_nan(everything)), 3333);
    auto const [count, sum] = wf::reduce(x, wf::skip_nan(wf::together(everything, wf::sum)));
    EXPECT_EQ(count, 3333);
    EXPECT_EQ(sum, 3333.0F);
}

TEST(together, equals_each_fold_by_itself) {
    random_bits random{9};
    for (auto const& set : testing_data::sets<double>(7001, 10)) {
        auto const [sum, mean, variance, least, where, n, norm, root, any] = wf::reduce(
            set.items, wf::together(wf::sum, wf::mean, wf::variance, wf::min, wf::argmax, wf::count, wf::norm_l1, wf::norm_l2, wf::any));
        auto const same = [](auto a, auto b) { return wf::bits_as<std::uint64_t>(a) == wf::bits_as<std::uint64_t>(b); };
        EXPECT_TRUE(same(sum, wf::sum(set.items))) << set.name;
        EXPECT_TRUE(same(mean, wf::mean(set.items))) << set.name;
        EXPECT_TRUE(same(variance, wf::variance(set.items))) << set.name;
        EXPECT_TRUE(same(least, wf::min(set.items))) << set.name;
        EXPECT_EQ(where, wf::argmax(set.items)) << set.name;
        EXPECT_EQ(n, 7001) << set.name;
        EXPECT_TRUE(same(norm, wf::norm_l1(set.items))) << set.name;
        EXPECT_TRUE(same(root, wf::norm_l2(set.items))) << set.name;
        EXPECT_EQ(any, wf::any(set.items)) << set.name;
    }
    EXPECT_THROW(wf::reduce(std::vector<float>{}, wf::together(wf::sum, wf::min)), wf::empty_input);
}

}  // namespace
