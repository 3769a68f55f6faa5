// Claims that the published figures themselves decide.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/judges.hpp"
#include "lab/published.hpp"

namespace warpfold::lab {
namespace {

double ms(std::string const& kernel, std::string const& type) {
    return published("A", kernel, type, "ms").value;
}

double gbps(std::string const& kernel, std::string const& type = "f32") {
    return published("E", kernel, type, "GB/s").value;
}

/// Study A's fastest of 33 554 432 items but `except`.
figure const& fastest(std::string const& type, std::string const& except = "") {
    figure const* found = nullptr;
    for (figure const& one : published()) {
        if (one.study != "A" || one.type != type || one.n != 33554432 || one.kernel == except) continue;
        if (found == nullptr || one.value < found->value) found = &one;
    }
    return *found;
}

finding_on_claim float_atomics() {
    double const best = fastest("f32").value;
    double const factor = ms("Atomic (global)", "f32") / best;
    return decide(about(factor, 300), fmt::format("{:.3f} ms against {:.3f} ms at 33 554 432 items: {:.0f} times",
                                                  ms("Atomic (global)", "f32"), best, factor));
}

finding_on_claim int_atomics() {
    double const best = fastest("i32").value;
    double const factor = ms("Atomic (global)", "i32") / best;
    return decide(about(factor, 3), fmt::format("{:.3f} ms against {:.3f} ms at 33 554 432 items: {:.1f} times",
                                                ms("Atomic (global)", "i32"), best, factor));
}

finding_on_claim a7_fastest() {
    double const a7 = ms("CG (unroll 2)", "f32");
    figure const& next = fastest("f32", "CG (unroll 2)");
    return decide(a7 < next.value,
                  fmt::format("A7 {:.3f} ms, next is {} with {:.3f} ms; CUB's block sum takes {:.3f} ms", a7,
                              next.kernel, next.value, ms("CUB", "f32")));
}

finding_on_claim int_shared_atomics() {
    return decide(about(ms("Atomic (shared)", "i32"), ms("CG (unroll 2)", "i32")),
                  fmt::format("A2 {:.3f} ms, A7 {:.3f} ms at 33 554 432 items; for float32 A2 takes {:.3f} ms",
                              ms("Atomic (shared)", "i32"), ms("CG (unroll 2)", "i32"), ms("Atomic (shared)", "f32")));
}

finding_on_claim framework_int() {
    double const best = fastest("i32").value;
    double const factor = ms("Torch", "i32") / best;
    return decide(about(factor, 5),
                  fmt::format("{:.3f} ms against {:.3f} ms: {:.1f} times; float32 takes it {:.3f} ms",
                              ms("Torch", "i32"), best, factor, ms("Torch", "f32")));
}

finding_on_claim framework_accumulates() {
    return {verdict::needs_gpu,
            "the figures show that it is slow, not why: the framework's kernel would have to be profiled"};
}

/// Whether bytes over time give the published bandwidth.
finding_on_claim bandwidth_of(std::string const& kernel) {
    figure const& time = published("C", kernel, "f32", "ms");
    double const claimed = published("C", kernel, "f32", "GB/s").value;
    double const found = static_cast<double>(time.n) * 4 / (time.value * 1e6);
    return decide(about(found, claimed), fmt::format("{} items of 4 bytes in {} ms are {:.0f} GB/s, published {:.0f}",
                                                     time.n, time.value, found, claimed));
}

finding_on_claim naive_bandwidth() {
    return bandwidth_of("naive");
}
finding_on_claim optimized_bandwidth() {
    return bandwidth_of("optimized");
}

finding_on_claim bandwidth_shares() {
    auto const of = [](std::string const& kernel, std::string const& metric) {
        return published("C", kernel, "f32", metric).value;
    };
    auto const share = [&](std::string const& kernel) { return of(kernel, "bandwidth_utilization_pct"); };
    auto const peak = [&](std::string const& kernel) { return of(kernel, "GB/s") / (share(kernel) / 100); };
    bool const same = about(peak("naive"), peak("optimized"));
    return decide(
        same, fmt::format("{:.0f} GB/s as {:.0f} % gives a peak of {:.0f} GB/s, {:.0f} GB/s as {:.0f} % one of {:.0f}: "
                          "{}the same GPU",
                          of("naive", "GB/s"), share("naive"), peak("naive"), of("optimized", "GB/s"),
                          share("optimized"), peak("optimized"), same ? "" : "not "));
}

finding_on_claim best_block() {
    return {verdict::needs_gpu,
            "the executor counts work, not time: `lab run` on a GPU over all block sizes would decide"};
}

finding_on_claim wide_loads() {
    constexpr double peak = 3350;  // of an H100 SXM, as the study has it
    std::string evidence;
    bool all = true;
    for (char const* finish : {"TwoPass", "BlockAtomic", "WarpAtomic"}) {
        figure const& wide = published("D", finish + std::string(" vec4"), "i32", "GB/s");
        double const least = wide.value / peak * 100;
        double const most = wide.greatest / peak * 100;
        all = all && std::abs(least - 92) < 1 && std::abs(most - 95) < 1;
        evidence += fmt::format("{}{} {:.0f} to {:.0f} GB/s, {:.1f} to {:.1f} %", evidence.empty() ? "" : "; ", finish,
                                wide.value, wide.greatest, least, most);
    }
    return decide(all, evidence + fmt::format(", of {:.0f}", peak));
}

finding_on_claim scalar_loads() {
    return {verdict::needs_gpu,
            "no counter says why one item a load should reach 2300 GB/s, 69 % of the peak: the same kernels would have "
            "to be timed"};
}

finding_on_claim middle_sizes() {
    return {verdict::needs_gpu, "published as a plot only: times over all sizes would decide"};
}

finding_on_claim doubles() {
    char const* const ladder[] = {"V0 single thread",     "V1 interleaved",    "V2 sequential",
                                  "V3 first add on load", "V4 warp unrolling", "V5 full shuffle + grid stride"};
    std::string factors;
    bool all = true;
    for (std::size_t i = 1; i < std::size(ladder); ++i) {
        double const factor = gbps(ladder[i]) / gbps(ladder[i - 1]);
        factors += fmt::format("{}{:.2f}", i == 1 ? "" : ", ", factor);
        all = all && about(factor, 2);
    }
    return decide(all, "from step to step the bandwidth grows by factors of " + factors);
}

finding_on_claim shares_of_peak() {
    double least = 1e9;
    double most = 0;
    for (figure const& one : published()) {
        if (one.study != "E" || one.metric != "pct_peak" || one.value < 1) continue;  // 0.5 % has one digit
        double const peak = gbps(one.kernel) / (one.value / 100);
        least = std::min(least, peak);
        most = std::max(most, peak);
    }
    return decide(
        least >= 0.99 * 2000 && most <= 1.01 * 2000,  // shares are published to a tenth of a per cent and better
        fmt::format("the shares belong to a peak of {:.0f} to {:.0f} GB/s, named are 2000 (cards of this name have "
                    "1935 or 2039)",
                    least, most));
}

finding_on_claim histogram_figures() {
    std::string evidence;
    bool all = true;
    for (char const* kernel : {"histogram naive", "histogram per block", "histogram per warp", "CUB DeviceHistogram"}) {
        figure const& time = published("E", kernel, "u8", "ms");
        double const found = static_cast<double>(time.n) / (time.value * 1e6);
        all = all && std::abs(found / gbps(kernel, "u8") - 1) < 0.05;
        evidence += fmt::format("{}{} ms are {:.0f} GB/s, published {:.0f}", evidence.empty() ? "" : "; ", time.value,
                                found, gbps(kernel, "u8"));
    }
    return decide(all, evidence);
}

finding_on_claim two_pass_wins() {
    return {verdict::needs_gpu, "atomics of different blocks meet in the second-level cache, which only time shows"};
}

}  // namespace

std::vector<claim> claims_on_published_figures() {
    return {
        {"A.1", "one float32 atomic an item is about 300 times slower than the best", {"A1"}, float_atomics},
        {"A.2", "one int32 atomic an item is only about 3 times slower than the best", {"A1"}, int_atomics},
        {"A.3",
         "A7 is the fastest for float32 at 33.5M items, ahead of the framework and CUB",
         {"A7", "A8", "A-torch"},
         a7_fastest},
        {"A.4", "for int32, shared atomics are as fast as A7", {"A2", "A7"}, int_shared_atomics},
        {"A.5", "the framework's int32 sum is 5 times slower than the best", {"A-torch"}, framework_int},
        {"A.6", "it likely accumulates differently", {"A-torch"}, framework_accumulates},
        {"C.1", "the naive kernel takes 2.8 ms for 16M floats and reads 85 GB/s", {"C1"}, naive_bandwidth},
        {"C.2", "the optimised kernel takes 0.12 ms for 16M floats and reads 420 GB/s", {"C8"}, optimized_bandwidth},
        {"C.3", "these are 35 % and 92 % of the bandwidth", {"C1", "C8"}, bandwidth_shares},
        {"C.9", "256 threads a block are a good start", {"C2", "C6"}, best_block},
        {"D.1", "four items a load reach 3100 to 3200 GB/s, 92 to 95 % of the peak", {"D4", "D4a", "D4w"}, wide_loads},
        {"D.2",
         "two items a load reach 3000 to 3100 GB/s, one about 2300, however the kernel finishes",
         {"D1", "D2", "D1a", "D2a", "D1w", "D2w"},
         scalar_loads},
        {"D.3", "one atomic a block is best at middle sizes, then two passes", {"D1a", "D2a", "D4a"}, middle_sizes},
        {"E.1", "each step roughly doubles the bandwidth", {"E1", "E2", "E3", "E4", "E5"}, doubles},
        {"E.2",
         "the bandwidths are 0.5 to 93.5 % of 2.0 TB/s",
         {"E0", "E1", "E2", "E3", "E4", "E5", "E-cub"},
         shares_of_peak},
        {"E.4", "two passes win past 100 000 blocks, atomics below", {"E6", "E6a"}, two_pass_wins},
        {"E.5", "the histograms read 42, 380, 520 and 580 GB/s", {"H1", "H2", "H3", "H-cub"}, histogram_figures},
    };
}

}  // namespace warpfold::lab
