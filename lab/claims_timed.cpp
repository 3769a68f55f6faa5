// What a GPU's times and counters say of the claims. The figures are of the studies' own sizes, unless others are
// named.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "lab/claims.hpp"
#include "lab/tables.hpp"

namespace warpfold::lab {
namespace {

/// Thrown where a figure that decides was not measured.
struct not_measured {};

finding_on_claim decide(bool holds, std::string evidence) {
    return {holds ? verdict::holds : verdict::does_not_hold, std::move(evidence)};
}

/// Within a fifth of what was claimed, which is as exact as "about" can be.
bool about(double found, double claimed) {
    return std::abs(found / claimed - 1) <= 0.2;
}

/// What was measured of one study.
class study_view {
  public:
    study_view(measurements const& all, std::string const& study)
        : results_(all.study(study)), plan_(plan_of(study).comparisons) {
        if (results_ == nullptr) throw not_measured{};
    }
    measurement const& row(std::string const& id, item_type type, std::uint64_t n) const {
        measurement const* const found = results_->find(id, type, n);
        if (found == nullptr) throw not_measured{};
        return *found;
    }
    measurement const& row(std::string const& id, std::size_t comparison = 0) const {
        return row(id, plan_.at(comparison).type, plan_.at(comparison).own_size);
    }
    double ms(std::string const& id, std::size_t comparison = 0) const {
        return row(id, comparison).time.median * 1e-3;
    }
    double gbps(std::string const& id, std::size_t comparison = 0) const { return row(id, comparison).gbps(); }
    double percent_of_peak(std::string const& id, std::size_t comparison = 0) const {
        return gbps(id, comparison) / results_->gpu.peak_gbps * 100;
    }
    /// The fastest of a comparison's kernels but `except`.
    measurement const& best(std::size_t comparison, std::string const& except = "") const {
        measurement const* found = nullptr;
        for (std::string const& id : plan_.at(comparison).ids) {
            measurement const* const one = results_->find(id, plan_[comparison].type, plan_[comparison].own_size);
            if (one == nullptr || id == except) continue;
            if (found == nullptr || one->time.median < found->time.median) found = one;
        }
        if (found == nullptr) throw not_measured{};
        return *found;
    }
    study_results const& results() const { return *results_; }
    comparison const& plan(std::size_t comparison) const { return plan_.at(comparison); }

