// Rates of the device engine and of CUB beside it, as lines of JSON. WARPFOLD_BENCH_TYPE names the item type.
//
//     device_bench          2^8 … 2^30 items, 4 GiB of them, odd sizes; every row says what its answer was found to be
//     device_bench cub      what CUB has, under the name of its version, and ours beside it: for headers other than the toolkit's
//     device_bench once     one launch of each fold and size, to be watched by a profiler (counters.py)
//
// Ours are compared with those of a grid of another shape, bit for bit; the program ends with 1 where one differs.
// CUB's are compared with ours.
#include <cub/cub.cuh>
#include <cuda/std/functional>

#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "read_limit.hpp"
#include "timing.hpp"
#include "warpfold/device/launch.hpp"
#include "warpfold/folds/dot.hpp"
#include "warpfold/folds/extrema.hpp"
#include "warpfold/folds/logic.hpp"
#include "warpfold/folds/logsumexp.hpp"
#include "warpfold/folds/products.hpp"
#include "warpfold/folds/moments.hpp"
#include "warpfold/half.hpp"
#include "warpfold/together.hpp"

namespace {

using item = WARPFOLD_BENCH_TYPE;

/// Integers are uniform, whatever else is asked for, or near 1: 1 and -1, whose product every type holds.
enum class distribution { normal, uniform, large, huge, spread, bit_patterns, near_one, zeros };
constexpr char const* name_of(distribution d) {
    constexpr char const* names[] = {"normal", "uniform", "normal times 1e6", "normal times 1e20", "exp(3 normal)",
                                     "finite bit patterns", "near 1", "zeros"};
    if (d == distribution::normal && !wf::is_float<item>) return name_of(distribution::uniform);
    return names[static_cast<int>(d)];
}

__device__ std::uint64_t mix(std::uint64_t x) {  // SplitMix64
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27) * 0x94d049bb133111ebU;
    return x ^ x >> 31;
}

/// A value that comes of nothing: what is left of a reduction is to launch it and to tell its value.
__global__ void tell(wf::device::sink out) { wf::device::deliver(out, wf::outcome<float>{0, wf::status::ok}); }

template <class T>
__global__ void fill(T* x, wf::index_t n, distribution d) {
    for (wf::index_t i = blockIdx.x * static_cast<wf::index_t>(blockDim.x) + threadIdx.x; i < n; i += static_cast<wf::index_t>(gridDim.x) * blockDim.x) {
        std::uint64_t const bits = mix(static_cast<std::uint64_t>(i));
        if constexpr (!wf::is_float<T>) {
            if (d == distribution::near_one) x[i] = std::is_signed_v<T> && bits % 2 ? static_cast<T>(-1) : T{1};
            else x[i] = d == distribution::zeros ? T{} : static_cast<T>(bits);
        } else if (d == distribution::bit_patterns) {
            using word = typename wf::float_format<T>::bits;
            auto w = static_cast<word>(bits);
            if ((w & wf::infinity_bits<T>) == wf::infinity_bits<T>) w = static_cast<word>(w ^ (word{1} << wf::float_format<T>::significand_bits));
            x[i] = wf::bits_as<T>(w);
        } else {
            double const u = (static_cast<double>(bits >> 32) + 1) * 0x1p-32, v = static_cast<double>(bits & 0xffffffffU) * 0x1p-32;
            double value = d == distribution::uniform ? u : sqrt(-2 * log(u)) * cospi(2 * v);
            if (d == distribution::large) value *= 1e6;
            if (d == distribution::huge) value *= 1e20;
            if (d == distribution::spread) value = exp(3 * value);
            if (d == distribution::near_one) value = exp(1e-4 * value);  // 2^30 of them: between e^-10 and e^10 or so
            if (d == distribution::zeros) value = 0;
            if constexpr (std::is_same_v<T, wf::bfloat16>) x[i] = {static_cast<std::uint16_t>(__float_as_uint(static_cast<float>(value)) >> 16)};
            else if constexpr (std::is_same_v<T, wf::float16>) {
                std::uint16_t h;
                asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(static_cast<float>(value)));
                x[i] = {h};
            } else x[i] = static_cast<T>(value);
        }
    }
}

std::string const cub_name = "CUB " + std::to_string(CUB_MAJOR_VERSION) + "." + std::to_string(CUB_MINOR_VERSION) + "." +
                             std::to_string(CUB_SUBMINOR_VERSION);

