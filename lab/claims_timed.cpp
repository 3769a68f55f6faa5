// What a GPU's times and counters say of the claims. The figures are of the studies' own sizes, unless others are
// named.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "lab/catalogue.hpp"
#include "lab/judges.hpp"
#include "lab/tables.hpp"

namespace warpfold::lab {
namespace {

/// Thrown where a figure that decides was not measured.
struct not_measured {};

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
    bool const as_int64 = wide.note.find("result int64") != std::string::npos;
    return decide(as_int64 && wide.time.median > 1.2 * narrow.time.median,
                  fmt::format("asked for an int32 sum of int32 items it takes {:.4f} ms, left alone ({}) {:.4f} ms",
                              narrow.time.median * 1e-3, wide.note, wide.time.median * 1e-3));
}

finding_on_claim time_and_rate(measurements const& all, std::string const& id, std::string const& published_name) {
    study_view const c(all, "C");
    double const claimed_ms = published("C", published_name, "f32", "ms").value;
    double const claimed_gbps = published("C", published_name, "f32", "GB/s").value;
    return decide(about(c.ms(id), claimed_ms) && about(c.gbps(id), claimed_gbps),
                  fmt::format("{} takes {:.4f} ms, which is {:.0f} GB/s", id, c.ms(id), c.gbps(id)));
}

finding_on_claim naive_rate(measurements const& all) {
    return time_and_rate(all, "C1", "naive");
}
finding_on_claim optimized_rate(measurements const& all) {
    return time_and_rate(all, "C8", "optimized");
}

finding_on_claim bandwidth_shares(measurements const& all) {
    study_view const c(all, "C");
    double const naive = c.percent_of_peak("C1");
    double const optimized = c.percent_of_peak("C8");
    return decide(
        about(naive, published("C", "naive", "f32", "bandwidth_utilization_pct").value) &&
            about(optimized, published("C", "optimized", "f32", "bandwidth_utilization_pct").value),
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
    auto const claimed = [](std::string const& width) {  // the middle of what was published
        figure const& one = published("D", "TwoPass " + width, "i32", "GB/s");
        return (one.value + one.greatest) / 2;
    };
    double const claimed_two = claimed("vec2") / claimed("vec4");
    double const claimed_one = claimed("scalar") / claimed("vec4");
    std::string evidence = "beside four items a load,";
    bool good = true;
    for (char const* finish : finishes) {
        double const wide = d.gbps(std::string("D4") + finish);
        double const two = d.gbps(std::string("D2") + finish) / wide;
        double const one = d.gbps(std::string("D1") + finish) / wide;
        good = good && std::abs(two - claimed_two) <= 0.05 && std::abs(one - claimed_one) <= 0.05;
        evidence += fmt::format(" D2{0} reads at {1:.2f} and D1{0} at {2:.2f},", finish, two, one);
    }
    evidence.back() = ';';
    return decide(good, evidence + fmt::format(" claimed are {:.2f} and {:.2f}", claimed_two, claimed_one));
}

constexpr unsigned middle_from = 18, middle_to = 24;  // powers of two: the middle half of those measured

finding_on_claim middle_sizes(measurements const& all) {
    study_view const d(all, "D");
    std::string evidence = "microseconds by two passes, an atomic a block, an atomic a warp:";
    bool good = true;
    constexpr double alike = 1.02;  // no order is read from times that lie closer
    for (char const* width : {"D1", "D2", "D4"}) {
        evidence += fmt::format(" {},", width);
        for (unsigned i = middle_from; i <= middle_to; i += 2) {
            double us[3];
            for (std::size_t f = 0; f < 3; ++f) {
                us[f] = d.row(std::string(width) + finishes[f], item_type::i32, std::uint64_t{1} << i).time.median;
            }
            good = good && us[1] <= alike * us[0] && us[0] <= alike * us[2];
            evidence += fmt::format(" 2^{}: {:.1f}, {:.1f}, {:.1f};", i, us[0], us[1], us[2]);
        }
    }
    evidence.pop_back();
    return decide(good, evidence);
}

finding_on_claim warp_atomics_contend(measurements const& all) {
    study_view const d(all, "D");
    std::string evidence = "time of one atomic a warp over one a block:";
    bool good = true;
    constexpr double clearly = 1.05;
    for (std::string const width : {"D1", "D2", "D4"}) {
        evidence += fmt::format(" {},", width);
        double middle = 0;
        double last = 0;
        for (unsigned i = middle_from; i <= 28; i += 2) {
            std::uint64_t const n = std::uint64_t{1} << i;
            auto const us = [&](char const* finish) { return d.row(width + finish, item_type::i32, n).time.median; };
            last = us("w") / us("a");
            if (i <= middle_to) middle = std::max(middle, last);
            evidence += fmt::format(" 2^{}: {:.2f},", i, last);
        }
        evidence.back() = ';';
        good = good && middle > clearly && last <= clearly;
    }
    evidence.pop_back();
    return decide(good, evidence);
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
    std::string evidence = fmt::format("of the peak of {:.0f} GB/s:", e.results().gpu.peak_gbps);
    bool good = true;
    for (char const* id : {"E0", "E1", "E2", "E3", "E4", "E5", "E-cub"}) {
        std::string const& there = find(flavour::plain, id).published_name;
        good = good && about(e.percent_of_peak(id), published("E", there, "f32", "pct_peak").value);
        evidence += fmt::format(" {} {:.3g} %,", id, e.percent_of_peak(id));
    }
    return decide(good, evidence + fmt::format(" the best plain read {:.1f} %", e.percent_of_peak(read_limit)));
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
    std::string evidence;
    bool good = true;
    for (char const* id : {"H1", "H2", "H3", "H-cub"}) {
        std::string const& there = find(flavour::plain, id).published_name;
        good = good && about(e.gbps(id, histograms), published("E", there, "u8", "GB/s").value);
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

/// The trial of this name, of whichever study.
trial const& trial_in(measurements const& all, std::string const& name) {
    for (study_results const& study : all.studies) {
        if (trial const* const found = study.find_trial(name)) return *found;
    }
    throw not_measured{};
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

/// Passes over shared memory.
double passes(measurements const& all, std::string const& kernel) {
    return counted(all, kernel, "shared_load_wavefronts") + counted(all, kernel, "shared_store_wavefronts");
}

/// Whether lanes meet on banks. The hardware also counts conflicts where no two lanes do, of these trees at some two
/// hundredths of the passes.
bool has_conflicts(measurements const& all, std::string const& kernel) {
    return conflicts(all, kernel) > 0.05 * passes(all, kernel);
}

std::string conflict_figures(measurements const& all) {
    return fmt::format(
        "bank conflicts counted by the hardware over 1 048 576 items: C1 {:.0f}, C1b {:.0f}, C2 {:.0f}, of {:.0f}, "
        "{:.0f} and {:.0f} passes; below a twentieth of these it is arbitration",
        conflicts(all, "C1"), conflicts(all, "C1b"), conflicts(all, "C2"), passes(all, "C1"), passes(all, "C1b"),
        passes(all, "C2"));
}

finding_on_claim can_conflict(measurements const& all) {
    return decide(has_conflicts(all, "C1b") && !has_conflicts(all, "C2"), conflict_figures(all));
}

finding_on_claim does_conflict(measurements const& all) {
    return decide(has_conflicts(all, "C1"), conflict_figures(all));
}

constexpr char const* parted_there = "divergent branches that the hardware counts over 1 048 576 items";

divergence_pair divergence_of(measurements const& all, std::string const& first, std::string const& second) {
    auto const figures = [&](std::string const& id) {
        return divergence{counted(all, id, "divergent_branches"), counted(all, id, "mean_active_lanes")};
    };
    return {first, second, figures(first), figures(second)};
}

finding_on_claim divergence_costs(measurements const& all) {
    study_view const c(all, "C");
    divergence_pair const both = divergence_of(all, "C1", "C2");
    bool const slower = c.ms("C1") > 1.1 * c.ms("C2");
    bool const conflict = has_conflicts(all, "C1");
    return decide(slower && !conflict && both.removed(),
                  fmt::format("C1 takes {:.4f} ms and C2 {:.4f} ms, with {}bank conflicts in C1; {}: divergence is "
                              "{}what it costs; passes over shared memory: {:.0f} and {:.0f}",
                              c.ms("C1"), c.ms("C2"), conflict ? "" : "no ", both.text(parted_there),
                              both.removed() ? "" : "not ", passes(all, "C1"), passes(all, "C2")));
}

finding_on_claim less_divergence(measurements const& all) {
    study_view const e(all, "E");
    return doubled_by_less_divergence(e.gbps("E1"), e.gbps("E2"), divergence_of(all, "E1", "E2"), parted_there);
}

/// Barriers separate the steps, and one stands before the first.
finding_on_claim log_steps(measurements const& all) {
    std::string evidence = "barriers that the hardware counts, after the first one:";
    bool good = true;
    for (char const* id : {"B2", "C1", "C2"}) {
        launch_rule const& rule = find(flavour::plain, id).launch;
        double const warps = static_cast<double>(rule.blocks(std::uint64_t{1} << 20, rule.block) * rule.block / 32);
        double const steps = counted(all, id, "barriers") / warps - 1;
        good = good && steps == std::log2(rule.block);
        evidence += fmt::format(" {:g} a warp of {},", steps, id);
    }
    return decide(good, evidence + " in blocks of 256");
}

/// A judge of trials, of what a GPU made of them.
template <finding_on_claim (*judge)(trial_source const&)>
finding_on_claim on_gpu(measurements const& all) {
    return judge([&](std::string const& name) { return trial_in(all, name); });
}

/// Of a kernel that is wrong as published, whatever the order of its threads.
finding_on_claim as_published(measurements const& all, std::string const& id) {
    trial const& one = trial_in(all, id + " as published");
    return decide(one.right == one.runs,
                  fmt::format("{} of {} items comes out as {}, exact is {}: right in {} of {} runs",
                              name(find(flavour::plain, id).op), one.n, one.found, one.exact, one.right, one.runs));
}

/// Of a kernel that races as published. A wrong answer or a hazard refutes the claim; right answers show nothing of
/// orders that did not come.
finding_on_claim in_any_order(measurements const& all, std::string const& id) {
    trial const& one = trial_in(all, id + " as published");
    std::string evidence = fmt::format("right in {} of {} runs over {} items, each in one order of the threads",
                                       one.right, one.runs, one.n);
    int hazards = 0;
    for (hazard_count const& seen : all.hazards) {
        if (seen.kernel != id) continue;
        if (seen.as_published) hazards = seen.hazards;
        evidence += fmt::format("; racecheck sees {} hazards {}", seen.hazards,
                                seen.as_published ? "as published" : "in our variant");
    }
    if (one.right == one.runs && hazards == 0) return {verdict::cannot_tell, evidence};
    return decide(false, evidence);
}

finding_on_claim utilisation(measurements const& all, std::string const& id, std::string const& published_name) {
    double const claimed = published("C", published_name, "f32", "thread_utilization_pct").value;
    double const percent = counted(all, id, "mean_active_lanes") / 32 * 100;
    return decide(std::abs(percent - claimed) <= 5,
                  fmt::format("{:.0f} % of a warp's lanes are at work in an instruction of {}", percent, id));
}

finding_on_claim naive_utilisation(measurements const& all) {
    return utilisation(all, "C1", "naive");
}
finding_on_claim optimized_utilisation(measurements const& all) {
    return utilisation(all, "C8", "optimized");
}

using judge = finding_on_claim (*)(measurements const&);

/// `decided`, or that a GPU is needed where not all was measured.
template <auto decided>
finding_on_claim where_measured(measurements const& all) {
    try {
        return decided(all);
    } catch (not_measured const&) {
        return {verdict::needs_gpu, "not measured yet: `script/gpu lab` on that GPU does"};
    }
}

}  // namespace

finding_on_claim (*judged_by_measurements(std::string const& id))(measurements const&) {
    static std::map<std::string, judge> const judges{
        {"A.1", where_measured<float_atomics>},
        {"A.2", where_measured<int_atomics>},
        {"A.3", where_measured<a7_fastest>},
        {"A.4", where_measured<int_shared_atomics>},
        {"A.5", where_measured<framework_int>},
        {"A.6", where_measured<framework_accumulates>},
        {"A.7", where_measured<[](measurements const& all) { return in_any_order(all, "A5"); }>},
        {"A.8", where_measured<[](measurements const& all) { return in_any_order(all, "A6"); }>},
        {"A.9", where_measured<[](measurements const& all) { return in_any_order(all, "A7"); }>},
        {"B.1", where_measured<can_conflict>},
        {"B.2", where_measured<log_steps>},
        {"C.1", where_measured<naive_rate>},
        {"C.2", where_measured<optimized_rate>},
        {"C.3", where_measured<bandwidth_shares>},
        {"C.4", where_measured<does_conflict>},
        {"C.5", where_measured<divergence_costs>},
        {"C.6", where_measured<naive_utilisation>},
        {"C.7", where_measured<optimized_utilisation>},
        {"C.8", where_measured<on_gpu<powers_of_two>>},
        {"C.9", where_measured<best_block>},
        {"C.10", where_measured<on_gpu<identity_outside>>},
        {"C.11", where_measured<[](measurements const& all) { return in_any_order(all, "C4"); }>},
        {"C.12", where_measured<[](measurements const& all) { return in_any_order(all, "C5"); }>},
        {"C.13", where_measured<[](measurements const& all) { return as_published(all, "C8"); }>},
        {"D.1", where_measured<wide_loads>},
        {"D.2", where_measured<narrow_loads>},
        {"D.3", where_measured<middle_sizes>},
        {"D.4", where_measured<warp_atomics_contend>},
        {"E.1", where_measured<doubles>},
        {"E.2", where_measured<shares_of_peak>},
        {"E.3", where_measured<less_divergence>},
        {"E.4", where_measured<two_pass_wins>},
        {"E.5", where_measured<histogram_rates>},
        {"E.6", where_measured<histogram_ranks>},
        {"E.7", where_measured<on_gpu<argmax_ties>>},
        {"E.8", where_measured<[](measurements const& all) { return as_published(all, "E4"); }>},
        {"E.9", where_measured<[](measurements const& all) { return as_published(all, "E8"); }>},
        {"E.10", where_measured<[](measurements const& all) { return as_published(all, "E10"); }>},
    };
    return judges.at(id);
}

}  // namespace warpfold::lab
