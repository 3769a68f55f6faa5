// The claims of the studies, and what can be said of them.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace warpfold::lab {

enum class verdict : std::uint8_t { holds, does_not_hold, needs_gpu };

struct finding_on_claim {
    lab::verdict verdict;
    std::string evidence;  // the figures that decide, or what a GPU would have to show
};

struct claim {
    std::string id;  // "C3": study and number
    std::string text;
    std::vector<std::string> kernels;  // ids that it speaks of
    finding_on_claim (*judge)();       // from published figures, or by counting on the executor
};

/// All claims, by study.
std::vector<claim> const& claims();

// The two halves of claims().
std::vector<claim> claims_on_published_figures();
std::vector<claim> claims_on_counters();

std::string name(verdict decided);

/// The ledger: every claim judged.
std::string ledger_text();
nlohmann::json ledger_json();

}  // namespace warpfold::lab
