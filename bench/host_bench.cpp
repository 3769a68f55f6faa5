// The calls that bench/host_bench.py times in turn with NumPy's, as a library: each fold and std::reduce over each
// type.
#include <benchmark/benchmark.h>
#include <warpfold/warpfold.hpp>

#include <chrono>
#include <execution>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "read_limit.hpp"

namespace {

struct call {
    std::string name;                                   ///< type/fold
    std::function<void(void const*, std::size_t)> run;  ///< reads so many bytes of items
    std::function<bool(void const*, std::size_t)> right = [](void const*, std::size_t) { return true; };
};

template <class T>
std::span<T const> all_items(void const* items, std::size_t bytes) {
    return {static_cast<T const*>(items), bytes / sizeof(T)};
}
/// Two inputs: the first and the second half of the bytes.
template <class T>
auto halves(void const* items, std::size_t bytes) {
    auto const all = all_items<T>(items, bytes);
    return wf::zip(all.first(all.size() / 2), all.last(all.size() / 2));
}

/// Whether `fold` yields what the plain loop over its steps does, bit for bit.
bool right(auto const& range, auto const& fold) {
    auto const in = wf::as_input(range);
    typename decltype(in)::value_type item;
    auto const bound = wf::bind<decltype(item)>(fold);
    auto state = bound.identity();
    for (wf::index_t i = 0; i < in.size(); ++i) bound.step(state, *in.load(i, 1, &item), i);
    auto const expected = wf::detail::as_outcome(bound.finish(state)).value, found = wf::reduce(range, fold);
    return expected == found || (expected != expected && found != found);
}

void add(std::vector<call>& calls, std::string const& name, auto const& range, auto const& fold) {
    calls.push_back(
        {name,
         [=](void const* items, std::size_t bytes) { benchmark::DoNotOptimize(wf::reduce(range(items, bytes), fold)); },
         [=](void const* items, std::size_t bytes) { return right(range(items, bytes), fold); }});
}

template <class T>
void add_type(std::vector<call>& calls, std::string const& type) {
    calls.push_back({type + "/std::reduce par", [](void const* items, std::size_t bytes) {
                         using accumulator = std::conditional_t<std::is_integral_v<T>, wf::integer_result<T>, T>;
                         auto const x = all_items<T>(items, bytes);
                         benchmark::DoNotOptimize(std::reduce(std::execution::par, x.begin(), x.end(), accumulator{}));
                     }});
    auto const fold = [&](char const* name, auto const& f) { add(calls, type + "/" + name, all_items<T>, f); };
    fold("sum", wf::sum);
    fold("mean", wf::mean);
    fold("variance", wf::variance);
    fold("standard_deviation", wf::standard_deviation);
    fold("mean and variance", wf::together(wf::mean, wf::variance));
    fold("norm_l1", wf::norm_l1);
    fold("norm_l2", wf::norm_l2);
    fold("norm_linf", wf::norm_linf);
    fold("min", wf::min);
    fold("max", wf::max);
    fold("minmax", wf::minmax);
    fold("argmin", wf::argmin);
    fold("argmax", wf::argmax);
    fold("argminmax", wf::argminmax);
    fold("any", wf::any);
    fold("all", wf::all);
    fold("stats", wf::together(wf::count, wf::sum, wf::mean, wf::standard_deviation, wf::min, wf::argmin, wf::max,
                               wf::argmax, wf::norm_l2));
    if constexpr (std::is_floating_point_v<T>) {
        fold("count, skip_nan", wf::skip_nan(wf::count));
        fold("product", wf::product);
        fold("logsumexp", wf::logsumexp);
        add(calls, type + "/dot", halves<T>, wf::dot);
        add(calls, type + "/squared_distance", halves<T>, wf::squared_distance);
    }
}

std::vector<call> const& calls() {
    static std::vector<call> const all = [] {
        std::vector<call> made;
        for (auto const& read : plain_reads)
            made.push_back({read.name, [=](void const* items, std::size_t bytes) { benchmark::DoNotOptimize(read.run(items, bytes)); }});
        add_type<float>(made, "float32");
        add_type<double>(made, "float64");
        add_type<std::int32_t>(made, "int32");
        add_type<std::int64_t>(made, "int64");
        add_type<std::uint8_t>(made, "uint8");
        return made;
    }();
    return all;
}

}  // namespace

/// The name of the i-th call, type/fold, or null after the last. The plain reads come first.
extern "C" char const* call_name(std::size_t i) {
    return i < calls().size() ? calls()[i].name.c_str() : nullptr;
}
/// Whether it yields what the plain fold loop does.
extern "C" bool call_right(std::size_t i, void const* items, std::size_t bytes) {
    return calls()[i].right(items, bytes);
}
/// The seconds that it takes once.
extern "C" double call_seconds(std::size_t i, void const* items, std::size_t bytes) {
    auto const start = std::chrono::steady_clock::now();
    calls()[i].run(items, bytes);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}
