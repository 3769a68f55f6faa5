#include "lab/judges.hpp"

#include <fmt/format.h>

#include <cmath>

namespace warpfold::lab {
namespace {

std::string answers(trial const& one) {
    if (one.runs == 1) return one.right == 1 ? "right" : "wrong";
    return fmt::format("right in {} of {} runs", one.right, one.runs);
}

bool always_right(trial const& one) {
    return one.right == one.runs;
}

}  // namespace

finding_on_claim decide(bool holds, std::string evidence) {
    return {holds ? verdict::holds : verdict::does_not_hold, std::move(evidence)};
}

bool about(double found, double claimed) {
    return std::abs(found / claimed - 1) <= 0.2;
}

bool divergence_pair::removed() const {
    if (of_first.parted != of_second.parted) return of_second.parted < of_first.parted;
    return of_second.lanes > of_first.lanes;
}

std::string divergence_pair::text(std::string const& counted) const {
    return fmt::format("{}: {:.0f} in {}, {:.0f} in {}; {:.1f} and {:.1f} of 32 lanes are at work on average", counted,
                       of_first.parted, first, of_second.parted, second, of_first.lanes, of_second.lanes);
}

finding_on_claim doubled_by_less_divergence(double before, double after, divergence_pair const& both,
                                            std::string const& counted) {
    double const factor = after / before;
    bool const doubled = about(factor, 2);
    return decide(doubled && both.removed(),
                  fmt::format("{:.0f} and {:.0f} GB/s, a factor of {:.2f}: {}; {}: divergence is {}what goes", before,
                              after, factor, doubled ? "nearly doubled" : "not doubled", both.text(counted),
                              both.removed() ? "" : "not "));
}

finding_on_claim powers_of_two(trial_source const& trial_of) {
    trial const tree = trial_of("C2 in blocks of 96");
    trial const shuffles = trial_of("C5 in blocks of 96");
    return decide(!always_right(tree),
                  fmt::format("C2 in blocks of {}: the sum of {} items comes out as {}, exact is {}, {}; C5, which has "
                              "no tree, {}",
                              tree.threads, tree.n, tree.found, tree.exact, answers(tree), answers(shuffles)));
}

finding_on_claim identity_outside(trial_source const& trial_of) {
    trial const identity = trial_of("B3 over negative items");
    trial const zero = trial_of("B3 where threads without an item bring 0");
    return decide(always_right(identity) && !always_right(zero),
                  fmt::format("the maximum of {} negative items in blocks of {}, where some threads have none: {}, {}; "
                              "where these bring 0: {}, {}",
                              identity.n, identity.threads, identity.found, answers(identity), zero.found,
                              answers(zero)));
}

finding_on_claim argmax_ties(trial_source const& trial_of) {
    trial const low = trial_of("E8 as published, equals at 0 and 16");
    trial const high = trial_of("E8 as published, equals at 1 and 16");
    trial const nan = trial_of("E8 as published, a NaN before 1");
    trial const only_nan = trial_of("E8 as published, NaN alone");
    // A rule, be it the first or the last of equals, would be kept in both.
    bool const ties = always_right(low) != always_right(high);
    bool const nans = !always_right(nan) && !always_right(only_nan);
    return decide(ties && nans,
                  fmt::format("comparing values alone, of equals at 0 and 16 it takes {}, of equals at 1 and 16 {}: "
                              "{}; of a NaN and 1 it takes {}, of NaN alone {}: {}",
                              low.found, high.found, ties ? "the lanes decide" : "a rule", nan.found, only_nan.found,
                              nans ? "NaN is passed over" : "a NaN is found"));
}

}  // namespace warpfold::lab
