// Rates of the device engine and of CUB beside it, as lines of JSON. WARPFOLD_BENCH_TYPE names the item type.
//
//     device_bench          sizes 2^8 … 2^32 bytes; every row says how its answer was checked
//     device_bench peers    CUB alone, under the name of its version: for headers other than the toolkit's
//     device_bench once     one launch of each fold and size, to be watched by a profiler (counters.py)
#include <cub/cub.cuh>

#include <cmath>
#include <cstring>
#include <string>

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

enum class distribution { normal, uniform, large, huge, spread, bit_patterns };
constexpr char const* name_of(distribution d) {
    constexpr char const* names[] = {"normal", "uniform", "normal times 1e6", "normal times 1e20", "exp(3 normal)", "finite bit patterns"};
    return names[static_cast<int>(d)];
}

__device__ std::uint64_t mix(std::uint64_t x) {  // SplitMix64
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27) * 0x94d049bb133111ebU;
    return x ^ x >> 31;
}

template <class T>
__global__ void fill(T* x, wf::index_t n, distribution d) {
    for (wf::index_t i = blockIdx.x * static_cast<wf::index_t>(blockDim.x) + threadIdx.x; i < n; i += static_cast<wf::index_t>(gridDim.x) * blockDim.x) {
        std::uint64_t const bits = mix(static_cast<std::uint64_t>(i));
        if constexpr (!wf::is_float<T>) {
            x[i] = static_cast<T>(bits);
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

class program {
  public:
    explicit program(bool only_peers) : only_peers_{only_peers} {
        bench::check(cudaMalloc(&items_, most_bytes), "cudaMalloc");
        bench::check(cudaMalloc(&out_, 4096), "cudaMalloc");
        bench::check(cudaMalloc(&cub_, cub_bytes), "cudaMalloc");
    }

    /// Pairs of n items: the first half's and the second's.
    auto halves(wf::index_t n) const {
        return wf::zip(wf::device_span<item>(items_, n / 2), wf::device_span<item>(items_ + n / 2, n / 2));
    }

    void run() {
        constexpr wf::index_t most = most_bytes / sizeof(item);
        fill_with(distribution::normal);
        for (std::size_t bytes = 1024; bytes <= most_bytes; bytes *= bytes < (1U << 22) ? 2 : 4) {
            auto const n = static_cast<wf::index_t>(bytes / sizeof(item));
            measure_limit(bytes);
            if (!only_peers_) all_folds(n, distribution::normal);
            peers(items_, n);
            if (!only_peers_ && n <= 1 << 20) to_host(items_, n);
        }
        if (only_peers_) return;
        if constexpr (wf::is_float<item>) {
            for (auto const d : {distribution::uniform, distribution::large, distribution::huge, distribution::spread, distribution::bit_patterns}) {
                fill_with(d);
                for (wf::index_t const n : {most, wf::index_t{1} << 20}) {
                    measure_limit(static_cast<std::size_t>(n) * sizeof(item));
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
    static constexpr std::size_t most_bytes = std::size_t{1} << 32, cub_bytes = std::size_t{64} << 20;

    void fill_with(distribution d) {
        fill<<<4096, 256>>>(items_, static_cast<wf::index_t>(most_bytes / sizeof(item)), d);
        bench::check(cudaDeviceSynchronize(), "fill");
    }
    static int runs(std::size_t bytes) { return bytes > (std::size_t{1} << 28) ? 11 : 51; }

    void measure_limit(std::size_t bytes) {
        limit_ = 1e30;
        auto const* const words = reinterpret_cast<uint4 const*>(items_);
        auto const count = static_cast<std::int64_t>(bytes / 16);
        auto* const never = reinterpret_cast<unsigned*>(out_);
        auto const attempt = [&](auto kernel, int threads, int blocks) {
            auto const t = timer_.cold(runs(bytes), [&] { kernel<<<blocks, threads>>>(words, count, never); });
            limit_ = std::min(limit_, t.median);
        };
        for (int const blocks : {264, 528, 1056, 132000}) {
            attempt(bench::read_all<256, 2>, 256, blocks);
            attempt(bench::read_all<256, 4>, 256, blocks);
            attempt(bench::read_all<512, 2>, 512, blocks);
            attempt(bench::read_all<512, 4>, 512, blocks);
            attempt(bench::read_all<512, 4, true>, 512, blocks);
        }
        row("read limit", "read", static_cast<wf::index_t>(bytes / sizeof(item)), bytes, distribution::normal, {limit_, limit_}, "nothing to check");
    }

    void row(char const* who, char const* fold, wf::index_t n, std::size_t bytes, distribution d, bench::timing t, char const* answer) {
        std::printf("{\"who\": \"%s\", \"fold\": \"%s\", \"type\": \"%s\", \"data\": \"%s\", \"items\": %lld, \"bytes\": %zu, \"us\": %.3f, "
                    "\"least_us\": %.3f, \"TB_per_s\": %.4f, \"of_limit\": %.4f, \"answer\": \"%s\"}\n",
                    who, fold, WARPFOLD_BENCH_NAME, name_of(d), static_cast<long long>(n), bytes, t.median, t.least,
                    1e-6 * static_cast<double>(bytes) / t.median, limit_ / t.median, answer);
        std::fflush(stdout);
    }

    template <class F, class Input>
    void ours(char const* name, F const& f, Input const& in, distribution d) {
        auto const bound = wf::bind<typename Input::value_type>(f);
        using outcome = wf::outcome<wf::result_of<std::remove_const_t<decltype(bound)>>>;
        auto* const out = reinterpret_cast<outcome*>(out_);
        constexpr bool pairs = wf::device::access<Input>::ranges > 1;
        std::size_t const bytes = static_cast<std::size_t>(in.size()) * sizeof(item) * (pairs ? 2 : 1);
        bench::check(cudaMemset(out, 0, sizeof(outcome)), "cudaMemset");  // padding is compared too
        auto const t = timer_.cold(runs(bytes), [&] { wf::reduce_into(out, in, f); });
        outcome a, b;
        bench::check(cudaMemcpy(&a, out, sizeof(a), cudaMemcpyDeviceToHost), "cudaMemcpy");
        bench::check(cudaMemset(out, 0, sizeof(a)), "cudaMemset");
        wf::reduce_into(out, in, f, wf::device::options{.blocks = 97});
        bench::check(cudaMemcpy(&b, out, sizeof(b), cudaMemcpyDeviceToHost), "cudaMemcpy");
        bool const same = std::memcmp(&a.value, &b.value, sizeof(a.value)) == 0;
        row("warpfold", name, in.size(), bytes, d, t, same ? "the same bits from a grid of 97 blocks" : "WRONG: other bits from a grid of 97 blocks");
    }

    template <class F, class Input>
    void once(char const* name, F const& f, Input const& in, distribution d) {
        wf::reduce_into(reinterpret_cast<wf::result_of<std::remove_cvref_t<decltype(wf::bind<typename Input::value_type>(f))>>*>(out_), in, f);
        std::printf("{\"fold\": \"%s\", \"type\": \"%s\", \"data\": \"%s\", \"items\": %lld}\n", name, WARPFOLD_BENCH_NAME, name_of(d),
                    static_cast<long long>(in.size()));
    }

    void all_folds(wf::index_t n, distribution d) {
        wf::device_span<item> const x(items_, n);
        ours("sum", wf::sum, x, d);
        ours("min", wf::min, x, d);
        ours("argmin", wf::argmin, x, d);
        ours("minmax", wf::minmax, x, d);
        ours("argminmax", wf::argminmax, x, d);
        ours("mean and variance", wf::together(wf::mean, wf::variance), x, d);
        ours("norm_l2", wf::norm_l2, x, d);
        ours("count_if", wf::count_if{is_positive{}}, x, d);
        if constexpr (wf::is_float<item>) ours("logsumexp", wf::logsumexp, x, d);
        ours(eight_name, eight, x, d);
        ours("dot", wf::dot, halves(n), d);
        if constexpr (wf::is_float<item>) ours("squared distance", wf::squared_distance, halves(n), d);
    }

    template <class Call>
    void peer(char const* name, wf::index_t n, Call const& call) {
        std::size_t const bytes = static_cast<std::size_t>(n) * sizeof(item);
        row(only_peers_ ? cub_name.c_str() : "CUB", name, n, bytes, distribution::normal, timer_.cold(runs(bytes), call), "not checked");
    }
    template <class T>
    void peers(T const* x, wf::index_t n) {
        if constexpr (std::is_arithmetic_v<T>) {
            auto* const out = reinterpret_cast<T*>(out_);
            std::size_t bytes = cub_bytes;
            peer("sum", n, [&] { cub::DeviceReduce::Sum(cub_, bytes, x, out, n); });
            peer("min", n, [&] { cub::DeviceReduce::Min(cub_, bytes, x, out, n); });
            auto* const index = reinterpret_cast<long long*>(out_) + 8;
            peer("argmin", n, [&] { cub::DeviceReduce::ArgMin(cub_, bytes, x, out, index, n); });
        }
    }

    /// The sum's value on the host: through mapped memory, and by CUB, a copy and a wait. Of floats: a sum of random int64
    /// overflows.
    template <class T>
    void to_host(T const* x, wf::index_t n) {
        if constexpr (std::is_floating_point_v<T>) {
            std::size_t const bytes = static_cast<std::size_t>(n) * sizeof(item);
            wf::device_span<T> const in(x, n);
            row("warpfold", "sum, value on the host", n, bytes, distribution::normal,
                timer_.cold_to_host(runs(bytes), [&] { (void)wf::reduce(in, wf::sum); }), "not checked");
            T value;
            std::size_t work = cub_bytes;
            auto const call = [&] {
                cub::DeviceReduce::Sum(cub_, work, x, reinterpret_cast<T*>(out_), n);
                bench::check(cudaMemcpyAsync(&value, out_, sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpyAsync");
                bench::check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
            };
            row("CUB", "sum, value on the host", n, bytes, distribution::normal, timer_.cold_to_host(runs(bytes), call), "not checked");
        }
    }

    bool only_peers_;
    bench::timer timer_;
    item* items_ = nullptr;
    void* out_ = nullptr;
    void* cub_ = nullptr;
    double limit_ = 0;
};

}  // namespace

int main(int count, char** arguments) {
    std::string const mode = count > 1 ? arguments[1] : "";
    program p(mode == "peers");
    if (mode == "once") p.run_once();
    else p.run();
    bench::check(cudaDeviceSynchronize(), "at the end");
}
