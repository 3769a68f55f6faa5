// Claims that counters decide: the kernels run on the executor when the claim is judged.
#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "lab/explain.hpp"
#include "lab/judges.hpp"
#include "lab/published.hpp"
#include "lab/race.hpp"
#include "lab/tree.hpp"
#include "lab/trials.hpp"

namespace warpfold::lab {
namespace {

constexpr std::uint64_t n = 65536;

counted counters_of(std::string const& id) {
    run_request request;
    request.n = n;
    return count(id, request);
}

/// Bank conflicts a block, of loads and stores.
std::uint64_t conflicts(counted const& one) {
    return (one.counters.shared_load_bank_conflicts + one.counters.shared_store_bank_conflicts) / one.blocks;
}

std::string conflict_figures() {
    return fmt::format("bank conflicts a block of 256: C1 {}, C1b {}, C2 {}", conflicts(counters_of("C1")),
                       conflicts(counters_of("C1b")), conflicts(counters_of("C2")));
}

finding_on_claim can_conflict() {
    return decide(conflicts(counters_of("C1b")) > 0 && conflicts(counters_of("C2")) == 0,
                  conflict_figures() + ": it can, where neighbouring threads add words 2, 4, 8 … apart (C1b)");
}

finding_on_claim does_conflict() {
    return decide(conflicts(counters_of("C1")) > 0,
                  conflict_figures() + ": with the modulo test each lane stays on its own bank");
}

finding_on_claim log_steps() {
    std::string evidence = "steps counted:";
    bool all = true;
    for (std::size_t const length : {8u, 100u, 256u, 1000u}) {
        std::size_t const steps =
            make_tree(std::vector<double>(length, 1.0), operation::sum, tree_style::sequential).steps.size();
        std::size_t log2 = 0;
        while ((std::size_t{1} << log2) < length) ++log2;
        all = all && steps == log2;
        evidence += fmt::format(" {} for {} values,", steps, length);
    }
    evidence += " log2(n) rounded up; barriers after the first one in B2:";
    for (unsigned const block : {64u, 256u, 1024u}) {
        counted const b2 = count("B2", {.n = n, .block = block});
        std::uint64_t const warps = b2.blocks * b2.threads / 32;
        all = all && b2.counters.barriers == warps * (1 + static_cast<unsigned>(std::bit_width(block - 1)));
        evidence += fmt::format(" {} in a block of {},", b2.counters.barriers / warps - 1, block);
    }
    evidence.pop_back();
    return decide(all, evidence);
}

constexpr char const* parted_in_a_block = "places in a block where a warp's lanes part";

divergence_pair divergence_of(std::string const& first, std::string const& second) {
    auto const figures = [](std::string const& id) {
        counted const one = counters_of(id);
        return divergence{static_cast<double>(one.counters.divergent_branches) / static_cast<double>(one.blocks),
                          one.counters.mean_active_lanes()};
    };
    return {first, second, figures(first), figures(second)};
}

finding_on_claim divergence_costs() {
    divergence_pair const both = divergence_of("C1", "C2");
    bool const conflict = conflicts(counters_of("C1")) != 0;
    return decide(both.removed() && !conflict,
                  fmt::format("{}; {}bank conflicts in C1", both.text(parted_in_a_block), conflict ? "" : "no "));
}

/// The share of lanes at work, against the published percentage.
finding_on_claim utilisation(std::string const& id, std::string const& published_name) {
    double const share = counters_of(id).counters.mean_active_lanes() / 32 * 100;
    double const claimed = published("C", published_name, "f32", "thread_utilization_pct").value;
    return decide(std::abs(share - claimed) <= 5,
                  fmt::format("{:.0f} % of a warp's lanes are at work in a step of {} on average", share, id));
}

finding_on_claim naive_utilisation() {
    return utilisation("C1", "naive");
}
finding_on_claim optimized_utilisation() {
    return utilisation("C8", "optimized");
}

/// A judge of trials, of what the executor makes of them.
template <finding_on_claim (*judge)(trial_source const&)>
finding_on_claim on_executor() {
    return judge([](std::string const& name) { return try_out(trial_of(name), engine::executor); });
}

finding_on_claim warp_atomics_contend() {
    auto const block = counters_of("D4a").counters.global_atomic_serialisations;
    auto const warp = counters_of("D4w").counters.global_atomic_serialisations;
    return {verdict::needs_gpu,
            fmt::format("counted: {} atomics on one word for D4w, {} for D4a, {} times as many; what they "
                        "cost beside the loads needs times",
                        warp, block, warp / block)};
}

finding_on_claim less_divergence() {
    double const before = published("E", "V1 interleaved", "f32", "GB/s").value;
    double const after = published("E", "V2 sequential", "f32", "GB/s").value;
    return doubled_by_less_divergence(before, after, divergence_of("E1", "E2"), parted_in_a_block);
}

finding_on_claim histogram_ranks() {
    auto const turns = [](std::string const& id) {
        counted const one = counters_of(id);
        return std::pair(one.counters.global_atomic_lanes, one.counters.shared_atomic_lanes);
    };
    auto const h1 = turns("H1");
    auto const h2 = turns("H2");
    auto const h3 = turns("H3");
    return {verdict::needs_gpu,
            fmt::format("counted for 65 536 bytes: {} global atomics in H1, {} in H2 and {} in H3, which "
                        "make {} and {} shared ones; that H3 beats H2 rests on warps of a block no longer "
                        "meeting on a word, which needs times",
                        h1.first, h2.first, h3.first, h2.second, h3.second)};
}

/// Whether the as-published kernel passes, for the defects of the catalogue.
finding_on_claim as_published(std::string const& id) {
    run_request request;
    request.as_published = true;
    request.n = 0;
    search const found = find_races(id, request, 2);
    run_outcome const& outcome = found.runs.front().outcome;
    if (find(flavour::plain, id).defect.kind == fault::race) {
        return decide(!found.found_anything(),
                      fmt::format("`lab race {} --as-published`: {} pair{} of lines race", id, found.findings.size(),
                                  found.findings.size() == 1 ? "" : "s"));
    }
    return decide(
        outcome.error.right(),
        fmt::format("`lab race {} --as-published`: {} of {} items comes out as {}, exact is {}", id,
                    name(find(flavour::plain, id).op), outcome.n, text(find(flavour::plain, id).op, outcome.found),
                    text(find(flavour::plain, id).op, {outcome.exact.begin(), outcome.exact.end()})));
}

}  // namespace

std::vector<claim> claims_on_counters() {
    return {
        {"A.7", "A5 as published gives the sum in any order of its threads", {"A5"}, [] { return as_published("A5"); }},
        {"A.8", "A6 as published gives the sum in any order of its threads", {"A6"}, [] { return as_published("A6"); }},
        {"A.9", "A7 as published gives the sum in any order of its threads", {"A7"}, [] { return as_published("A7"); }},
        {"B.1",
         "interleaved addressing can cause bank conflicts, sequential avoids them",
         {"B2", "C1b", "C2"},
         can_conflict},
        {"B.2", "the tree needs log2(n) steps", {"B2", "B-tree"}, log_steps},
        {"C.4", "interleaved addressing with the modulo test causes bank conflicts", {"C1"}, does_conflict},
        {"C.5", "divergence is what it costs (ours, against C.4)", {"C1", "C2"}, divergence_costs},
        {"C.6", "the naive kernel keeps 25 % of the threads busy", {"C1"}, naive_utilisation},
        {"C.7", "the optimised kernel keeps 95 % of the threads busy", {"C8"}, optimized_utilisation},
        {"C.8", "a tree's blocks must be powers of two", {"C2"}, on_executor<powers_of_two>},
        {"C.10", "threads without an item must bring the identity", {"B3"}, on_executor<identity_outside>},
        {"C.11",
         "C4 as published gives the sum in any order of its threads",
         {"C4"},
         [] { return as_published("C4"); }},
        {"C.12", "C5's block sum can be called again in the same kernel", {"C5"}, [] { return as_published("C5"); }},
        {"C.13", "C8 as published gives the sum at 1024 threads", {"C8"}, [] { return as_published("C8"); }},
        {"D.4",
         "one atomic a warp suffers contention until arrays are large",
         {"D1w", "D2w", "D4w"},
         warp_atomics_contend},
        {"E.3",
         "sequential addressing nearly doubles the bandwidth by removing divergence",
         {"E1", "E2"},
         less_divergence},
        {"E.6",
         "a histogram a warp beats one a block, and both beat global atomics",
         {"H1", "H2", "H3"},
         histogram_ranks},
        {"E.7", "argmax leaves ties and NaN undecided", {"E8"}, on_executor<argmax_ties>},
        {"E.8", "E4 as published gives the sum", {"E4"}, [] { return as_published("E4"); }},
        {"E.9", "E8 as published finds the maximum of all items", {"E8"}, [] { return as_published("E8"); }},
        {"E.10", "E10 as published works for any associative operator", {"E10"}, [] { return as_published("E10"); }},
    };
}

}  // namespace warpfold::lab
