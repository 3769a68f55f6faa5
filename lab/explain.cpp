#include "lab/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warpfold::lab {
namespace {

/// A count that tells kernels apart, what it means to the machine, and about how many steps of a warp one costs: the
/// costs only rank the sentences.
struct quantity {
    char const* what;
    char const* meaning;
    double cost;
    double (*of)(simt::counters const&);
};

double bank_conflicts(simt::counters const& c) {
    return static_cast<double>(c.shared_load_bank_conflicts + c.shared_store_bank_conflicts);
}

double wavefronts(simt::counters const& c) {
    return static_cast<double>(c.shared_load_wavefronts + c.shared_store_wavefronts);
}

quantity const quantities[] = {
    {"load requests to global memory", "one request fetches the items of up to 32 lanes at once", 4,
     [](simt::counters const& c) { return static_cast<double>(c.global_load_requests); }},
    {"sectors of 32 bytes read from global memory", "this is what the memory bandwidth is spent on", 4,
     [](simt::counters const& c) { return static_cast<double>(c.global_load_sectors); }},
    {"turns at atomics on global memory", "lanes that update the same address take turns", 32,
     [](simt::counters const& c) { return static_cast<double>(c.global_atomic_serialisations); }},
    {"turns at atomics on shared memory", "lanes that update the same address take turns", 4,
     [](simt::counters const& c) { return static_cast<double>(c.shared_atomic_serialisations); }},
    {"passes over shared memory", "a pass serves each of the 32 banks once", 1, wavefronts},
    {"bank conflicts", "each is one more pass, because lanes wanted different words of one bank", 1, bank_conflicts},
    {"warp stops at block barriers", "a warp that stops there waits for the slowest of its block", 4,
     [](simt::counters const& c) { return static_cast<double>(c.barriers); }},
    {"shuffles", "a shuffle passes values between the registers of a warp, without shared memory or a barrier", 1,
     [](simt::counters const& c) { return static_cast<double>(c.shuffles); }},
    {"places where a warp's lanes parted", "the two ways then run one after the other", 2,
     [](simt::counters const& c) { return static_cast<double>(c.divergent_branches); }},
};

std::string grouped(double value) {
    std::string digits = fmt::format("{:.0f}", value);
    for (std::ptrdiff_t i = static_cast<std::ptrdiff_t>(digits.size()) - 3; i > 0; i -= 3) {
        digits.insert(static_cast<std::size_t>(i), 1, ' ');
    }
    return digits;
}

/// "3.1 times as many", "5.0 times fewer", "as many".
std::string times(double mine, double theirs) {
    if (mine == theirs) return "as many";
    if (mine > theirs) return fmt::format("{:.3g} times as many", mine / theirs);
    return fmt::format("{:.3g} times fewer", theirs / mine);
}

struct sentence {
    double weight;  // the difference in steps of a warp, roughly
    std::string text;
};

/// Steps of a warp that lanes at rest would have filled.
double idle_steps(simt::counters const& c) {
    return static_cast<double>(c.steps) - static_cast<double>(c.step_lanes) / 32;
}

std::vector<std::string> heaviest(std::vector<sentence> candidates, std::size_t most) {
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](sentence const& a, sentence const& b) { return a.weight > b.weight; });
    std::vector<std::string> chosen;
    constexpr double noticed = 0.02;  // beside the heaviest
    for (sentence const& one : candidates) {
        if (chosen.size() < most && one.weight >= noticed * candidates.front().weight) chosen.push_back(one.text);
    }
    return chosen;
}