struct is_positive {
    WARPFOLD_HD bool operator()(item x) const { return static_cast<float>(x) > 0; }
};

/// What was found of an answer, and how far it is off where that is asked: in units of the last place of the exact one.
struct verdict {
    std::string answer;
    std::optional<double> ulps = std::nullopt;
};

/// A peer's answer, beside the exact one rounded once. Of integers that it has no room for it owes the low bits.
template <class T, class R>
verdict judge(T found, wf::outcome<R> const& exact) {
    verdict const wrong{"WRONG: " + std::to_string(found) + ", not " + std::to_string(exact.value)};
    if constexpr (std::is_integral_v<T>) {
        if (found != static_cast<T>(exact.value)) return wrong;
        bool const whole = exact.state == wf::status::ok && static_cast<R>(found) == exact.value;
        return {whole ? "right" : "right modulo 2^" + std::to_string(8 * sizeof(T))};
    } else {
        if (found == exact.value) return {"right", 0.0};
        if (!std::isfinite(found) || !std::isfinite(exact.value)) return wrong;
        double const off = std::abs(static_cast<double>(found) - static_cast<double>(exact.value));
        T const size = std::abs(exact.value), ulp = std::nextafter(size, wf::infinity_of<T>) - size;
        return {"inexact", off / static_cast<double>(ulp)};
    }
}

template <class F, class Input>
using outcome_of = wf::outcome<wf::result_of<wf::bound<F, typename Input::value_type>>>;

class program {
  public:
    /// only_cub: what CUB has, and ours beside it, for small times of two processes differ by 0.1 us (H200).
    explicit program(bool only_cub) : only_cub_{only_cub} {
        bench::check(cudaMalloc(&items_, most_bytes), "cudaMalloc");
        bench::check(cudaMalloc(&out_, 4096), "cudaMalloc");
        bench::check(cudaMalloc(&cub_, cub_bytes), "cudaMalloc");
    }

    /// Whether all answers of ours were right.
    bool right() const { return right_; }

    /// Pairs of n items: the first half's and the second's.
    auto halves(wf::index_t n) const {
        return wf::zip(wf::device_span<item>(items_, n / 2), wf::device_span<item>(items_ + n / 2, n / 2));
    }

    void run() {
        auto const all_sizes = sizes();
        fill_with(distribution::normal);
        for (wf::index_t const n : all_sizes) {
            if (!only_cub_) measure_limit(static_cast<std::size_t>(n) * sizeof(item));
            folds_of_cub(n, distribution::normal);
            if (!only_cub_) other_folds(n, distribution::normal);
            peers(items_, n);
            if (!only_cub_ && n <= 1 << 20) to_host(items_, n);
            if (n <= 1 << 28 && std::countr_zero(static_cast<std::uint64_t>(n)) % 4 == 0) {
                back_to_back(n);
                odd_sizes(n);
            }
            if (n <= 1 << 24) cache_clean(n);
            if (std::size_t const mib = static_cast<std::size_t>(n) * sizeof(item) >> 20; !only_cub_ && mib >= 1 && mib <= 64) read_once(n);
        }
        fill_with(distribution::near_one);
        for (wf::index_t const n : all_sizes) {
            ours("product", wf::product, wf::device_span<item>(items_, n), distribution::near_one);
            peer_product(items_, n);
        }
        if (only_cub_) return;
        fill_with(distribution::zeros);  // of which all are read
        for (wf::index_t const n : all_sizes) {
            ours("any", wf::any, wf::device_span<item>(items_, n), distribution::zeros);
        }
        if constexpr (wf::is_float<item>) {
            for (auto const d : {distribution::uniform, distribution::large, distribution::huge, distribution::spread, distribution::bit_patterns}) {
                fill_with(d);
                for (wf::index_t const n : {items_of_4_gib, wf::index_t{1} << 20}) {
                    wf::device_span<item> const x(items_, n);
                    ours("sum", wf::sum, x, d);
                    ours("variance", wf::variance, x, d);
                    ours("dot", wf::dot, halves(n), d);
                }
            }
        }
    }

