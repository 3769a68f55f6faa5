// What only the device engine has: results on the host and on the device, streams, graphs, sizes of a GPU's memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>

#include "engine.hpp"
#include "items.hpp"

namespace {

TEST(reduce, returns_the_value_or_throws) {
    auto const x = items::make<float>(1000, items::kind::normal, 3);
    engine::items<float> const device{x};
    EXPECT_EQ(wf::reduce(device.span(), wf::sum), engine::defined(wf::sum, engine::host_span(x)).value);
    EXPECT_EQ(wf::sum(device.span()), engine::defined(wf::sum, engine::host_span(x)).value);
    EXPECT_THROW((void)wf::reduce(wf::device_span<float>(device.data(), 0), wf::min), wf::empty_input);
    engine::items<std::int64_t> const large{{std::numeric_limits<std::int64_t>::max(), 1}};
    EXPECT_THROW((void)wf::reduce(large.span(), wf::sum), wf::overflow);
    EXPECT_THROW((void)wf::reduce(wf::device_span<float>(reinterpret_cast<float*>(reinterpret_cast<char*>(device.data()) + 1), 8), wf::sum), wf::invalid_input);
    EXPECT_THROW((void)wf::reduce(wf::device_span<float>(device.data(), wf::index_t{1} << 50), wf::sum), wf::invalid_input);
}

template <class T, class F>
void expect_value(std::vector<T> const& x, F const& f, bool is_short) {
    engine::items<T> const device{x};
    auto const value = wf::reduce(device.span(), f);
    EXPECT_EQ(sizeof(value) <= 8, is_short);
    EXPECT_TRUE(engine::same(value, engine::defined(f, engine::host_span(x)).value)) << sizeof(value);
}

TEST(reduce, returns_values_of_any_size) {
    // Twice, so that each comes after longer and after shorter ones.
    for (unsigned seed : {1U, 2U}) {
        auto const x = items::make<double>(3000, items::kind::mixed_scales, seed);
        expect_value(x, wf::any, true);
        expect_value(items::make<wf::bfloat16>(3000, items::kind::normal, seed), wf::min, true);
        expect_value(items::make<float>(3000, items::kind::normal, seed), wf::sum, true);
        expect_value(x, wf::argmin, true);
        expect_value(x, wf::sum, true);
        expect_value(x, wf::minmax, false);
        expect_value(x, wf::together(wf::sum, wf::argmax, wf::variance), false);
    }
}

TEST(reduce, into_an_outcome_takes_no_second_state) {
    engine::items<float> const device{{1, 2}};
    engine::items<wf::outcome<float>> const out{{{}}};
    engine::items<wf::status> const state{{wf::status::ok}};
    EXPECT_THROW(wf::reduce_into(out.data(), device.span(), wf::sum, {}, state.data()), wf::invalid_input);
}

TEST(reduce, leaves_no_error_behind) {
    engine::items<float> const x{std::vector<float>(1 << 20, 1.5F)};
    for (int i = 0; i < 20; ++i) EXPECT_EQ(wf::reduce(x.span(), wf::sum), 1.5F * (1 << 20));
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(reduce, takes_the_item_count_from_the_device) {
    auto const x = items::make<float>(5000, items::kind::uniform, 4);
    engine::items<float> const device{x};
    engine::items<wf::index_t> const count{{1234}};
    wf::device::options how;
    how.items = count.data();
    std::vector<float> const part(x.begin(), x.begin() + 1234);
    EXPECT_EQ(wf::reduce(device.span(), wf::sum, how), engine::defined(wf::sum, engine::host_span(part)).value);
}

TEST(reduce, what_is_read_once) {
    // Of the last, what it reads is more than a launch may say that of.
    for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{1001}, std::size_t{70001}, std::size_t{engine::on_gpu ? 1 << 25 : 1 << 20}}) {
        auto const x = items::make<float>(n + 1, items::kind::uniform, 6);
        engine::items<float> const device{x};
        wf::device_span<float> const in(device.data() + 1, static_cast<wf::index_t>(n));
        EXPECT_EQ(engine::reduce(in, wf::sum, {.once = true}).value, engine::reduce(in, wf::sum).value) << n;
        EXPECT_EQ(wf::reduce(in, wf::sum, {.once = true}), engine::reduce(in, wf::sum).value) << n;
        wf::strided<float> const backwards{device.data() + n, static_cast<wf::index_t>(n), -1};  // of which nobody knows where it lies
        EXPECT_EQ(engine::reduce(backwards, wf::sum, {.once = true}).value, engine::reduce(in, wf::sum).value) << n;
        auto const pairs = wf::zip(in, wf::device_span<float>(device.data(), static_cast<wf::index_t>(n)));
        EXPECT_EQ(engine::reduce(pairs, wf::dot, {.once = true}).value, engine::reduce(pairs, wf::dot).value) << n;
    }
}

