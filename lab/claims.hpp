// The claims of the studies, and what can be said of them.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

#include "lab/results.hpp"

namespace warpfold::lab {

enum class verdict : std::uint8_t {
    holds,
    does_not_hold,
    cannot_tell,  // looked at, and what was seen can neither show nor refute it
    needs_gpu     // not looked at
};

struct finding_on_claim {
    lab::verdict verdict;
    std::string evidence;  // the figures that decide, or what a GPU would have to show
};

struct claim {
    std::string id;  // "C3": study and number
    std::string text;
    std::vector<std::string> kernels;  // ids that it speaks of
    finding_on_claim (*judge)();       // from published figures, or by counting on the executor
    finding_on_claim (*measured)(measurements const&) = nullptr;  // from what a GPU showed
};

/// All claims, by study.
std::vector<claim> const& claims();

// The two halves of claims().
std::vector<claim> claims_on_published_figures();
std::vector<claim> claims_on_counters();

/// Judges the claim with this id by what was measured on a GPU; throws std::out_of_range where there is no such claim.
finding_on_claim (*judged_by_measurements(std::string const& id))(measurements const&);

/// All that can be said of a claim.
struct ruling {
    lab::verdict verdict;  // by the published figures or by counting; by measuring where only that can tell
    std::optional<finding_on_claim> published;  // by the published figures or by counting
    std::optional<finding_on_claim> measured;   // needs_gpu where that GPU's results lack what decides
};

ruling rule(claim const& one, measurements const& measured);

std::string name(verdict decided);

/// The ledger: every claim judged.
std::string ledger_text(measurements const& measured);
nlohmann::json ledger_json(measurements const& measured);
/// As a Markdown table.
std::string ledger_markdown(measurements const& measured);

}  // namespace warpfold::lab
