// Every built-in fold over every type, kind of item, size and grid: the bits that the fold's definition gives.
#include <gtest/gtest.h>

#include "engine.hpp"
#include "items.hpp"

namespace {

template <class A>
bool same(A const& a, A const& b) {
    if constexpr (wf::is_float<A>) return (wf::is_nan(a) && wf::is_nan(b)) || std::memcmp(&a, &b, sizeof(A)) == 0;
    else return a == b;
}
template <class T>
bool same(wf::minimum_maximum<T> const& a, wf::minimum_maximum<T> const& b) {
    return same(a.min, b.min) && same(a.max, b.max);
}
bool same(wf::pack<> const&, wf::pack<> const&) { return true; }
template <class T, class... Rest>
bool same(wf::pack<T, Rest...> const& a, wf::pack<T, Rest...> const& b) {
    return same(a.head, b.head) && same(a.tail, b.tail);
}

template <class F, class Input, class T>
void expect_reference(char const* name, F const& f, Input const& in, std::vector<T> const& items, int kind) {
    auto const wanted = engine::reference(f, items);
    for (int const blocks : {0, 1, 2, 7, 4096}) {
        auto const got = engine::reduce(in, f, blocks);
        EXPECT_EQ(static_cast<int>(got.state), static_cast<int>(wanted.state)) << name << " n=" << items.size() << " kind " << kind << " blocks " << blocks;
        if (wanted.state == wf::status::ok && got.state == wf::status::ok)
            EXPECT_TRUE(same(got.value, wanted.value)) << name << " n=" << items.size() << " kind " << kind << " blocks " << blocks;
    }
}

template <class T>
class matrix : public testing::Test {};
using item_types = testing::Types<WARPFOLD_TEST_TYPES>;
TYPED_TEST_SUITE(matrix, item_types);

TYPED_TEST(matrix, folds) {
    using T = TypeParam;
    unsigned seed = 1;
    for (std::size_t const n : {0, 1, 2, 31, 257, 8191, 8193, 70001}) {
        for (auto const k : items::kinds) {
            if (!wf::is_float<T> && k > items::kind::bit_patterns && k != items::kind::equal) continue;
            auto const x = items::make<T>(n, k, seed++);
            engine::device_items<T> const device{x};
            auto const check = [&](char const* name, auto const& f) { expect_reference(name, f, device.span(), x, static_cast<int>(k)); };
            check("sum", wf::sum);
            check("mean", wf::mean);
            check("norm_l1", wf::norm_l1);
            check("norm_l2", wf::norm_l2);
            check("variance", wf::variance);
            check("standard deviation, ddof 1", wf::standard_deviation.ddof(1));
            check("min", wf::min);
            check("max", wf::max);
            check("minmax", wf::minmax);
            check("argmin", wf::argmin);
            check("argmax", wf::argmax);
            check("argminmax", wf::argminmax);
            check("norm_linf", wf::norm_linf);
            check("count", wf::count);
            check("any", wf::any);
            check("all", wf::all);
            check("product", wf::product);
            check("logsumexp", wf::logsumexp);
            check("together", wf::together(wf::sum, wf::mean, wf::variance, wf::min, wf::max, wf::argmin, wf::argmax, wf::norm_l2));
            if constexpr (wf::is_float<T>) {
                check("skip_nan sum", wf::skip_nan(wf::sum));
                check("skip_nan argmax", wf::skip_nan(wf::argmax));
                check("skip_nan count", wf::skip_nan(wf::count));
                check("sum as double", wf::as<double>(wf::sum));
                check("logsumexp as double", wf::as<double>(wf::logsumexp));
            }
        }
    }
}

TYPED_TEST(matrix, pairs_and_inputs) {
    using T = TypeParam;
    unsigned seed = 1000;
    for (std::size_t const n : {0, 1, 5, 255, 8193, 40000}) {
        for (auto const k : items::kinds) {
            if (!wf::is_float<T> && k > items::kind::bit_patterns) continue;
            auto const x = items::make<T>(n + 1, k, seed++), y = items::make<T>(n + 1, k, seed++);
            engine::device_items<T> const dx{x}, dy{y};
            auto const count = static_cast<wf::index_t>(n);
            for (int const offset : {0, 1}) {
                std::vector<wf::pair<T, T>> pairs(n);
                for (std::size_t i = 0; i < n; ++i) pairs[i] = {x[i], y[i + static_cast<std::size_t>(offset)]};
                auto const zipped = wf::zip(wf::device_span<T>(dx.data(), count), wf::device_span<T>(dy.data() + offset, count));
                expect_reference("dot", wf::dot, zipped, pairs, static_cast<int>(k));
                expect_reference("squared distance", wf::squared_distance, zipped, pairs, static_cast<int>(k));
                std::vector<T> const shifted(x.begin() + offset, x.begin() + offset + count);
                expect_reference("sum, any alignment", wf::sum, wf::device_span<T>(dx.data() + offset, count), shifted, static_cast<int>(k));
                expect_reference("argmin, any alignment", wf::argmin, wf::device_span<T>(dx.data() + offset, count), shifted, static_cast<int>(k));
            }
            std::vector<T> reversed(x.rbegin() + 1, x.rend());
            if (n) expect_reference("strided sum", wf::sum, wf::strided<T>{dx.data() + n - 1, count, -1}, reversed, static_cast<int>(k));
        }
    }
}

}  // namespace
