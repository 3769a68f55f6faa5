#include "lab/claims.hpp"

#include "command.hpp"
#include "lab.hpp"

namespace warpfold::app {
namespace {

struct claims_options {
    bool json = false;
    std::string results;
};

void claims(claims_options const& options) {
    lab::measurements const measured =
        options.results.empty() ? lab::own_measurements() : lab::read_measurements(options.results);
    print(options.json ? lab::ledger_json(measured).dump(2) + "\n" : lab::ledger_text(measured));
}

}  // namespace

void add_lab_claims(command const& lab) {
    auto const options = std::make_shared<claims_options>();
    command const added = lab.add_command("claims", "Which published claims hold, with the evidence");
    added.flag("--json", options->json, "As JSON");
    added.option("--results", options->results, "Measured on another GPU than this program's own evidence")
        .type_name("FOLDER");
    added.callback([options] { claims(*options); });
}

}  // namespace warpfold::app
