#include "lab/race.hpp"

#include <fmt/format.h>

#include "command.hpp"
#include "lab.hpp"

namespace warpfold::app {
namespace {

struct race_options {
    std::string id;
    lab_options common;
    bool as_published = false;
    bool all = false;
    unsigned schedules = 20;
};

void race(race_options const& options) {
    lab::run_request request = options.common.parsed();
    request.as_published = options.as_published;
    lab::search const found = lab::find_races(options.id, request, options.schedules);
    print(lab::text(found, options.all));
    if (found.found_anything()) {
        throw std::runtime_error(
            fmt::format("{}{} is not right", options.id, options.as_published ? " as published" : ""));
    }
}

}  // namespace

void add_lab_race(command const& lab) {
    auto const options = std::make_shared<race_options>();
    options->common.request.n = 0;
    command const added = lab.add_command("race", "Run a kernel under all checks and many schedules");
    added.option("id", options->id, "The kernel").required().type_name("ID");
    added.flag("--as-published", options->as_published, "The published variant, with its defect");
    options->common.add_to(added);
    added.option("--schedules", options->schedules, "Random schedules beside in order and reversed")
        .shows_default()
        .type_name("K")
        .from_to(0, 1'000'000);
    added.flag("--all", options->all, "Every pair of lines, not one for each missing barrier");
    added.footer("Exit code 1 where something was found.");
    added.callback([options] { answer_usage([&] { race(*options); }); });
}

}  // namespace warpfold::app
