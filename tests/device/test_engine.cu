// What does not depend on the item type: users' folds, order, masks, streams, graphs, sizes, errors.
#include <gtest/gtest.h>

#include <thread>

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
        engine::device_items<std::uint32_t> const device{x};
        for (int const offset : {0, 1}) {
            std::vector<std::uint32_t> const part(x.begin() + offset, x.begin() + offset + static_cast<long>(n));
            auto const wanted = engine::reference(composed{}, part).value;
            for (int const blocks : {0, 1, 3, 100})
                EXPECT_EQ(engine::reduce(wf::device_span<std::uint32_t>(device.data() + offset, static_cast<wf::index_t>(n)), composed{}, blocks).value, wanted);
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
    engine::device_items<float> const dx{x};
    engine::device_items<std::uint8_t> const dm{mask};
    EXPECT_EQ(engine::reduce(dx.span(), wf::count_if(positive{})).value, positives);
    EXPECT_EQ(engine::reduce(wf::map(half_of{}, dx.span()), wf::sum).value, engine::reference(wf::sum, halves).value);
    EXPECT_EQ(engine::reduce(wf::masked(dx.span(), dm.span()), wf::mean).value, engine::reference(wf::mean, kept).value);
    EXPECT_EQ(engine::reduce(wf::masked(dx.span(), dm.span()), wf::argmin).value % 3, 0);
}

TEST(inputs, truth_values) {
    std::vector<std::uint8_t> bytes(12345);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = i % 5 == 0;
    engine::device_items<std::uint8_t> const device{bytes};
    wf::device_span<bool> const x(reinterpret_cast<bool const*>(device.data()), 12345);
    EXPECT_EQ(engine::reduce(x, wf::sum).value, 2469U);
    EXPECT_EQ(engine::reduce(x, wf::mean).value, 0.2);
    EXPECT_TRUE(engine::reduce(x, wf::any).value);
    EXPECT_FALSE(engine::reduce(x, wf::all).value);
    EXPECT_EQ(engine::reduce(x, wf::argmin).value, 1);
}

TEST(reduce, returns_the_value_or_throws) {
    auto const x = items::make<float>(1000, items::kind::normal, 3);
    engine::device_items<float> const device{x};
    EXPECT_EQ(wf::reduce(device.span(), wf::sum), engine::reference(wf::sum, x).value);
    EXPECT_EQ(wf::sum(device.span()), engine::reference(wf::sum, x).value);
    EXPECT_THROW((void)wf::reduce(wf::device_span<float>(device.data(), 0), wf::min), wf::empty_input);
    engine::device_items<std::int64_t> const large{{std::numeric_limits<std::int64_t>::max(), 1}};
    EXPECT_THROW((void)wf::reduce(large.span(), wf::sum), wf::overflow);
    EXPECT_THROW((void)wf::reduce(wf::device_span<float>(reinterpret_cast<float*>(reinterpret_cast<char*>(device.data()) + 1), 8), wf::sum), wf::invalid_input);
}

TEST(reduce, takes_the_item_count_from_the_device) {
    auto const x = items::make<float>(5000, items::kind::uniform, 4);
    engine::device_items<float> const device{x};
    engine::device_items<wf::index_t> const count{{1234}};
    wf::device::options how;
    how.items = count.data();
    std::vector<float> const part(x.begin(), x.begin() + 1234);
    EXPECT_EQ(wf::reduce(device.span(), wf::sum, how), engine::reference(wf::sum, part).value);
}

TEST(streams, thirty_two_at_once) {
    constexpr int streams = 32, rounds = 50;
    std::vector<std::thread> threads;
    std::vector<int> wrong(streams, 0);
    for (int s = 0; s < streams; ++s) {
        threads.emplace_back([s, &wrong] {
            cudaStream_t stream;
            cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
            auto const x = items::make<float>(20000 + 100 * static_cast<std::size_t>(s), items::kind::mixed_scales, static_cast<unsigned>(s));
            engine::device_items<float> const device{x};
            float const wanted = engine::reference(wf::sum, x).value;
            for (int i = 0; i < rounds; ++i) wrong[static_cast<std::size_t>(s)] += wf::reduce(device.span(), wf::sum, wf::on(stream)) != wanted;
            cudaStreamDestroy(stream);
        });
    }
    for (auto& t : threads) t.join();
    for (int const w : wrong) EXPECT_EQ(w, 0);
}

TEST(graphs, replay_a_thousand_times_with_changed_items) {
    cudaStream_t stream;
    wf::device::check(cudaStreamCreate(&stream), "cudaStreamCreate");
    auto const x = items::make<float>(50000, items::kind::mixed_scales, 1), y = items::make<float>(50000, items::kind::normal, 2);
    engine::device_items<float> const device{x};
    engine::device_items<float> const out{{0, 0}};
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    wf::device::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
    wf::reduce_into(out.data(), device.span(), wf::sum, wf::on(stream));
    wf::reduce_into(out.data() + 1, device.span(), wf::max, wf::on(stream));
    wf::device::check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
    wf::device::check(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
    float const sums[] = {engine::reference(wf::sum, x).value, engine::reference(wf::sum, y).value};
    float const greatest[] = {engine::reference(wf::max, x).value, engine::reference(wf::max, y).value};
    for (int i = 0; i < 1000; ++i) {
        auto const& source = i % 2 ? y : x;
        cudaMemcpyAsync(device.data(), source.data(), source.size() * sizeof(float), cudaMemcpyHostToDevice, stream);
        wf::device::check(cudaGraphLaunch(executable, stream), "cudaGraphLaunch");
        float got[2];
        cudaMemcpyAsync(got, out.data(), sizeof(got), cudaMemcpyDeviceToHost, stream);
        wf::device::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
        ASSERT_EQ(got[0], sums[i % 2]) << i;
        ASSERT_EQ(got[1], greatest[i % 2]) << i;
    }
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
}

TEST(repeats, a_hundred_times_the_same_bits) {
    auto const x = items::make<float>(300007, items::kind::finite_patterns, 8);
    engine::device_items<float> const device{x};
    float const wanted = engine::reference(wf::sum, x).value;
    for (int i = 0; i < 100; ++i) ASSERT_EQ(wf::bits_as<std::uint32_t>(wf::reduce(device.span(), wf::sum)), wf::bits_as<std::uint32_t>(wanted));
}

TEST(sizes, beyond_32_bits) {
    for (wf::index_t const n : {(wf::index_t{1} << 31) - 1, (wf::index_t{1} << 31) + 1, (wf::index_t{1} << 32) + 3}) {
        std::int8_t* x = nullptr;
        wf::device::check(cudaMalloc(&x, static_cast<std::size_t>(n)), "cudaMalloc");
        wf::device::check(cudaMemset(x, 1, static_cast<std::size_t>(n)), "cudaMemset");
        wf::device::check(cudaMemset(x + n - 1, 3, 1), "cudaMemset");
        EXPECT_EQ(wf::reduce(wf::device_span<std::int8_t>(x, n), wf::sum), n + 2);
        EXPECT_EQ(wf::reduce(wf::device_span<std::int8_t>(x, n), wf::argmax), n - 1);
        cudaFree(x);
    }
}

}  // namespace
