// How fast the executor runs kernels: items a second with checks and counters off and on, and what a fiber switch
// costs.
#include <benchmark/benchmark.h>

#include <numeric>

#include "bench/simt_bench_kernels.hpp"

namespace {

using sum_kernel = simt::report (*)(simt::config const&, float const*, float*, std::size_t);

// Fails the benchmark where the sum is wrong or the checks found something.
void sum_items(benchmark::State& state, sum_kernel run, simt::config config, std::size_t n) {
    simt::memory<float> const in(n, 1.0F);
    simt::memory<float> out(config.grid.x);
    for (auto _ : state) {
        simt::report const r = run(config, in.data(), out.data(), n);
        double const sum = std::accumulate(out.span().begin(), out.span().end(), 0.0);
        if (!r.clean() || sum != static_cast<double>(n)) state.SkipWithError("wrong sum, or a finding");
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(n));
}

simt::config blocks_of_256(std::size_t blocks, bool watched) {
    simt::config config;
    config.grid = static_cast<unsigned>(blocks);
    config.block = 256;
    config.checks = config.counters = watched;
    return config;
}

void tree(benchmark::State& state) {
    bool const watched = state.range(0) != 0;
    std::size_t const n = watched ? 1U << 21 : 1U << 24;
    sum_items(state, watched ? checked::sum_by_tree : plain::sum_by_tree, blocks_of_256(n / 256, watched), n);
}

void grid_stride(benchmark::State& state) {
    bool const watched = state.range(0) != 0;
    std::size_t const n = 1U << 24;
    sum_items(state, watched ? checked::sum_by_grid_stride : plain::sum_by_grid_stride, blocks_of_256(1024, watched),
              n);
}

// One host thread; every thread of every block switches once a barrier.
void fiber_switch(benchmark::State& state) {
    simt::config config = blocks_of_256(16, false);
    config.threads = 1;
    constexpr unsigned count = 1000;
    for (auto _ : state) {
        if (!plain::only_barriers(config, count).clean()) state.SkipWithError("a finding");
    }
    state.counters["per_switch"] = benchmark::Counter(
        16.0 * 256 * count, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

BENCHMARK(tree)->ArgName("checked")->Arg(0)->Arg(1)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(grid_stride)->ArgName("checked")->Arg(0)->Arg(1)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(fiber_switch)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
