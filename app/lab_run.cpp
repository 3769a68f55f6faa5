#include <fmt/format.h>

#include "command.hpp"
#include "lab.hpp"

namespace warpfold::app {
namespace {

struct run_options {
    std::vector<std::string> what;
    std::string engine = "executor";
    lab_options common;
    bool as_published = false;
};

lab::engine parse_engine(std::string const& text) {
    if (text == "executor") return lab::engine::executor;
    if (text == "device") return lab::engine::device;
    throw std::invalid_argument("engine " + text + " is not one of executor, device");
}

void run(run_options const& options) {
    lab::run_request const request = [&] {
        lab::run_request parsed = options.common.parsed();
        parsed.as_published = options.as_published;
        parsed.engine = parse_engine(options.engine);
        return parsed;
    }();
    if (request.engine == lab::engine::device) lab::first_gpu();
    std::vector<lab::kernel_entry> kernels;
    for (std::string const& what : options.what) {
        for (lab::kernel_entry const& kernel : lab::select(lab::flavour::plain, what)) kernels.push_back(kernel);
    }
    std::size_t wrong = 0;
    for (lab::kernel_entry const& kernel : kernels) {
        try {
            lab::run_outcome const outcome = lab::run(kernel.id, request);
            if (!outcome.error.right()) ++wrong;
            print(lab::text(kernel, outcome) + "\n");
        } catch (lab::needs_gpu const& e) {
            print(fmt::format("{:<7} {:<20} needs a GPU\n", kernel.id, kernel.name));
        } catch (std::invalid_argument const& e) {
            // Of several kernels, those that cannot take the type or the shape are passed over.
            if (kernels.size() == 1) throw;
            print(fmt::format("{:<7} {:<20} passed over: {}\n", kernel.id, kernel.name, e.what()));
        }
    }
    if (wrong > 0) throw std::runtime_error(fmt::format("{} of {} answers are wrong", wrong, kernels.size()));
}

}  // namespace

void add_lab_run(command const& lab) {
    auto const options = std::make_shared<run_options>();
    command const added = lab.add_command("run", "Run kernels and check their answers against the exact one");
    added.option("what", options->what, "Ids, studies or all").required().type_name("ID|STUDY|all...");
    options->common.add_to(added);
    added.option("--engine", options->engine, "executor, or device: a GPU")
        .shows_default()
        .type_name("ENGINE");
    added.flag("--as-published", options->as_published, "The published variant, with its defect");
    added.footer(
        "An answer is right where it is exact or, for sums of floats, off by no more than rounding can explain. The "
        "error is\n"
        "given in ulps, units in the last place of the answer. Exit code 1 where an answer is wrong.");
    added.callback([options] { answer_usage([&] { run(*options); }); });
}

}  // namespace warpfold::app
