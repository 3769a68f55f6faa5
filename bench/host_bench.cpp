// Rates of the host engine: every fold over every size, beside std::reduce. Each benchmark checks its answer against the
// plain fold loop before it is timed, and reads the same memory plainly between any two calls: the read limit, under the
// same conditions. Names are type/size/fold, rates bytes a second of median calls; script/bench makes the table.
#include <benchmark/benchmark.h>
#include <warpfold/warpfold.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <execution>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "read_limit.hpp"

namespace {

constexpr std::size_t sizes[] = {std::size_t{1} << 20, std::size_t{1} << 26, std::size_t{1} << 30};
constexpr char const* size_names[] = {"1MiB", "64MiB", "1GiB"};

/// Random items: floats of ±8 with a full significand, integers of at most 32 bits, so that no sum overflows.
template <class T>
std::vector<T> random_items(std::size_t count) {
    std::vector<T> items(count);
    std::mt19937_64 random{2026};
    for (T& x : items) {
        auto const bits = random();
        if constexpr (std::is_floating_point_v<T>) x = static_cast<T>(static_cast<double>(static_cast<std::int64_t>(bits)) * 0x1p-60);
        else x = static_cast<T>(static_cast<std::int32_t>(bits >> 32));
    }
    return items;
}

/// The largest input of a type, made once; smaller sizes read its beginning.
template <class T>
std::vector<T> const& items() {
    static std::vector<T> const all = random_items<T>(sizes[2] / sizeof(T));  // one per type: 5 GiB in all
    return all;
}

/// Bit for bit the same results?
template <class R>
bool same(R const& a, R const& b) {
    return a == b || (a != a && b != b);
}

template <class T, class F>
void check(benchmark::State& state, F const& fold, std::span<T const> x) {
    auto const part = x.first(std::min<std::size_t>(x.size(), 43210));
    auto const bound = wf::bind<T>(fold);
    auto expected = bound.identity();
    for (std::size_t i = 0; i < part.size(); ++i) bound.step(expected, part[i], static_cast<wf::index_t>(i));
    auto const outcome = wf::detail::as_outcome(bound.finish(expected));
    if (!same(outcome.value, wf::reduce(part, fold))) state.SkipWithError("wrong answer");
}

double seconds_of(auto const& call) {
    auto const start = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}
double median(std::vector<double>& values) {
    auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Times `call`, which reads `bytes` bytes from `items` on, in turn with reading them, for half a second.
template <class T>
void time_beside_reading(benchmark::State& state, T const* items, std::size_t bytes, auto const& call) {
    for (auto _ : state) {
        std::vector<double> calls, reads;
        for (double spent = 0; spent < 0.5 || calls.size() < 5; spent += reads.back() + calls.back()) {
            reads.push_back(seconds_of([&] { benchmark::DoNotOptimize(read_all(items, bytes)); }));
            calls.push_back(seconds_of([&] { benchmark::DoNotOptimize(call()); }));
        }
        state.counters["rate"] = static_cast<double>(bytes) / median(calls);
        state.counters["read_limit"] = static_cast<double>(bytes) / median(reads);
    }
}

template <class Body>
void add(std::string const& name, Body body) {
    benchmark::RegisterBenchmark(name.c_str(), body)->Iterations(1);
}

template <class T, class F>
void add_fold(std::string const& type, char const* name, F const& fold) {
    for (int s = 0; s < 3; ++s)
        add(type + "/" + size_names[s] + "/" + name, [fold, s](benchmark::State& state) {
            std::span<T const> const x{items<T>().data(), sizes[s] / sizeof(T)};
            check(state, fold, x);
            time_beside_reading(state, x.data(), sizes[s], [&] { return wf::reduce(x, fold); });
        });
}

/// Two inputs: the first and the second half of the bytes.
template <class T, class F>
void add_pair_fold(std::string const& type, char const* name, F const& fold) {
    for (int s = 0; s < 3; ++s)
        add(type + "/" + size_names[s] + "/" + name, [fold, s](benchmark::State& state) {
            std::size_t const n = sizes[s] / sizeof(T) / 2;
            std::span<T const> const x{items<T>().data(), n}, y{items<T>().data() + n, n};
            time_beside_reading(state, x.data(), sizes[s], [&] { return fold(x, y); });
        });
}

template <class T>
void add_type(std::string const& type) {
    for (int s = 0; s < 3; ++s)
        add(type + "/" + size_names[s] + "/std::reduce par", [s](benchmark::State& state) {
            using accumulator = std::conditional_t<std::is_integral_v<T>, wf::integer_result<T>, T>;
            T const* x = items<T>().data();
            time_beside_reading(state, x, sizes[s], [&] {
                return std::reduce(std::execution::par, x, x + sizes[s] / sizeof(T), accumulator{});
            });
        });
    add_fold<T>(type, "sum", wf::sum);
    add_fold<T>(type, "mean", wf::mean);
    add_fold<T>(type, "variance", wf::variance);
    add_fold<T>(type, "standard_deviation", wf::standard_deviation);
    add_fold<T>(type, "mean and variance", wf::together(wf::mean, wf::variance));
    add_fold<T>(type, "norm_l1", wf::norm_l1);
    add_fold<T>(type, "norm_l2", wf::norm_l2);
    add_fold<T>(type, "norm_linf", wf::norm_linf);
    add_fold<T>(type, "min", wf::min);
    add_fold<T>(type, "max", wf::max);
    add_fold<T>(type, "minmax", wf::minmax);
    add_fold<T>(type, "argmin", wf::argmin);
    add_fold<T>(type, "argmax", wf::argmax);
    add_fold<T>(type, "argminmax", wf::argminmax);
    add_fold<T>(type, "any", wf::any);
    add_fold<T>(type, "all", wf::all);
    add_fold<T>(type, "stats",
                wf::together(wf::count, wf::sum, wf::mean, wf::standard_deviation, wf::min, wf::argmin, wf::max,
                             wf::argmax, wf::norm_l2));
    if constexpr (std::is_floating_point_v<T>) {
        add_fold<T>(type, "count, skip_nan", wf::skip_nan(wf::count));
        add_fold<T>(type, "product", wf::product);
        add_fold<T>(type, "logsumexp", wf::logsumexp);
        add_pair_fold<T>(type, "dot", wf::dot);
        add_pair_fold<T>(type, "squared_distance", wf::squared_distance);
    }
}

}  // namespace

int main(int argc, char** argv) {
    add_type<float>("float32");
    add_type<double>("float64");
    add_type<std::int32_t>("int32");
    add_type<std::int64_t>("int64");
    add_type<std::uint8_t>("uint8");
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