std::vector<std::string> compare(counted const& mine, counted const& theirs) {
    std::vector<sentence> candidates;
    for (quantity const& q : quantities) {
        double const a = q.of(mine.counters);
        double const b = q.of(theirs.counters);
        if (std::abs(a - b) <= 0.04 * std::max(a, b)) continue;
        std::string text;
        if (b == 0)
            text = fmt::format("{} has {} {}, {} has none", mine.id, grouped(a), q.what, theirs.id);
        else if (a == 0)
            text = fmt::format("{} has no {}, {} has {}", mine.id, q.what, theirs.id, grouped(b));
        else {
            text = fmt::format("{} has {} {}, {} than {}", mine.id, grouped(a), q.what, times(a, b), theirs.id);
            if (a > b)
                text = fmt::format("{} has {} {}, {} as {}", mine.id, grouped(a), q.what, times(a, b), theirs.id);
        }
        candidates.push_back({std::abs(a - b) * q.cost, text + ": " + q.meaning + "."});
    }
    double const lanes = mine.counters.mean_active_lanes();
    double const their_lanes = theirs.counters.mean_active_lanes();
    if (std::abs(lanes - their_lanes) >= 3) {
        candidates.push_back(
            {std::abs(idle_steps(mine.counters) - idle_steps(theirs.counters)),
             fmt::format("On average {:.1f} of a warp's 32 lanes are at work in a step of {}, {:.1f} in "
                         "{}: lanes that are not at work cost as much as those that are.",
                         lanes, mine.id, their_lanes, theirs.id)});
    }
    if (candidates.empty()) {
        return {fmt::format("{} counts the same as {} in every respect.", mine.id, theirs.id),
                "What tells them apart shows only in the answer or in the time on a GPU."};
    }
    std::vector<std::string> chosen = heaviest(std::move(candidates), 3);
    if (chosen.size() == 1) chosen.push_back(fmt::format("In all else {} and {} count alike.", mine.id, theirs.id));
    return chosen;
}

std::vector<std::string> describe(counted const& mine) {
    simt::counters const& c = mine.counters;
    double const items = std::max(1.0, static_cast<double>(mine.n));
    std::vector<std::string> sentences;
    double const fetched = static_cast<double>(c.global_load_sectors) * 32;
    double const used = static_cast<double>(c.global_load_bytes);
    sentences.push_back(
        fetched == used
            ? fmt::format("{} fetches {} bytes from global memory in {} requests and uses every one.", mine.id,
                          grouped(fetched), grouped(static_cast<double>(c.global_load_requests)))
            : fmt::format("{} fetches {} bytes from global memory in {} requests, {:.3g} for each that it asks for.",
                          mine.id, grouped(fetched), grouped(static_cast<double>(c.global_load_requests)),
                          fetched / std::max(used, 1.0)));
    sentences.push_back(
        fmt::format("On average {:.1f} of a warp's 32 lanes are at work in a step.", c.mean_active_lanes()));
    double const turns = static_cast<double>(c.global_atomic_serialisations);
    if (turns >= items / 64) {
        sentences.push_back(
            fmt::format("Lanes take {} turns at atomics on global memory, {:.3g} an item: everyone adds to the "
                        "same place.",
                        grouped(turns), turns / items));
    } else if (wavefronts(c) > 0) {
        sentences.push_back(
            fmt::format("It passes {} times over shared memory, {:.3g} times for 32 items; {} of the passes "
                        "are bank conflicts.",
                        grouped(wavefronts(c)), wavefronts(c) / items * 32, grouped(bank_conflicts(c))));
    } else {
        sentences.push_back(fmt::format("{} block{} of {} threads share the work and use no shared memory.",
                                        mine.blocks, mine.blocks == 1 ? "" : "s", mine.threads));
    }
    return sentences;
}

std::vector<simt::metric> shown(explanation const& explained) {
    std::vector<simt::metric> kept;
    auto const all = explained.kernel.counters.metrics();
    auto const before = explained.predecessor ? explained.predecessor->counters.metrics() : all;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].value != 0 || before[i].value != 0) kept.push_back(all[i]);
    }
    return kept;
}

double value_of(simt::counters const& counters, std::string_view metric) {
    for (simt::metric const& one : counters.metrics()) {
        if (one.name == metric) return one.value;
    }
    return 0;
}

/// A mean is the same a block as in all; everything else is a count.
bool is_mean(std::string_view metric) {
    return metric.substr(0, 4) == "mean";
}