    /// Names each launch of a fold on a line, in order.
    void run_once() {
        constexpr wf::index_t most = (std::size_t{1} << 30) / sizeof(item);
        fill_with(distribution::normal);
        for (wf::index_t n = 1 << 8; n <= 1 << 20; n *= 16) {
            wf::device_span<item> const x(items_, n);
            once("sum", wf::sum, x, distribution::normal);
            once("min", wf::min, x, distribution::normal);
            once("mean and variance", wf::together(wf::mean, wf::variance), x, distribution::normal);
            once("argmin", wf::argmin, x, distribution::normal);
            once("product", wf::product, x, distribution::normal);
            if (n * sizeof(item) <= 1 << 14) peers_once(items_, n);
        }
        wf::device_span<item> const x(items_, most);
        once("min", wf::min, x, distribution::normal);
        once("norm_l2", wf::norm_l2, x, distribution::normal);
        once("mean and variance", wf::together(wf::mean, wf::variance), x, distribution::normal);
        once(eight_name, eight, x, distribution::normal);
        once("dot", wf::dot, halves(most), distribution::normal);
        if constexpr (wf::is_float<item>) {
            once("logsumexp", wf::logsumexp, x, distribution::normal);
            for (auto const d : {distribution::normal, distribution::bit_patterns, distribution::huge}) {
                fill_with(d);
                once("sum", wf::sum, x, d);
                once("variance", wf::variance, x, d);
            }
        }
    }

  private:
    static constexpr auto eight = wf::together(wf::sum, wf::mean, wf::variance, wf::min, wf::max, wf::argmin, wf::argmax, wf::norm_l2);
    static constexpr char const* eight_name = "sum, mean, variance, min, max, argmin, argmax, norm_l2 together";
    static constexpr wf::index_t items_of_4_gib = (std::size_t{1} << 32) / sizeof(item);
    static constexpr wf::index_t most_items = std::max(wf::index_t{1} << 30, items_of_4_gib);
    static constexpr std::size_t most_bytes = most_items * sizeof(item), cub_bytes = std::size_t{64} << 20;

    static std::vector<wf::index_t> sizes() {
        std::vector<wf::index_t> all;
        for (int power = 8; power <= 30; ++power) all.push_back(wf::index_t{1} << power);
        if (all.back() < most_items) all.push_back(most_items);
        return all;
    }

    void fill_with(distribution d) {
        fill<<<4096, 256>>>(items_, most_items, d);
        bench::check(cudaDeviceSynchronize(), "fill");
    }
    static int runs(std::size_t bytes) { return bytes > std::size_t{1} << 28 ? 11 : bytes > std::size_t{1} << 20 ? 51 : 151; }

    void measure_limit(std::size_t bytes) {
        bench::timing best{.median = 1e30};
        auto const* const words = reinterpret_cast<uint4 const*>(items_);
        auto const count = static_cast<std::int64_t>(bytes / 16);
        auto* const never = reinterpret_cast<unsigned*>(out_);
        auto const attempt = [&](auto kernel, int threads, int blocks) {
            auto const t = timer_.cold(runs(bytes), [&] { kernel<<<blocks, threads>>>(words, count, never); });
            if (t.median < best.median) best = t;
        };
        for (int const blocks : {264, 528, 1056, 132000}) {
            attempt(bench::read_all<256, 2>, 256, blocks);
            attempt(bench::read_all<256, 4>, 256, blocks);
            attempt(bench::read_all<512, 2>, 512, blocks);
            attempt(bench::read_all<512, 4>, 512, blocks);
            attempt(bench::read_all<512, 4, true>, 512, blocks);
        }
        limits_[bytes] = best.median;
        auto const n = static_cast<wf::index_t>(bytes / sizeof(item));
        row("read limit", "read", n, bytes, distribution::normal, best, {"nothing to check"});
    }

