#include "command.hpp"
#include "lab.hpp"
#include "lab/explain.hpp"

namespace warpfold::app {
namespace {

struct explain_options {
    std::string id;
    lab_options common;
    bool json = false;
};

void explain(explain_options const& options) {
    lab::explanation const explained = lab::explain(options.id, options.common.parsed());
    print(options.json ? lab::json(explained).dump(2) + "\n" : lab::text(explained));
}

}  // namespace

void add_lab_explain(command const& lab) {
    auto const options = std::make_shared<explain_options>();
    command const added =
        lab.add_command("explain", "What a kernel costs, counted, beside the step before it in its study");
    added.option("id", options->id, "The kernel").required().type_name("ID");
    options->common.add_to(added);
    added.flag("--json", options->json, "As JSON, with Nsight Compute's names of the counters");
    added.callback([options] { answer_usage([&] { explain(*options); }); });
}

}  // namespace warpfold::app