TEST(reduce, of_less_than_no_items) {
    engine::items<float> const x{std::vector<float>(5000, 1.0F)};
    engine::items<wf::index_t> const count{{-7}};
    wf::device::options const how{.items = count.data()};
    EXPECT_EQ(engine::reduce(x.span(), wf::min, how).state, wf::status::empty);
    EXPECT_TRUE(std::isnan(engine::reduce(x.span(), wf::mean, how).value));
    EXPECT_EQ(engine::reduce(x.span(), wf::count, how).value, 0);
}

TEST(sums, many_items_that_no_window_reaches) {
    // Their sums go from bins to the totals, which have to hold 2^24 of them.
    wf::index_t const n = engine::on_gpu ? wf::index_t{1} << 25 : 1 << 12;
    for (float const x : {1.7e10F, -1.6e10F, 5000.F, 3e-5F}) {
        engine::items<float> const one{{x}};
        EXPECT_EQ(wf::reduce(wf::strided<float>{one.data(), n, 0}, wf::sum, wf::device::options{}),
                  static_cast<float>(static_cast<double>(x) * static_cast<double>(n)));
    }
}

TEST(sums, many_items_beside_some_that_no_window_reaches) {
    // These take the others of their tile along to bins of other units.
    std::vector<float> x(std::size_t{1} << 23);
    for (float const small : {6.1e-5F, -6.1e-5F, 200'000.F, 1e-9F}) {
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = i % 4 ? small : 5000.F;
        engine::items<float> const device{x};
        EXPECT_EQ(wf::reduce(device.span(), wf::sum), engine::defined(wf::sum, engine::host_span(x)).value);
    }
}

template <class T>
void expect_words_to_suffice(T large, T small) {
    std::vector<T> x(std::size_t{1} << 18);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = i % 2 ? small : large;
    engine::items<T> const device{x};
    wf::device::options how;
    how.blocks = 1;
    auto const both = wf::together(wf::as<double>(wf::sum), wf::as<double>(wf::norm_l2));
    EXPECT_EQ(wf::reduce(device.span(), both, how), engine::defined(both, engine::host_span(x)).value) << large;
    auto const dot = wf::as<double>(wf::dot);
    EXPECT_EQ(wf::reduce(wf::zip(device.span(), device.span()), dot, how),
              engine::defined(dot, wf::zip(engine::host_span(x), engine::host_span(x))).value) << large;
}
TEST(sums, many_items_that_go_alone) {
    // No windows hold both kinds, so they go to words of 32 bits, as pieces of 15 bits and more here: twice as many as
    // these have room for.
    expect_words_to_suffice(0x1.5554aaaaaaaaap100, 0x1p-100);
    expect_words_to_suffice(-0x1.5554aaaaaaaaap-500, 0x1p-1074);
    expect_words_to_suffice(0x1.5554aaP40F, 0x1p-40F);
    expect_words_to_suffice(-0x1.aaaaaaP-100F, 0x1p40F);
}

TEST(sums, many_items_of_one_thread) {
    // Each leaves half a unit to the next window, the most there is: 2^16 of them would not fit 64 bits.
    wf::index_t const n = wf::index_t{1} << 25;
    engine::items<double> const one{{0x1.1p-25, 0x1p-4}};
    wf::device::options how;
    how.blocks = 1;
    EXPECT_EQ(wf::reduce(wf::strided<double>{one.data(), n, 0}, wf::sum, how), 0x1.1p0);
    EXPECT_EQ(wf::reduce(wf::strided<double>{one.data() + 1, n, 0}, wf::norm_l2, how), std::sqrt(0x1p17));
}

/// The sum of 2^33 squares of x, more than a block of a small grid takes of 64 GiB.
__global__ void sum_many_squares(std::int64_t x, wf::exact::sum_of_products<std::int64_t>* out) {
    using gather = wf::folds::power_sums<std::int64_t, wf::folds::powers::second>;
    using lane = wf::device::lane<gather>;
    gather const g;
    wf::device::spill_area const none{};
    lane squares{g, {}};
    squares.take({{x}}, 0, 1, none);
    auto total = squares.settle(x, none);
    for (int i = 0; i < 33; ++i) lane::merge(g, total, total);
    *out = lane::full(g, total, 0, none).second;
}

TEST(sums, squares_of_more_than_96_bits_a_word) {
    using long_sum = wf::exact::sum_of_products<std::int64_t>;
    engine::items<long_sum> const out{{long_sum{}}};
    for (std::int64_t const x : {std::int64_t{3'037'000'499}, std::numeric_limits<std::int64_t>::min(), std::int64_t{-3}, std::int64_t{0x7fff'ffff'ffff'ff00}}) {
        cudaLaunchConfig_t config{};
        wf::device::check(cudaLaunchKernelEx(&config, sum_many_squares, x, out.data()), "cudaLaunchKernelEx");
        long_sum got;
        wf::device::check(cudaMemcpy(&got, out.data(), sizeof(got), cudaMemcpyDeviceToHost), "cudaMemcpy");
        got.carry();
        auto const square = static_cast<wf::uint128>(static_cast<wf::int128>(x) * x);
        for (int i = 0; i < long_sum::limbs; ++i) {
            int const from = 32 * i - 33;  // of the square's bits, those of this limb
            wf::uint128 const bits = from >= 128 ? 0 : from >= 0 ? square >> from : square << -from;
            EXPECT_EQ(got.limb[i], static_cast<std::uint32_t>(bits)) << x << ", limb " << i;
        }
    }
}

/// The totals of a block of 512 threads, three of each, and what its marks say, by words that its warps add up.
/// `longer`: the thread whose last total is longer than 64 bits, if one is; `positive`, which has such an item;
/// `spilled`, which has spilled.
__global__ void add_in_words(std::int64_t const* values, int longer, int positive, int spilled, std::int64_t* sums, int* marks) {
    constexpr int totals = 3;
    struct {
        wf::device::window_totals<1> first;
        wf::device::window_totals<totals - 1> second;
        wf::device::sum_marks marks;
    } mine;
    __shared__ std::uint32_t words[32];
    __shared__ std::uint64_t pieces[3 * totals + 1];
    auto const thread = static_cast<int>(threadIdx.x);
    for (int i = 0; i < totals; ++i)
        (i == 0 ? mine.first.total[0] : mine.second.total[i - 1]).set(values[totals * thread + i] + (thread == longer && i == totals - 1 ? wf::int128{1} << 64 : 0));
    mine.marks = {thread == positive ? 0U : ~0U, thread == spilled};
    if (thread < 32) words[thread] = 0;
    __syncthreads();
    if (!wf::device::add_words<16>(mine, words)) atomicAdd(marks + 2, 1);
    __syncthreads();
    if (thread <= 3 * totals) pieces[thread] = wf::device::piece_of_words(mine, words);
    __syncthreads();
    if (thread >= totals) return;
    wf::device::window_totals<1> sum;
    sum.set_sums(pieces + 3 * thread, 1);
    sums[2 * thread] = static_cast<std::int64_t>(sum.total[0].value());
    sums[2 * thread + 1] = static_cast<std::int64_t>(sum.total[0].value() >> 64);
    if (thread > 0) return;
    auto const all = wf::device::sum_marks::of_sum(pieces[3 * totals], 1);
    marks[0] = all.signs(1U << 31);
    marks[1] = all.spilled();
}

TEST(sums, totals_of_64_bits_add_up_in_words) {
    constexpr int threads = 512, totals = 3, nobody = -1;
    std::mt19937_64 random{5};
    for (auto const kind : {"lowest", "highest", "random", "one longer", "one positive", "one spilled"}) {
        auto const is = [&](char const* what) { return std::strcmp(kind, what) == 0; };
        std::vector<std::int64_t> values;
        wf::int128 wanted[totals] = {};
        for (int i = 0; i < threads * totals; ++i) {
            values.push_back(is("lowest") ? std::numeric_limits<std::int64_t>::min() : is("highest") ? std::numeric_limits<std::int64_t>::max()
                                                                                   : static_cast<std::int64_t>(random()) >> random() % 64);
            wanted[i % totals] += values.back();
        }
        engine::items<std::int64_t> const in{values}, sums{std::vector<std::int64_t>(2 * totals)};
        engine::items<int> const marks{{0, 0, 0}};
        cudaLaunchConfig_t config{};
        config.blockDim = dim3(threads);
        wf::device::check(cudaLaunchKernelEx(&config, add_in_words, static_cast<std::int64_t const*>(in.data()), is("one longer") ? 77 : nobody,
                                             is("one positive") ? 300 : nobody, is("one spilled") ? 511 : nobody, sums.data(), marks.data()),
                          "cudaLaunchKernelEx");
        std::int64_t got[2 * totals];
        int said[3];
        wf::device::check(cudaMemcpy(got, sums.data(), sizeof(got), cudaMemcpyDeviceToHost), "cudaMemcpy");
        wf::device::check(cudaMemcpy(said, marks.data(), sizeof(said), cudaMemcpyDeviceToHost), "cudaMemcpy");
        EXPECT_EQ(said[2], is("one longer") ? 32 : 0) << kind;
        if (is("one longer")) continue;
        for (int i = 0; i < totals; ++i)
            EXPECT_TRUE(got[2 * i] == static_cast<std::int64_t>(wanted[i]) && got[2 * i + 1] == static_cast<std::int64_t>(wanted[i] >> 64)) << kind << ", total " << i;
        EXPECT_EQ(said[0], !is("one positive")) << kind;
        EXPECT_EQ(said[1], is("one spilled")) << kind;
    }
}

TEST(streams, thirty_two_at_once) {
    constexpr int streams = 32, rounds = engine::is_fast ? 50 : 2;
    std::vector<std::thread> threads;
    std::vector<int> wrong(streams, 0);
    for (int s = 0; s < streams; ++s) {
        threads.emplace_back([s, &wrong] {
            cudaStream_t stream;
            cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
            auto const x = items::make<float>(20000 + 100 * static_cast<std::size_t>(s), items::kind::mixed_scales, static_cast<unsigned>(s));
            engine::items<float> const device{x};
            float const wanted = engine::defined(wf::sum, engine::host_span(x)).value;
            for (int i = 0; i < rounds; ++i) wrong[static_cast<std::size_t>(s)] += wf::reduce(device.span(), wf::sum, wf::on(stream)) != wanted;
            cudaStreamDestroy(stream);
        });
    }
    for (auto& t : threads) t.join();
    for (int const w : wrong) EXPECT_EQ(w, 0);
}

/// What runs for a value is kept for the next call, which may be of other items, another fold or on another stream.
TEST(streams, take_turns_for_values_of_other_items_and_folds) {
    cudaStream_t own;
    wf::device::check(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    for (std::size_t const n : {100, 4000, 4001, 50000}) {
        auto const x = items::make<float>(n, items::kind::normal, 7), y = items::make<float>(n, items::kind::mixed_scales, 8);
        engine::items<float> const first{x}, second{y};
        for (cudaStream_t const stream : {cudaStream_t{}, own, cudaStream_t{}}) {
            EXPECT_EQ(wf::reduce(first.span(), wf::sum, wf::on(stream)), engine::wanted(wf::sum, engine::host_span(x)).value) << n;
            EXPECT_EQ(wf::reduce(second.span(), wf::sum, wf::on(stream)), engine::wanted(wf::sum, engine::host_span(y)).value) << n;
            EXPECT_EQ(wf::reduce(second.span(), wf::argmin, wf::on(stream)), engine::wanted(wf::argmin, engine::host_span(y)).value) << n;
        }
    }
    cudaStreamDestroy(own);
}

/// Lets what follows it in its stream begin, where devices can, long before it writes.
__global__ void write_late(float* x, float value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
    long long const begin = clock64();
    while (clock64() - begin < 200000) {}
#endif
    *x = value;
}

TEST(streams, a_reduction_waits_for_the_kernel_ahead_of_it) {
    cudaStream_t stream;
    wf::device::check(cudaStreamCreate(&stream), "cudaStreamCreate");
    for (std::size_t const n : {100, 30000}) {
        engine::items<float> const device{items::make<float>(n, items::kind::normal, 3)};
        engine::items<float> const out{std::vector<float>(20)};
        for (int i = 0; i < 20; ++i) {
            cudaLaunchConfig_t config{};
            config.stream = stream;
            wf::device::check(cudaLaunchKernelEx(&config, write_late, device.data() + n - 1, 100.F + static_cast<float>(i)), "cudaLaunchKernelEx");
            wf::reduce_into(out.data() + i, device.span(), wf::max, wf::on(stream));
        }
        float got[20];
        cudaMemcpyAsync(got, out.data(), sizeof(got), cudaMemcpyDeviceToHost, stream);
        wf::device::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
        for (int i = 0; i < 20; ++i) EXPECT_EQ(got[i], 100.F + static_cast<float>(i)) << n;
    }
    cudaStreamDestroy(stream);
}

TEST(graphs, replay_a_thousand_times_with_changed_items) {
    cudaStream_t stream;
    wf::device::check(cudaStreamCreate(&stream), "cudaStreamCreate");
    auto const x = items::make<float>(50000, items::kind::mixed_scales, 1), y = items::make<float>(50000, items::kind::normal, 2);
    engine::items<float> const device{x};
    engine::items<float> const out{{0, 0}};
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaError_t const begun = cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    if (begun == cudaErrorNotSupported) GTEST_SKIP() << "this engine captures no graphs";
    wf::device::check(begun, "cudaStreamBeginCapture");
    wf::reduce_into(out.data(), device.span(), wf::sum, wf::on(stream));
    wf::reduce_into(out.data() + 1, device.span(), wf::max, wf::on(stream));
    wf::device::check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
    wf::device::check(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
    float const sums[] = {engine::defined(wf::sum, engine::host_span(x)).value, engine::defined(wf::sum, engine::host_span(y)).value};
    float const greatest[] = {engine::defined(wf::max, engine::host_span(x)).value, engine::defined(wf::max, engine::host_span(y)).value};
    for (int i = 0; i < (engine::is_fast ? 1000 : 20); ++i) {
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

/// A thread that captures one stream may reduce on another: that neither fails nor ends the capture, also where a fold
/// runs for the first time.
TEST(graphs, are_captured_beside_values) {
    cudaStream_t captured, other;
    wf::device::check(cudaStreamCreateWithFlags(&captured, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    wf::device::check(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    auto const x = items::make<std::int16_t>(1000, items::kind::bit_patterns, 1), large = items::make<std::int16_t>(engine::is_fast ? 1 << 25 : 1 << 10, items::kind::bit_patterns, 2);
    engine::items<std::int16_t> const few{x}, many{large};
    engine::items<std::int64_t> const out{{0}};
    cudaError_t const begun = cudaStreamBeginCapture(captured, cudaStreamCaptureModeGlobal);
    if (begun == cudaErrorNotSupported) GTEST_SKIP() << "this engine captures no graphs";
    wf::device::check(begun, "cudaStreamBeginCapture");
    wf::reduce_into(out.data(), few.span(), wf::sum, wf::on(captured));
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(wf::reduce(few.span(), wf::min, wf::on(other)), engine::wanted(wf::min, engine::host_span(x)).value);
        EXPECT_EQ(wf::reduce(many.span(), wf::variance, wf::on(other)), engine::wanted(wf::variance, engine::host_span(large)).value) << "it takes so long that the wait asks for errors";
    }
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    wf::device::check(cudaStreamEndCapture(captured, &graph), "cudaStreamEndCapture");
    wf::device::check(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
    wf::device::check(cudaGraphLaunch(executable, captured), "cudaGraphLaunch");
    std::int64_t got;
    cudaMemcpyAsync(&got, out.data(), sizeof(got), cudaMemcpyDeviceToHost, captured);
    wf::device::check(cudaStreamSynchronize(captured), "cudaStreamSynchronize");
    EXPECT_EQ(got, engine::wanted(wf::sum, engine::host_span(x)).value);
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(captured);
    cudaStreamDestroy(other);
}

TEST(reduce, passes_over_the_signal_that_is_none) {
    auto const x = items::make<float>(1000, items::kind::normal, 3);
    engine::items<float> const device{x};
    float const wanted = engine::defined(wf::sum, engine::host_span(x)).value;
    {
        wf::device::memory_pool::borrowed_slot const slot{wf::device::current_device()};
        slot->signal = ~0U;
    }
    for (int i = 0; i < 3; ++i) EXPECT_EQ(wf::reduce(device.span(), wf::sum), wanted);
}

TEST(repeats, give_the_same_bits) {
    auto const x = items::make<float>(engine::is_fast ? 300007 : 60007, items::kind::finite_patterns, 8);
    engine::items<float> const device{x};
    float const wanted = engine::defined(wf::sum, engine::host_span(x)).value;
    for (int i = 0; i < (engine::is_fast ? 100 : 10); ++i) ASSERT_EQ(wf::bits_as<std::uint32_t>(wf::reduce(device.span(), wf::sum)), wf::bits_as<std::uint32_t>(wanted));
}

TEST(grids, of_more_blocks_than_a_block_has_threads) {
    auto const x = items::make<float>(5000, items::kind::finite_patterns, 21);
    engine::items<float> const device{x};
    auto const wanted = engine::defined(wf::sum, engine::host_span(x)).value;
    EXPECT_EQ(wf::bits_as<std::uint32_t>(engine::reduce(device.span(), wf::sum, 700).value), wf::bits_as<std::uint32_t>(wanted));
    EXPECT_EQ(engine::reduce(device.span(), wf::argmax, 700).value, engine::defined(wf::argmax, engine::host_span(x)).value);
}

/// Whatever blocks a grid has, each item is read once: of rows as few as a tile's, of rounds in turn, and of rounds
/// that warps draw, of which some are done at once, as where the device says that there are fewer items. What blocks
/// meet by is zero again after each call.
TEST(rounds, in_turn_and_drawn) {
    namespace device = wf::device;
    std::size_t const most = 850'001;
    auto const x = items::make<std::int32_t>(most, items::kind::bit_patterns, 31);
    auto const y = items::make<float>(most, items::kind::mixed_scales, 32);
    auto const z = items::make<double>(most, items::kind::mixed_scales, 33);
    // Equal extremes for one thread, whose first one is not in the first round of a draw; zeros of both signs, which
    // tie.
    std::vector<std::int16_t> t(most);
    std::vector<float> u(most, 1.0F);
    for (std::size_t i = 82'920; i < most; i += 8192) {
        t[i] = -7;
        t[i + 1] = 7;
        u[i] = i / 8192 % 2 ? 0.0F : -0.0F;
    }
    engine::items<std::int16_t> const ties{t};
    engine::items<float> const zeros{u};
    engine::items<std::int32_t> const integers{x};
    engine::items<float> const floats{y};
    engine::items<double> const doubles{z};
    engine::items<unsigned char> const work{std::vector<unsigned char>(device::workspace::bytes)};
    auto const check = [&](auto const& f, auto const& in, auto const& host_in, int blocks, wf::index_t const* count = nullptr) {
        auto const wanted = engine::wanted(f, host_in);
        auto const got = engine::reduce(in, f, device::options{.blocks = blocks, .items = count, .work = work.data()});
        EXPECT_TRUE(got.state == wanted.state && engine::same(got.value, wanted.value)) << in.size() << " items, " << blocks << " blocks";
        std::vector<unsigned char> after(device::workspace::meeting_bytes + device::workspace::spill_bytes);
        device::check(cudaMemcpy(after.data(), work.data(), after.size(), cudaMemcpyDeviceToHost), "cudaMemcpy");
        EXPECT_EQ(std::ranges::count(after, 0), std::ssize(after)) << in.size() << " items, " << blocks << " blocks";
    };
    for (int const offset : {0, 1}) {
        auto const some = [&](auto const& all, int n) { return engine::span<std::remove_cvref_t<decltype(*all.data())>>(all.data() + offset, n); };
        auto const host_some = [&](auto const& all, int n) { return wf::contiguous{all.data() + offset, wf::index_t{n}}; };
        for (int const blocks : {1, 4}) {
            for (int const n : {blocks == 1 ? 40'000 : 802'824, blocks * 120'001, 200'001}) {
                check(wf::sum, some(integers, n), host_some(x, n), blocks);
                check(wf::argmax, some(floats, n), host_some(y, n), blocks);
                check(wf::together(wf::sum, wf::argmin), some(floats, n), host_some(y, n), blocks);
                check(wf::together(wf::sum, wf::max), some(doubles, n), host_some(z, n), blocks);
                check(wf::dot, wf::zip(some(floats, n), some(floats, n)), wf::zip(host_some(y, n), host_some(y, n)), blocks);
            }
        }
        // Places, of which blocks take more rows by a shortcut.
        check(wf::argminmax, some(ties, 840'000), host_some(t, 840'000), 1);
        check(wf::argminmax, some(zeros, 840'000), host_some(u, 840'000), 1);
        check(wf::together(wf::sum, wf::argmin, wf::argmax), some(zeros, 840'000), host_some(u, 840'000), 1);
        for (int const n : {5, 500'000}) {
            engine::items<wf::index_t> const count{{n}};
            check(wf::sum, some(integers, 850'000), host_some(x, n), 4, count.data());
            check(wf::together(wf::sum, wf::max), some(doubles, 850'000), host_some(z, n), 4, count.data());
        }
    }
}

TEST(sizes, beyond_32_bits) {
    if (!engine::on_gpu) GTEST_SKIP() << "hours";
    for (wf::index_t const n : {(wf::index_t{1} << 31) - 1, (wf::index_t{1} << 31) + 1, (wf::index_t{1} << 32) + 3}) {
        std::int8_t* x = nullptr;
        wf::device::check(cudaMalloc(&x, static_cast<std::size_t>(n)), "cudaMalloc");
        wf::device::check(cudaMemset(x, 1, static_cast<std::size_t>(n)), "cudaMemset");
        wf::device::check(cudaMemset(x + n - 1, 3, 1), "cudaMemset");
        EXPECT_EQ(wf::reduce(wf::device_span<std::int8_t>(x, n), wf::sum), n + 2);
        EXPECT_EQ(wf::reduce(wf::device_span<std::int8_t>(x, n), wf::argmax), n - 1);
        EXPECT_EQ(engine::reduce(wf::device_span<std::int8_t>(x, n), wf::argmax, 4096).value, n - 1);
        wf::device::check(cudaMemset(x + 100, 3, 1), "cudaMemset");
        EXPECT_EQ(engine::reduce(wf::device_span<std::int8_t>(x, n), wf::argmax, 4096).value, 100);
        cudaFree(x);
    }
}

TEST(sizes, of_equal_extremes_in_many_blocks) {
    if (!engine::on_gpu) GTEST_SKIP() << "minutes";
    std::size_t const n = std::size_t{1} << 26, first = 5'587'944;
    std::vector<float> x(n, 1.0F);
    for (std::size_t i = first; i < n; i += 8192) x[i] = -5;
    engine::items<float> const copy{x};
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(wf::reduce(copy.span(), wf::argmin), static_cast<wf::index_t>(first));
        EXPECT_EQ(wf::reduce(copy.span(), wf::argmax), 0);
    }
}

/// An item of no window, for each byte.
struct far_up {
    WARPFOLD_HD float operator()(std::int8_t) const { return 0x1.fffffep17F; }
};
TEST(sizes, of_more_items_a_block_than_its_bins_hold) {
    if (!engine::on_gpu) GTEST_SKIP() << "hours";
    wf::index_t const n = (wf::index_t{1} << 33) + (wf::index_t{1} << 20);
    std::int8_t* x = nullptr;
    wf::device::check(cudaMalloc(&x, static_cast<std::size_t>(n)), "cudaMalloc");
    wf::device::check(cudaMemset(x, 1, static_cast<std::size_t>(n)), "cudaMemset");
    auto const in = wf::map(far_up{}, wf::device_span<std::int8_t>(x, n));
    EXPECT_EQ(engine::reduce(in, wf::sum, 1).value, 0x1.0007fep+51F);
    cudaFree(x);
}

}  // namespace