std::string cell(double value) {
    return value == std::floor(value) ? grouped(value) : fmt::format("{:.2f}", value);
}

std::string launch_line(counted const& one) {
    std::string line = fmt::format("{}: {} item{}, {} block{} of {} threads", one.id,
                                   grouped(static_cast<double>(one.n)), one.n == 1 ? "" : "s",
                                   grouped(static_cast<double>(one.blocks)), one.blocks == 1 ? "" : "s", one.threads);
    if (one.later_launches > 0) {
        line += fmt::format("; {} more launch{} for the partials (not counted here)", one.later_launches,
                            one.later_launches == 1 ? "" : "es");
    }
    return line;
}

}  // namespace

counted count(std::string const& id, run_request request) {
    request.options.counters = true;
    run_outcome const outcome = run(id, request);
    if (outcome.launches.empty()) throw std::invalid_argument(id + " runs on the host: it has no counters");
    launch_record const& first = outcome.launches.front();
    return {id, outcome.n, first.blocks, first.threads, outcome.launches.size() - 1, first.report.counters};
}

explanation explain(std::string const& id, run_request const& request) {
    explanation explained{count(id, request), std::nullopt, {}};
    std::string const& before = find(flavour::plain, id).predecessor;
    if (before.empty()) {
        explained.sentences = describe(explained.kernel);
    } else {
        run_request same = request;
        same.grid = 0;  // the predecessor's own shape: a grid or block of the one may not suit the other
        same.block = 0;
        explained.predecessor = count(before, same);
        explained.sentences = compare(explained.kernel, *explained.predecessor);
    }
    return explained;
}

std::string text(explanation const& explained) {
    kernel_entry const& kernel = find(flavour::plain, explained.kernel.id);
    std::string page =
        fmt::format("{} {}: {}\n\n{}\n", kernel.id, kernel.name, kernel.idea, launch_line(explained.kernel));
    if (explained.predecessor) page += launch_line(*explained.predecessor) + "\n";
    page += fmt::format("\n{:<34}{:>12}{:>14}", "counter", "a block", "in all");
    if (explained.predecessor) page += fmt::format("{:>14}{:>10}", explained.predecessor->id, "ratio");
    page += "\n";
    for (simt::metric const& metric : shown(explained)) {
        double const blocks = is_mean(metric.name) ? 1 : static_cast<double>(explained.kernel.blocks);
        page += fmt::format("{:<34}{:>12}{:>14}", metric.name, cell(metric.value / blocks), cell(metric.value));
        if (explained.predecessor) {
            double const before = value_of(explained.predecessor->counters, metric.name);
            page += fmt::format("{:>14}{:>10}", cell(before),
                                before == 0 ? "" : fmt::format("{:.3g}", metric.value / before));
        }
        page += "\n";
    }
    page += "(docs/lab.md says what they mean; --json has Nsight Compute's names)\n\n";
    for (std::string const& sentence : explained.sentences) page += sentence + "\n";
    return page;
}

nlohmann::json json(explanation const& explained) {
    auto const launch = [](counted const& one) {
        return nlohmann::json{{"id", one.id},
                              {"n", one.n},
                              {"blocks", one.blocks},
                              {"threads", one.threads},
                              {"later_launches", one.later_launches}};
    };
    nlohmann::json counters = nlohmann::json::array();
    for (simt::metric const& metric : shown(explained)) {
        double const blocks = is_mean(metric.name) ? 1 : static_cast<double>(explained.kernel.blocks);
        nlohmann::json row{{"counter", metric.name},
                           {"ncu_metric", metric.ncu_name},
                           {"per_block", metric.value / blocks},
                           {"total", metric.value}};
        if (explained.predecessor) row["predecessor_total"] = value_of(explained.predecessor->counters, metric.name);
        counters.push_back(row);
    }
    nlohmann::json page{
        {"kernel", launch(explained.kernel)}, {"counters", counters}, {"sentences", explained.sentences}};
    if (explained.predecessor) page["predecessor"] = launch(*explained.predecessor);
    return page;
}

}  // namespace warpfold::lab
