#include "lab/tree.hpp"

#include <fmt/format.h>

#include <cstdlib>
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

void add_lab_tree(command const& lab) {
    auto const options = std::make_shared<tree_options>();
    command const added = lab.add_command("tree", "A reduction step by step, as text and as a picture");
    added.option("items", options->items, "The values; negative ones after --")
        .required()
        .type_name("VALUE...")
        .check([](std::string const& text) {
            char* end = nullptr;
            std::strtod(text.c_str(), &end);
            return end == text.c_str() + text.size() && !text.empty()
                       ? std::string{}
                       : fmt::format("expected numbers to reduce, not {} (of a kernel, lab explain tells)", text);
        });
    added.option("--op", options->op, "sum, product, max or min").shows_default().type_name("OP");
    added.option("--style", options->style, "sequential, interleaved or shuffle")
        .shows_default()
        .type_name("STYLE");
    added.option("--svg", options->svg, "Also write a picture").type_name("FILE");
    added.callback([options] { answer_usage([&] { tree(*options); }); });
}

}  // namespace warpfold::app
