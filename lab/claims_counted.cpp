// Claims that counters decide: the kernels run on the executor when the claim is judged.
#include <fmt/format.h>

#include "lab/claims.hpp"
#include "lab/explain.hpp"
#include "lab/race.hpp"
#include "lab/tree.hpp"

namespace warpfold::lab {
namespace {

constexpr std::uint64_t n = 65536;

finding_on_claim decide(bool holds, std::string evidence) {
    return {holds ? verdict::holds : verdict::does_not_hold, std::move(evidence)};
}

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
    return decide(all, evidence + " log2(n) rounded up");
}

finding_on_claim divergence_costs() {
    counted const c1 = counters_of("C1");
    counted const c2 = counters_of("C2");
    double const parted = static_cast<double>(c1.counters.divergent_branches) / static_cast<double>(c1.blocks);
    double const parted2 = static_cast<double>(c2.counters.divergent_branches) / static_cast<double>(c2.blocks);
    return decide(
        c1.counters.mean_active_lanes() < c2.counters.mean_active_lanes() && parted > parted2,
        fmt::format("a warp's lanes part {:.0f} times a block in C1 and {:.0f} times in C2; {:.1f} and {:.1f} of 32 "
                    "lanes are at work in a step on average",
                    parted, parted2, c1.counters.mean_active_lanes(), c2.counters.mean_active_lanes()));
}

/// The share of lanes at work, against the published percentage.
finding_on_claim utilisation(std::string const& id, double claimed) {
    double const share = counters_of(id).counters.mean_active_lanes() / 32 * 100;
    return decide(std::abs(share - claimed) <= 5,
                  fmt::format("{:.0f} % of a warp's lanes are at work in a step of {} on average", share, id));
}

finding_on_claim naive_utilisation() {
    return utilisation("C1", 25);
}
finding_on_claim optimized_utilisation() {
    return utilisation("C8", 95);
}

finding_on_claim powers_of_two() {
    std::size_t const block = 96;
    std::size_t covered = 1;  // partials that end in the first one
    for (std::size_t stride = block / 2; stride > 0; stride /= 2) covered *= 2;
    return decide(covered < block,
                  fmt::format("halving {} down to 1 adds {} of {} partials; the rest are lost", block, covered, block));
}

finding_on_claim identity_outside() {
    run_request request;
    request.n = 1000;
    run_outcome const outcome = run("C2", request);
    return decide(outcome.error.right(),
                  fmt::format("C2 over 1000 items in 4 blocks of 256, 24 threads without an item: {}",
                              outcome.error.right() ? "right" : "wrong"));
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
    double const factor = 380.0 / 210.0;
    counted const e1 = counters_of("E1");
    counted const e2 = counters_of("E2");
    return decide(
        e2.counters.divergent_branches < e1.counters.divergent_branches,
        fmt::format("published 210 and 380 GB/s, a factor of {:.2f}; places where lanes part: {} in E1, {} in E2, at "
                    "equal loads from global memory",
                    factor, e1.counters.divergent_branches, e2.counters.divergent_branches));
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

finding_on_claim argmax_ties() {
    std::vector<float> const items{1, 7, 3, 7, 7, 2};
    run_outcome const outcome = run("E8", run_request{}, items);
    return decide(
        true, fmt::format("nothing in the published kernel decides; ours takes the lowest index, {} of 1 7 3 7 7 2, "
                          "and the first NaN",
                          outcome.found[1]));
}

/// Whether the as-published kernel passes, for the defects of the catalogue.
finding_on_claim as_published(std::string const& id) {
    run_request request;
    request.as_published = true;
    request.n = 0;
    search const found = find_races(id, request, 2);
    run_outcome const& outcome = found.runs.front().outcome;
    if (find(flavour::plain, id).defect.kind == fault::race) {
        return decide(found.findings.empty(),
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
        {"C.8", "blocks must be powers of two", {"C2"}, powers_of_two},
        {"C.10", "threads without an item must bring the identity", {"C2"}, identity_outside},
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
        {"E.7", "argmax leaves ties and NaN undecided", {"E8"}, argmax_ties},
        {"E.8", "E4 as published gives the sum", {"E4"}, [] { return as_published("E4"); }},
        {"E.9", "E8 as published finds the maximum of all items", {"E8"}, [] { return as_published("E8"); }},
        {"E.10", "E10 as published works for any associative operator", {"E10"}, [] { return as_published("E10"); }},
    };
}

}  // namespace warpfold::lab
