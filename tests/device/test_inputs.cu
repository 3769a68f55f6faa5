// Users' folds, order, masks, maps, truth values: the same from every engine.
#include <gtest/gtest.h>

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
