#include "lab/tree.hpp"

#include <fmt/format.h>

#include <fstream>

#include "command.hpp"
#include "lab.hpp"

namespace warpfold::app {
namespace {

struct tree_options {
    std::vector<double> items;
    std::string op = "sum";
    std::string style = "interleaved";
    std::string svg;
};

void tree(tree_options const& options) {
    lab::reduction_tree const drawn =
        lab::make_tree(options.items, lab::parse_tree_operation(options.op), lab::parse_tree_style(options.style));
    if (!options.svg.empty()) {
        std::ofstream file(options.svg, std::ios::binary);
        if (!(file << lab::picture(drawn)).flush())
            throw data_error(options.svg, "write", "expected a file to write to");
    }
    print(lab::text(drawn));
}

}  // namespace

void add_lab_tree(CLI::App& lab) {
    auto const options = std::make_shared<tree_options>();
    CLI::App* const command = lab.add_subcommand("tree", "A reduction step by step, as text and as a picture");
    command->add_option("items", options->items, "The values; negative ones after --")
        ->required()
        ->type_name("VALUE...")
        ->check([](std::string const& text) {
            double value;
            return CLI::detail::lexical_cast(text, value)
                       ? std::string{}
                       : fmt::format("expected numbers to reduce, not {} (of a kernel, lab explain tells)", text);
        });
    command->add_option("--op", options->op, "sum, product, max or min")->capture_default_str()->type_name("OP");
    command->add_option("--style", options->style, "sequential, interleaved or shuffle")
        ->capture_default_str()
        ->type_name("STYLE");
    command->add_option("--svg", options->svg, "Also write a picture")->type_name("FILE");
    command->callback([options] { answer_usage([&] { tree(*options); }); });
}

}  // namespace warpfold::app