    /// Of the limit: of the first size measured that is as large, or nearly.
    void row(std::string const& who, std::string const& fold, wf::index_t n, std::size_t bytes, distribution d,
             bench::timing t, verdict const& found) {
        std::printf("{\"who\": \"%s\", \"fold\": \"%s\", \"type\": \"%s\", \"data\": \"%s\", \"items\": %lld, "
                    "\"bytes\": %zu, ",
                    who.c_str(), fold.c_str(), WARPFOLD_BENCH_NAME, name_of(d), static_cast<long long>(n), bytes);
        std::printf("\"us\": %.3f, \"mean_us\": %.3f, \"least_us\": %.3f, \"lower_us\": %.3f, \"upper_us\": %.3f, \"TB_per_s\": %.4f, ",
                    t.median, t.mean, t.least, t.lower, t.upper, 1e-6 * static_cast<double>(bytes) / t.median);
        auto const limit = limits_.lower_bound(bytes - bytes / 64);
        if (limit != limits_.end()) std::printf("\"of_limit\": %.4f, ", limit->second / t.median);
        if (found.ulps) std::printf("\"ulps\": %.3g, ", *found.ulps);
        std::printf("\"answer\": \"%s\"}\n", found.answer.c_str());
        std::fflush(stdout);
    }

    /// The outcome by a grid of 97 blocks, padding and all.
    template <class F, class Input>
    void exact(F const& f, Input const& in, outcome_of<F, Input>& to) {
        bench::check(cudaMemset(out_, 0, sizeof(to)), "cudaMemset");
        wf::reduce_into(reinterpret_cast<outcome_of<F, Input>*>(out_), in, f, wf::device::options{.blocks = 97});
        bench::check(cudaMemcpy(&to, out_, sizeof(to), cudaMemcpyDeviceToHost), "cudaMemcpy");
    }

    enum class method { cold, cold_and_clean, cold_once, back_to_back };  ///< _once: by that option
    static std::string title(std::string const& fold, method m) {
        constexpr char const* how[] = {"", ", cache clean", ", read once", ", back to back"};
        return fold + how[static_cast<int>(m)];
    }
    template <class Call>
    bench::timing measure(method m, std::size_t bytes, Call const& call) {
        if (m == method::cold_and_clean) return timer_.cold_and_clean(runs(bytes), call);
        if (m != method::back_to_back) return timer_.cold(runs(bytes), call);
        return timer_.back_to_back(bytes > (std::size_t{1} << 26) ? 20 : 200, call);
    }

    verdict ours_is(bool same) {
        right_ = right_ && same;
        return {same ? "the same bits from a grid of 97 blocks" : "WRONG: other bits from a grid of 97 blocks"};
    }

    template <class F, class Input>
    void ours(std::string const& name, F const& f, Input const& in, distribution d, method m = method::cold) {
        outcome_of<F, Input> a, b;
        auto* const out = reinterpret_cast<outcome_of<F, Input>*>(out_);
        constexpr bool pairs = wf::device::access<Input>::ranges > 1;
        std::size_t const bytes = static_cast<std::size_t>(in.size()) * sizeof(item) * (pairs ? 2 : 1);
        bench::check(cudaMemset(out, 0, sizeof(a)), "cudaMemset");  // padding is compared too
        auto const t = measure(m, bytes, [&] { wf::reduce_into(out, in, f, {.once = m == method::cold_once}); });
        bench::check(cudaMemcpy(&a, out, sizeof(a), cudaMemcpyDeviceToHost), "cudaMemcpy");
        exact(f, in, b);
        bool const same = std::memcmp(&a.value, &b.value, sizeof(a.value)) == 0;
        row(only_cub_ ? "warpfold beside " + cub_name : "warpfold", title(name, m), in.size(), bytes, d, t, ours_is(same));
    }

    template <class F, class Input>
    void once(char const* name, F const& f, Input const& in, distribution d) {
        wf::reduce_into(reinterpret_cast<wf::result_of<std::remove_cvref_t<decltype(wf::bind<typename Input::value_type>(f))>>*>(out_), in, f);
        launched(name, in.size(), d);
    }
    /// CUB's kernels for so few items, 16 KiB, that it launches one.
    template <class T>
    void peers_once(T const* x, wf::index_t n) {
        if constexpr (std::is_arithmetic_v<T>) {
            cub_sum(x, n);
            launched("CUB sum", n, distribution::normal);
            cub_min(x, n);
            launched("CUB min", n, distribution::normal);
            cub_product(x, n);
            launched("CUB product", n, distribution::normal);
        }
    }
    static void launched(char const* name, wf::index_t n, distribution d) {
        std::printf("{\"fold\": \"%s\", \"type\": \"%s\", \"data\": \"%s\", \"items\": %lld}\n", name, WARPFOLD_BENCH_NAME, name_of(d),
                    static_cast<long long>(n));
    }

