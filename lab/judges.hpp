// What judges of claims share, whether they go by the published figures, by the executor or by a GPU.
#pragma once

#include <functional>
#include <string>

#include "lab/claims.hpp"

namespace warpfold::lab {

finding_on_claim decide(bool holds, std::string evidence);

/// Within a fifth of what was claimed, which is as exact as "about" can be.
bool about(double found, double claimed);

/// How the lanes of a kernel's warps keep together.
struct divergence {
    double parted;  // branches at which lanes of a warp go different ways
    double lanes;   // of 32, at work on average
};

/// Two kernels, of which the second is said to diverge less.
struct divergence_pair {
    std::string first;
    std::string second;
    divergence of_first;
    divergence of_second;

    /// Whether the second has fewer branches that part lanes; where both have as many, whether more lanes are at work.
    bool removed() const;
    /// `counted` says what the branches are counted by.
    std::string text(std::string const& counted) const;
};

/// E.3, which has two parts: the bandwidth grows from `before` to `after`, and divergence is what goes.
finding_on_claim doubled_by_less_divergence(double before, double after, divergence_pair const& both,
                                            std::string const& counted);

/// Gives the trial of that name.
using trial_source = std::function<trial(std::string const&)>;

finding_on_claim powers_of_two(trial_source const& trial_of);
finding_on_claim identity_outside(trial_source const& trial_of);
finding_on_claim argmax_ties(trial_source const& trial_of);

}  // namespace warpfold::lab
