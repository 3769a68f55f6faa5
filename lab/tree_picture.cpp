#include <fmt/format.h>

#include <iterator>

#include "lab/tree.hpp"

namespace warpfold::lab {
namespace {

constexpr double column = 56;  // pixels from slot to slot
constexpr double row = 72;     // and from step to step
constexpr double left = 190;   // before the first slot: room for a step's label
constexpr double top = 84;     // above the items: room for the title and the slot numbers
constexpr double box_width = 46;
constexpr double box_height = 30;

double x(std::size_t slot) {
    return left + static_cast<double>(slot) * column;
}
double y(std::size_t level) {
    return top + static_cast<double>(level) * row;
}

constexpr char const* style_sheet = R"(<style>
text { font-family: Helvetica, Arial, sans-serif; font-size: 14px; fill: #1c2530; }
.title { font-size: 17px; font-weight: bold; }
.note { font-size: 12px; fill: #5b6775; }
.value { text-anchor: middle; font-variant-numeric: tabular-nums; }
.slot { text-anchor: middle; font-size: 12px; fill: #5b6775; }
.kept { stroke: #2f6fb0; stroke-width: 2; }
.taken { stroke: #d2691e; stroke-width: 2; }
.carried { stroke: #9aa5b1; stroke-width: 1.5; stroke-dasharray: 4 3; }
.item { fill: #eef1f4; stroke: #9aa5b1; }
.pair { fill: #dceafa; stroke: #2f6fb0; }
.waiting { fill: #ffffff; stroke: #9aa5b1; stroke-dasharray: 4 3; }
.result { fill: #2f6fb0; stroke: #1d4a78; }
.on-result { fill: #ffffff; font-weight: bold; }
</style>
)";

void line(std::string& svg, char const* kind, std::size_t from, std::size_t to, std::size_t level) {
    fmt::format_to(std::back_inserter(svg), "<line class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n", kind,
                   x(from), y(level - 1) + box_height / 2, x(to), y(level) - box_height / 2);
}

void box(std::string& svg, char const* kind, std::size_t slot, std::size_t level, double value) {
    std::string const number = fmt::format("{:.7g}", value);
    // A long number is squeezed into its box rather than drawn over its neighbours.
    std::string const squeeze =
        number.size() > 5 ? fmt::format(" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"", box_width - 6) : "";
    std::string const on_result = std::string(kind) == "result" ? " on-result" : "";
    fmt::format_to(std::back_inserter(svg),
                   "<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\"/>\n"
                   "<text class=\"value{}\" x=\"{}\" y=\"{}\"{}>{}</text>\n",
                   kind, x(slot) - box_width / 2, y(level) - box_height / 2, box_width, box_height, on_result, x(slot),
                   y(level) + 5, squeeze, number);
}

}  // namespace

std::string picture(reduction_tree const& tree) {
    double const width = std::max(x(tree.items.size() - 1) + column, 640.0);
    double const height = y(tree.steps.size()) + 70;
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n{2}"
        "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
        "<text class=\"title\" x=\"20\" y=\"30\">{3} of {4} value{5}, {6}: {7} step{8}</text>\n"
        "<text class=\"note\" x=\"20\" y=\"58\">slot</text>\n<text x=\"20\" y=\"{9}\">items</text>\n",
        width, height, style_sheet, name(tree.op), tree.items.size(), tree.items.size() == 1 ? "" : "s",
        name(tree.style), tree.steps.size(), tree.steps.size() == 1 ? "" : "s", y(0) + 5);
    auto const out = std::back_inserter(svg);

    for (std::size_t i = 0; i < tree.steps.size(); ++i) {
        for (tree_node const& node : tree.steps[i].nodes) {
            line(svg, node.second ? "kept" : "carried", node.first, node.slot, i + 1);
            if (node.second) line(svg, "taken", *node.second, node.slot, i + 1);
        }
    }
    for (std::size_t slot = 0; slot < tree.items.size(); ++slot) {
        fmt::format_to(out, "<text class=\"slot\" x=\"{}\" y=\"58\">{}</text>\n", x(slot), slot);
        box(svg, tree.steps.empty() ? "result" : "item", slot, 0, tree.items[slot]);
    }
    for (std::size_t i = 0; i < tree.steps.size(); ++i) {
        tree_step const& step = tree.steps[i];
        fmt::format_to(
            out,
            "<text x=\"20\" y=\"{}\">step {}</text>\n<text class=\"note\" x=\"20\" y=\"{}\">{}, {} pair{}</text>\n",
            y(i + 1) - 3, i + 1, y(i + 1) + 14, step.what, step.pairs(), step.pairs() == 1 ? "" : "s");
        for (tree_node const& node : step.nodes) {
            bool const last = i + 1 == tree.steps.size();
            box(svg, last ? "result" : node.second ? "pair" : "waiting", node.slot, i + 1, node.value);
        }
    }
    fmt::format_to(out,
                   "<g transform=\"translate(20 {})\"><line class=\"kept\" x1=\"0\" y1=\"0\" x2=\"26\" y2=\"0\"/>"
                   "<text class=\"note\" x=\"34\" y=\"4\">its own value</text>"
                   "<line class=\"taken\" x1=\"150\" y1=\"0\" x2=\"176\" y2=\"0\"/>"
                   "<text class=\"note\" x=\"184\" y=\"4\">the value it takes</text>"
                   "<line class=\"carried\" x1=\"320\" y1=\"0\" x2=\"346\" y2=\"0\"/>"
                   "<text class=\"note\" x=\"354\" y=\"4\">carried along</text></g>\n</svg>\n",
                   height - 24);
    return svg;
}

}  // namespace warpfold::lab
