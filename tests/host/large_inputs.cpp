// Inputs beyond caches, which threads read in runs of several chunks, and ask for memory further ahead: the same bits
// as chunk by chunk.
#include <gtest/gtest.h>

#include "bytes.hpp"
#include "items.hpp"

namespace {

using testing_data::bytes_by_steps;
using testing_data::bytes_or_error;
using testing_data::items;
using testing_data::random_bits;

template <class T>
struct large_inputs_of : testing::Test {};
using item_types = testing::Types<float, double, std::int64_t, std::uint8_t>;
TYPED_TEST_SUITE(large_inputs_of, item_types);

/// So many that one thread reads runs of 2 MiB, and a last one that is shorter.
template <class T>
inline constexpr std::size_t count = (std::size_t{27} << 20) / sizeof(T);

template <class T>
items<T> random_items(std::size_t offset) {
    random_bits random{7};
    items<T> x(count<T>, offset);
    for (T& v : x) {
        if constexpr (wf::is_float<T>) v = testing_data::item_of<T>(static_cast<double>(random() >> 11) * 0x1p-50 - 2);
        else v = static_cast<T>(random() & 0xffff'ffff);
    }
    return x;
}

/// The bytes of what many folds yield, of x and of the pairs of its halves.
template <class T>
std::string results(std::span<T const> x, wf::host::options const& how) {
    std::string bytes;
    auto const add = [&](auto const& in, auto const& fold) {
        bytes += bytes_or_error([&] { return wf::reduce(in, fold, how); });
    };
    add(x, wf::sum);
    add(x, wf::norm_l1);
    add(x, wf::norm_l2);
    add(x, wf::norm_linf);
    add(x, wf::together(wf::mean, wf::variance));
    add(x, wf::together(wf::minmax, wf::argmin, wf::argmax));
    add(x, wf::all);
    add(x, wf::product);
    if constexpr (wf::is_float<T>) {
        add(x, wf::logsumexp);
        add(x, wf::skip_nan(wf::count));
    }
    auto const pairs = wf::zip(x.first(x.size() / 2), x.last(x.size() / 2));
    add(pairs, wf::dot);
    add(pairs, wf::squared_distance);
    return bytes;
}

TYPED_TEST(large_inputs_of, any_alignment_and_length_in_long_runs) {
    for (auto const& [offset, left_out] : {std::pair{0, 0}, {1, 1}, {5, 12'345}}) {
        auto const x = random_items<TypeParam>(static_cast<std::size_t>(offset));
        std::span<TypeParam const> const part{x.data(), x.size() - static_cast<std::size_t>(left_out)};
        std::string const expected = results(part, {1, 997});
        for (int const threads : {0, 1}) EXPECT_EQ(results(part, {threads}), expected) << threads << " threads";
    }
}

TEST(large_inputs, in_any_order_and_by_steps) {
    auto x = random_items<double>(3);
    auto const sums = wf::together(wf::sum, wf::mean, wf::variance, wf::min, wf::max);
    std::string const expected = bytes_by_steps(x, sums);
    for (int turn = 0; turn < 3; ++turn) {
        for (int const threads : {0, 1}) EXPECT_EQ(bytes_or_error([&] { return wf::reduce(x, sums, {threads}); }), expected);
        std::rotate(x.begin(), x.begin() + 98'765, x.end());
        std::reverse(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 3));
    }
}

}  // namespace
