#include "lab/claims.hpp"

#include "command.hpp"
#include "lab.hpp"

namespace warpfold::app {

void add_lab_claims(CLI::App& lab) {
    auto const json = std::make_shared<bool>(false);
    CLI::App* const command = lab.add_subcommand("claims", "Which published claims hold, with the evidence");
    command->add_flag("--json", *json, "As JSON");
    command->callback([json] { print(*json ? lab::ledger_json().dump(2) + "\n" : lab::ledger_text()); });
}

}  // namespace warpfold::app