    void folds_of_cub(wf::index_t n, distribution d) {
        wf::device_span<item> const x(items_, n);
        ours("sum", wf::sum, x, d);
        ours("min", wf::min, x, d);
        ours("max", wf::max, x, d);
        ours("argmin", wf::argmin, x, d);
        ours("argmax", wf::argmax, x, d);
    }
    void other_folds(wf::index_t n, distribution d) {
        wf::device_span<item> const x(items_, n);
        ours("minmax", wf::minmax, x, d);
        ours("argminmax", wf::argminmax, x, d);
        ours("mean and variance", wf::together(wf::mean, wf::variance), x, d);
        ours("norm_l1", wf::norm_l1, x, d);
        ours("norm_l2", wf::norm_l2, x, d);
        ours("count_if", wf::count_if{is_positive{}}, x, d);
        if constexpr (wf::is_float<item>) ours("logsumexp", wf::logsumexp, x, d);
        ours(eight_name, eight, x, d);
        ours("dot", wf::dot, halves(n), d);
        if constexpr (wf::is_float<item>) ours("squared distance", wf::squared_distance, halves(n), d);
    }

    /// `call` leaves CUB's answer, a Found, at out_.
    template <class Found, class F, class Call>
    void peer(std::string const& name, F const& f, wf::device_span<item> const& in, distribution d, Call const& call,
              method m = method::cold) {
        std::size_t const bytes = static_cast<std::size_t>(in.size()) * sizeof(item);
        auto const t = measure(m, bytes, call);
        Found found;
        bench::check(cudaMemcpy(&found, out_, sizeof(found), cudaMemcpyDeviceToHost), "cudaMemcpy");
        outcome_of<F, wf::device_span<item>> right;
        exact(f, in, right);
        row(only_cub_ ? cub_name : "CUB", title(name, m), in.size(), bytes, d, t, judge(found, right));
    }
    // CUB's answers, at out_.
    template <class T>
    void cub_sum(T const* x, wf::index_t n) {
        std::size_t work = cub_bytes;
        cub::DeviceReduce::Sum(cub_, work, x, reinterpret_cast<T*>(out_), n);
    }
    template <class T>
    void cub_min(T const* x, wf::index_t n) {
        std::size_t work = cub_bytes;
        cub::DeviceReduce::Min(cub_, work, x, reinterpret_cast<T*>(out_), n);
    }
    template <class T>
    void cub_product(T const* x, wf::index_t n) {
        std::size_t work = cub_bytes;
        cub::DeviceReduce::Reduce(cub_, work, x, reinterpret_cast<T*>(out_), n, cuda::std::multiplies<>{}, T{1});
    }
    /// `where` follows the names.
    template <class T>
    void peer_sum_and_min(T const* x, wf::index_t n, method m = method::cold, std::string const& where = "") {
        if constexpr (std::is_arithmetic_v<T>) {
            wf::device_span<T> const in(x, n);
            peer<T>("sum" + where, wf::sum, in, distribution::normal, [&] { cub_sum(x, n); }, m);
            peer<T>("min" + where, wf::min, in, distribution::normal, [&] { cub_min(x, n); }, m);
        }
    }
    template <class T>
    void peers(T const* x, wf::index_t n) {
        peer_sum_and_min(x, n);
        if constexpr (std::is_arithmetic_v<T>) {
            auto* const index = reinterpret_cast<wf::index_t*>(out_);
            auto* const out = reinterpret_cast<T*>(out_);
            auto* const beside = reinterpret_cast<T*>(index + 8);
            wf::device_span<T> const in(x, n);
            std::size_t work = cub_bytes;
            auto const max = [&] { cub::DeviceReduce::Max(cub_, work, x, out, n); };
            auto const argmin = [&] { cub::DeviceReduce::ArgMin(cub_, work, x, beside, index, n); };
            auto const argmax = [&] { cub::DeviceReduce::ArgMax(cub_, work, x, beside, index, n); };
            peer<T>("max", wf::max, in, distribution::normal, max);
            peer<wf::index_t>("argmin", wf::argmin, in, distribution::normal, argmin);
            peer<wf::index_t>("argmax", wf::argmax, in, distribution::normal, argmax);
        }
    }
    template <class T>
    void peer_product(T const* x, wf::index_t n) {
        if constexpr (std::is_arithmetic_v<T>) {
            peer<T>("product", wf::product, wf::device_span<T>(x, n), distribution::near_one, [&] { cub_product(x, n); });
        }
    }