  private:
    study_results const* results_;
    std::vector<comparison> const& plan_;
};

constexpr std::size_t floats = 0, ints = 1;  // study A's comparisons

finding_on_claim factor_of_best(measurements const& all, std::size_t comparison, double claimed) {
    study_view const a(all, "A");
    measurement const& best = a.best(comparison);
    double const factor = a.ms("A1", comparison) * 1e3 / best.time.median;
    return decide(about(factor, claimed),
                  fmt::format("A1 takes {:.3f} ms, {} {:.4f} ms: {:.0f} times", a.ms("A1", comparison), best.id,
                              best.time.median * 1e-3, factor));
}

finding_on_claim float_atomics(measurements const& all) {
    return factor_of_best(all, floats, 300);
}
finding_on_claim int_atomics(measurements const& all) {
    return factor_of_best(all, ints, 3);
}

finding_on_claim a7_fastest(measurements const& all) {
    study_view const a(all, "A");
    measurement const& next = a.best(floats, "A7");
    return decide(a.row("A7").time.median < next.time.median,
                  fmt::format("A7 takes {:.4f} ms, the framework {:.4f} ms, CUB's block sum {:.4f} ms", a.ms("A7"),
                              a.ms("A-torch"), a.ms("A8")));
}

finding_on_claim int_shared_atomics(measurements const& all) {
    study_view const a(all, "A");
    return decide(about(a.ms("A2", ints), a.ms("A7", ints)),
                  fmt::format("A2 takes {:.4f} ms, A7 {:.4f} ms; for float32 A2 takes {:.3f} ms", a.ms("A2", ints),
                              a.ms("A7", ints), a.ms("A2")));
}

finding_on_claim framework_int(measurements const& all) {
    study_view const a(all, "A");
    measurement const& best = a.best(ints);
    double const factor = a.row("A-torch", ints).time.median / best.time.median;
    return decide(about(factor, 5),
                  fmt::format("{:.4f} ms against {:.4f} ms of {}: {:.2f} times; float32 takes it {:.4f} ms",
                              a.ms("A-torch", ints), best.time.median * 1e-3, best.id, factor, a.ms("A-torch")));
}

finding_on_claim framework_accumulates(measurements const& all) {
    study_view const a(all, "A");
    measurement const& wide = a.row("A-torch", ints);
    measurement const& narrow = a.row("A-torch, int32", ints);
    return decide(wide.time.median > 1.2 * narrow.time.median,
                  fmt::format("asked for an int32 sum of int32 items it takes {:.4f} ms, left alone ({}) {:.4f} ms",
                              narrow.time.median * 1e-3, wide.note, wide.time.median * 1e-3));
}

finding_on_claim time_and_rate(measurements const& all, std::string const& id, double claimed_ms, double claimed_gbps) {
    study_view const c(all, "C");
    return decide(about(c.ms(id), claimed_ms) && about(c.gbps(id), claimed_gbps),
                  fmt::format("{} takes {:.4f} ms, which is {:.0f} GB/s", id, c.ms(id), c.gbps(id)));
}

finding_on_claim naive_rate(measurements const& all) {
    return time_and_rate(all, "C1", 2.8, 85);
}
finding_on_claim optimized_rate(measurements const& all) {
    return time_and_rate(all, "C8", 0.12, 420);
}

finding_on_claim bandwidth_shares(measurements const& all) {
    study_view const c(all, "C");
    double const naive = c.percent_of_peak("C1");
    double const optimized = c.percent_of_peak("C8");
    return decide(
        about(naive, 35) && about(optimized, 92),
        fmt::format("C1 reads at {:.0f} % and C8 at {:.0f} % of the peak of {:.0f} GB/s, the best plain read at "
                    "{:.0f} %",
                    naive, optimized, c.results().gpu.peak_gbps, c.percent_of_peak(read_limit)));
}

finding_on_claim best_block(measurements const& all) {
    study_view const c(all, "C");
    std::string evidence;
    bool good = true;
    for (char const* id : {"C2", "C6"}) {
        std::vector<measurement> const rows = c.results().rows_of(id, item_type::f32, sweep::block);
        if (rows.empty()) throw not_measured{};
        double best = std::numeric_limits<double>::max();
        double of_256 = 0;
        evidence += fmt::format("{}{}", evidence.empty() ? "microseconds by threads a block: " : "; ", id);
        for (measurement const& row : rows) {
            best = std::min(best, row.time.median);
            if (row.threads == 256) of_256 = row.time.median;
            evidence += fmt::format(" {}: {:.1f},", row.threads, row.time.median);
        }
        evidence.pop_back();
        good = good && of_256 <= 1.1 * best;
    }
    return decide(good, evidence);
}

char const* const finishes[] = {"", "a", "w"};  // two passes, one atomic a block, one a warp

finding_on_claim wide_loads(measurements const& all) {
    study_view const d(all, "D");
    std::string evidence;
    bool good = true;
    for (char const* finish : finishes) {
        std::string const id = std::string("D4") + finish;
        double const share = d.percent_of_peak(id);
        good = good && share >= 91.5 && share < 95.5;
        evidence += fmt::format("{} {:.0f} GB/s, {:.1f} % of the peak; ", id, d.gbps(id), share);
    }
    return decide(good, evidence + fmt::format("the best plain read {:.0f}, {:.1f} %", d.gbps(read_limit),
                                               d.percent_of_peak(read_limit)));
}

finding_on_claim narrow_loads(measurements const& all) {
    study_view const d(all, "D");
    std::string evidence = "beside four items a load,";
    bool good = true;
    for (char const* finish : finishes) {
        double const wide = d.gbps(std::string("D4") + finish);
        double const two = d.gbps(std::string("D2") + finish) / wide;
        double const one = d.gbps(std::string("D1") + finish) / wide;
        good = good && std::abs(two - 3050.0 / 3150) <= 0.05 && std::abs(one - 2300.0 / 3150) <= 0.05;
        evidence += fmt::format(" D2{0} reads at {1:.2f} and D1{0} at {2:.2f},", finish, two, one);
    }
    evidence.back() = ';';
    return decide(good, evidence + " claimed are 0.97 and 0.73");
}

constexpr unsigned middle_from = 18, middle_to = 24;  // powers of two: the middle half of those measured

finding_on_claim middle_sizes(measurements const& all) {
    study_view const d(all, "D");
    std::string evidence = "microseconds with four items a load, two passes, an atomic a block, an atomic a warp:";
    bool good = true;
    for (unsigned i = middle_from; i <= middle_to; i += 2) {
        double us[3];
        for (std::size_t f = 0; f < 3; ++f) {
            us[f] = d.row(std::string("D4") + finishes[f], item_type::i32, std::uint64_t{1} << i).time.median;
        }
        good = good && us[1] <= us[0] && us[0] <= us[2];
        evidence += fmt::format(" 2^{}: {:.1f}, {:.1f}, {:.1f};", i, us[0], us[1], us[2]);
    }
    evidence.pop_back();
    return decide(good, evidence);
}

finding_on_claim warp_atomics_contend(measurements const& all) {
    study_view const d(all, "D");
    std::string evidence = "time of one atomic a warp over one a block, four items a load:";
    double middle = 0;
    double last = 0;
    for (unsigned i = middle_from; i <= 28; i += 2) {
        std::uint64_t const n = std::uint64_t{1} << i;
        last = d.row("D4w", item_type::i32, n).time.median / d.row("D4a", item_type::i32, n).time.median;
        if (i <= middle_to) middle = std::max(middle, last);
        evidence += fmt::format(" 2^{}: {:.2f},", i, last);
    }
    evidence.pop_back();
    return decide(middle > 1.05 && last <= 1.05, evidence);
}

finding_on_claim doubles(measurements const& all) {
    study_view const e(all, "E");
    std::string evidence = "from step to step the bandwidth grows by factors of";
    bool good = true;
    for (char const* id : {"E1", "E2", "E3", "E4", "E5"}) {
        double const factor = e.gbps(id) / e.gbps(std::string("E") + static_cast<char>(id[1] - 1));
        good = good && about(factor, 2);
        evidence += fmt::format(" {:.2f},", factor);
    }
    evidence.pop_back();
    return decide(good, evidence);
}

finding_on_claim shares_of_peak(measurements const& all) {
    study_view const e(all, "E");
    std::pair<char const*, double> const claimed[] = {{"E0", 0.5},  {"E1", 10.8}, {"E2", 19.6},   {"E3", 32.0},
                                                      {"E4", 61.0}, {"E5", 88.9}, {"E-cub", 93.5}};
    std::string evidence = fmt::format("of the peak of {:.0f} GB/s:", e.results().gpu.peak_gbps);
    bool good = true;
    for (auto const& [id, percent] : claimed) {
        good = good && about(e.percent_of_peak(id), percent);
        evidence += fmt::format(" {} {:.3g} %,", id, e.percent_of_peak(id));
    }
    return decide(good, evidence + fmt::format(" the best plain read {:.1f} %", e.percent_of_peak(read_limit)));
}

finding_on_claim less_divergence(measurements const& all) {
    study_view const e(all, "E");
    double const factor = e.gbps("E2") / e.gbps("E1");
    return decide(factor >= 1.6,
                  fmt::format("{:.0f} and {:.0f} GB/s, a factor of {:.2f}", e.gbps("E1"), e.gbps("E2"), factor));
}

finding_on_claim two_pass_wins(measurements const& all) {
    study_view const e(all, "E");
    std::vector<measurement> const two = e.results().rows_of("E6", item_type::f32, sweep::grid);
    std::vector<measurement> const one = e.results().rows_of("E6a", item_type::f32, sweep::grid);
    if (two.empty() || two.size() != one.size()) throw not_measured{};
    std::string evidence = fmt::format("{} items, microseconds of E6 and E6a by blocks:", two.front().n);
    bool good = true;
    for (std::size_t i = 0; i < two.size(); ++i) {
        bool const many = two[i].blocks > 100000;
        good = good && (two[i].time.median < one[i].time.median) == many;
        if (one[i].blocks >= 32768) {
            evidence += fmt::format(" {}: {:.0f}, {:.0f};", two[i].blocks, two[i].time.median, one[i].time.median);
        }
    }
    evidence.pop_back();
    return decide(good, evidence);
}

constexpr std::size_t histograms = 2;  // study E's comparison

finding_on_claim histogram_rates(measurements const& all) {
    study_view const e(all, "E");
    std::pair<char const*, double> const claimed[] = {{"H1", 42}, {"H2", 380}, {"H3", 520}, {"H-cub", 580}};
    std::string evidence;
    bool good = true;
    for (auto const& [id, gbps] : claimed) {
        good = good && about(e.gbps(id, histograms), gbps);
        evidence += fmt::format("{}{} {:.0f} GB/s", evidence.empty() ? "" : ", ", id, e.gbps(id, histograms));
    }
    return decide(good, evidence + ", over random bytes");
}

finding_on_claim histogram_ranks(measurements const& all) {
    study_view const e(all, "E");
    double const h1 = e.ms("H1", histograms), h2 = e.ms("H2", histograms), h3 = e.ms("H3", histograms);
    constexpr double clearly = 1.05;
    return decide(h3 * clearly < h2 && h2 * clearly < h1,
                  fmt::format("H1 takes {:.3f} ms, H2 {:.3f} ms, H3 {:.3f} ms for {} random bytes", h1, h2, h3,
                              e.plan(histograms).own_size));
}

/// A hardware counter of a kernel over 2^20 items; 0 where the file has only others of the kernel.
double counted(measurements const& all, std::string const& kernel, std::string const& counter) {
    bool any = false;
    for (hardware_counter const& one : all.counters) {
        if (one.kernel == kernel && one.counter == counter) return one.value;
        any = any || one.kernel == kernel;
    }
    if (!any) throw not_measured{};
    return 0;
}

double conflicts(measurements const& all, std::string const& kernel) {
    return counted(all, kernel, "shared_load_bank_conflicts") + counted(all, kernel, "shared_store_bank_conflicts");
}

std::string conflict_figures(measurements const& all) {
    return fmt::format(
        "bank conflicts counted by the hardware over 1 048 576 items: C1 {:.0f}, C1b {:.0f}, C2 {:.0f}, of "
        "which some thousands are arbitration",
        conflicts(all, "C1"), conflicts(all, "C1b"), conflicts(all, "C2"));
}

constexpr double arbitration = 8000;  // conflicts that the hardware counts where no two lanes meet

finding_on_claim can_conflict(measurements const& all) {
    return decide(conflicts(all, "C1b") > arbitration && conflicts(all, "C2") < arbitration, conflict_figures(all));
}

finding_on_claim does_conflict(measurements const& all) {
    return decide(conflicts(all, "C1") > arbitration, conflict_figures(all));
}

/// Passes over shared memory.
double passes(measurements const& all, std::string const& kernel) {
    return counted(all, kernel, "shared_load_wavefronts") + counted(all, kernel, "shared_store_wavefronts");
}

finding_on_claim divergence_costs(measurements const& all) {
    study_view const c(all, "C");
    return decide(
        c.ms("C1") > 1.1 * c.ms("C2") && conflicts(all, "C1") < arbitration,
        fmt::format("C1 takes {:.4f} ms and C2 {:.4f} ms, neither with bank conflicts; in C1 all warps stay at "
                    "work, each with few lanes: {:.0f} passes over shared memory against {:.0f}",
                    c.ms("C1"), c.ms("C2"), passes(all, "C1"), passes(all, "C2")));
}

finding_on_claim utilisation(measurements const& all, std::string const& id, double claimed) {
    double const percent = counted(all, id, "mean_active_lanes") / 32 * 100;
    return decide(std::abs(percent - claimed) <= 5,
                  fmt::format("{:.0f} % of a warp's lanes are at work in an instruction of {}", percent, id));
}

finding_on_claim naive_utilisation(measurements const& all) {
    return utilisation(all, "C1", 25);
}
finding_on_claim optimized_utilisation(measurements const& all) {
    return utilisation(all, "C8", 95);
}

using judge = finding_on_claim (*)(measurements const&);

/// `decided`, or that a GPU is needed where not all was measured.
template <judge decided>
finding_on_claim where_measured(measurements const& all) {
    try {
        return decided(all);
    } catch (not_measured const&) {
        return {verdict::needs_gpu, "not measured"};
    }
}

}  // namespace

finding_on_claim (*judged_by_measurements(std::string const& id))(measurements const&) {
    static std::map<std::string, judge> const judges{
        {"A.1", where_measured<float_atomics>},        {"A.2", where_measured<int_atomics>},
        {"A.3", where_measured<a7_fastest>},           {"A.4", where_measured<int_shared_atomics>},
        {"A.5", where_measured<framework_int>},        {"A.6", where_measured<framework_accumulates>},
        {"B.1", where_measured<can_conflict>},         {"C.1", where_measured<naive_rate>},
        {"C.2", where_measured<optimized_rate>},       {"C.3", where_measured<bandwidth_shares>},
        {"C.4", where_measured<does_conflict>},        {"C.5", where_measured<divergence_costs>},
        {"C.6", where_measured<naive_utilisation>},    {"C.7", where_measured<optimized_utilisation>},
        {"C.9", where_measured<best_block>},           {"D.1", where_measured<wide_loads>},
        {"D.2", where_measured<narrow_loads>},         {"D.3", where_measured<middle_sizes>},
        {"D.4", where_measured<warp_atomics_contend>}, {"E.1", where_measured<doubles>},
        {"E.2", where_measured<shares_of_peak>},       {"E.3", where_measured<less_divergence>},
        {"E.4", where_measured<two_pass_wins>},        {"E.5", where_measured<histogram_rates>},
        {"E.6", where_measured<histogram_ranks>},
    };
    auto const found = judges.find(id);
    return found == judges.end() ? nullptr : found->second;
}

}  // namespace warpfold::lab