    void back_to_back(wf::index_t n) {
        wf::device_span<item> const x(items_, n);
        ours("sum", wf::sum, x, distribution::normal, method::back_to_back);
        ours("min", wf::min, x, distribution::normal, method::back_to_back);
        peer_sum_and_min(items_, n, method::back_to_back);
    }

    /// With nothing in the cache that has to be written before the input can come.
    void cache_clean(wf::index_t n) {
        wf::device_span<item> const x(items_, n);
        ours("sum", wf::sum, x, distribution::normal, method::cold_and_clean);
        ours("min", wf::min, x, distribution::normal, method::cold_and_clean);
        peer_sum_and_min(items_, n, method::cold_and_clean);
    }

    /// By the option that says so.
    void read_once(wf::index_t n) {
        wf::device_span<item> const x(items_, n);
        ours("sum", wf::sum, x, distribution::normal, method::cold_once);
        ours("min", wf::min, x, distribution::normal, method::cold_once);
    }

    /// About n items, a power of two: neighbours of it, a prime, and n items whose first begins no vector.
    void odd_sizes(wf::index_t n) {
        auto const measured = [&](item const* x, wf::index_t count, std::string const& where = "") {
            wf::device_span<item> const in(x, count);
            ours("sum" + where, wf::sum, in, distribution::normal);
            ours("min" + where, wf::min, in, distribution::normal);
            peer_sum_and_min(x, count, method::cold, where);
        };
        measured(items_, n - 1);
        measured(items_, n + 1);
        if (n == 1 << 20) measured(items_, 1000003);
        measured(items_ + 1, n, ", from the second item");
    }

    /// The sum's value on the host: through mapped memory, by CUB, a copy and a wait, and of no sum at all. Of floats: a
    /// sum of random int64 overflows.
    template <class T>
    void to_host(T const* x, wf::index_t n) {
        if constexpr (std::is_floating_point_v<T>) {
            std::size_t const bytes = static_cast<std::size_t>(n) * sizeof(item);
            wf::device_span<T> const in(x, n);
            wf::outcome<T> right;
            exact(wf::sum, in, right);
            T value;
            auto const own = timer_.cold_to_host(runs(bytes), [&] { value = wf::reduce(in, wf::sum); });
            row("warpfold", "sum, value on the host", n, bytes, distribution::normal, own,
                ours_is(std::memcmp(&value, &right.value, sizeof(value)) == 0));
            auto const call = [&] {
                cub_sum(x, n);
                bench::check(cudaMemcpyAsync(&value, out_, sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpyAsync");
                bench::check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
            };
            auto const theirs = timer_.cold_to_host(runs(bytes), call);
            row("CUB", "sum, value on the host", n, bytes, distribution::normal, theirs, judge(value, right));
            auto const least = timer_.cold_to_host(runs(bytes), [&] {
                wf::device::memory_pool::borrowed_slot const slot{0};
                wf::device::sink out = slot->next_sink();
                void* parameters[] = {&out};
                cudaKernelNodeParams const node{reinterpret_cast<void*>(tell), 1, 1, 0, parameters, nullptr};
                wf::device::kernel_graph const& graph = slot->graph_of(node);
                bench::check(cudaGraphExecKernelNodeSetParams(graph.executable, graph.node, &node), "cudaGraphExecKernelNodeSetParams");
                bench::check(cudaGraphLaunch(graph.executable, nullptr), "cudaGraphLaunch");
                wf::device::wait<float>(slot, nullptr);
            });
            row("launch limit", "sum, value on the host", n, bytes, distribution::normal, least, {"nothing to check"});
        }
    }

    bool only_cub_;
    bench::timer timer_;
    item* items_ = nullptr;
    void* out_ = nullptr;
    void* cub_ = nullptr;
    std::map<std::size_t, double> limits_;  // microseconds, by bytes
    bool right_ = true;
};

}  // namespace

int main(int count, char** arguments) {
    std::string const mode = count > 1 ? arguments[1] : "";
    program p(mode == "cub");
    if (mode == "once") p.run_once();
    else p.run();
    bench::check(cudaDeviceSynchronize(), "at the end");
    return p.right() ? 0 : 1;
}
