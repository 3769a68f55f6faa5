#include "lab/tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace warpfold::lab {
namespace {

constexpr std::size_t warp_lanes = 32;

double combine(operation op, double a, double b) {
    switch (op) {
        case operation::product:
            return a * b;
        case operation::maximum:
            return std::max(a, b);
        case operation::minimum:
            return std::min(a, b);
        default:
            return a + b;
    }
}

std::vector<tree_node> leaves(std::vector<double> const& items) {
    std::vector<tree_node> nodes;
    for (std::size_t i = 0; i < items.size(); ++i) nodes.push_back({i, items[i], i, std::nullopt});
    return nodes;
}

/// One step: `partner(slot)` is the slot that `slot` takes, `stays(slot)` whether it counts after the step.
template <class Partner, class Stays>
tree_step step(std::string what, std::vector<tree_node> const& from, operation op, Partner partner, Stays stays) {
    tree_step made{std::move(what), {}};
    for (tree_node const& node : from) {
        if (!stays(node.slot)) continue;
        std::size_t const wanted = partner(node.slot);
        auto const other = std::lower_bound(from.begin(), from.end(), wanted,
                                            [](tree_node const& n, std::size_t slot) { return n.slot < slot; });
        if (other == from.end() || other->slot != wanted) {
            made.nodes.push_back({node.slot, node.value, node.slot, std::nullopt});
        } else {
            made.nodes.push_back({node.slot, combine(op, node.value, other->value), node.slot, wanted});
        }
    }
    return made;
}

void sequential(reduction_tree& tree) {
    std::vector<tree_node> now = leaves(tree.items);
    while (now.size() > 1) {
        std::size_t const stride = (now.size() + 1) / 2;
        tree.steps.push_back(step(
            fmt::format("stride {}", stride), now, tree.op, [&](std::size_t slot) { return slot + stride; },
            [&](std::size_t slot) { return slot < stride; }));
        now = tree.steps.back().nodes;
    }
}

void interleaved(reduction_tree& tree) {
    std::vector<tree_node> now = leaves(tree.items);
    for (std::size_t stride = 1; now.size() > 1; stride *= 2) {
        tree.steps.push_back(step(
            fmt::format("stride {}", stride), now, tree.op, [&](std::size_t slot) { return slot + stride; },
            [&](std::size_t slot) { return slot % (2 * stride) == 0; }));
        now = tree.steps.back().nodes;
    }
}

void shuffle(reduction_tree& tree) {
    std::vector<tree_node> now = leaves(tree.items);
    while (now.size() > 1) {
        // Fewer values than lanes need no more than the next power of two.
        std::size_t const width = std::min(warp_lanes, std::bit_ceil(now.size()));
        for (std::size_t offset = width / 2; offset > 0; offset /= 2) {
            tree.steps.push_back(step(
                fmt::format("offset {}", offset), now, tree.op, [&](std::size_t slot) { return slot + offset; },
                [&](std::size_t slot) { return slot % width < offset; }));
            now = tree.steps.back().nodes;
        }
        if (now.size() == 1) return;
        tree_step gathered{"one slot a warp", {}};
        for (std::size_t i = 0; i < now.size(); ++i) {
            gathered.nodes.push_back({i, now[i].value, now[i].slot, std::nullopt});
        }
        tree.steps.push_back(gathered);
        now = gathered.nodes;
    }
}

std::string list(std::vector<double> const& values) {
    constexpr std::size_t most = 16;
    std::string joined = "[";
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values.size() > most && i == most / 2) {
            joined += fmt::format(", … {} more …", values.size() - most);
            i = values.size() - most / 2;
        }
        joined += fmt::format("{}{}", i == 0 ? "" : ", ", values[i]);
    }
    return joined + "]";
}

/// The slots as columns; a dot where a slot no longer counts.
std::string table(reduction_tree const& tree) {
    std::size_t width = 1;
    for (double const item : tree.items) width = std::max(width, fmt::format("{}", item).size());
    for (auto const& step : tree.steps) {
        for (auto const& node : step.nodes) width = std::max(width, fmt::format("{}", node.value).size());
    }
    auto const row = [&](std::string const& label, std::vector<tree_node> const& nodes, std::string const& note) {
        std::string line = fmt::format("{:<8}", label);
        auto node = nodes.begin();
        for (std::size_t slot = 0; slot < tree.items.size(); ++slot) {
            bool const counts = node != nodes.end() && node->slot == slot;
            line += fmt::format("{:>{}}", counts ? fmt::format("{}", node->value) : ".", width + 2);
            if (counts) ++node;
        }
        return line + (note.empty() ? "" : "   " + note) + "\n";
    };
    std::vector<tree_node> slots = leaves(tree.items);
    for (tree_node& slot : slots) slot.value = static_cast<double>(slot.slot);
    std::string lines = row("slot", slots, "") + row("items", leaves(tree.items), "");
    for (std::size_t i = 0; i < tree.steps.size(); ++i) {
        tree_step const& step = tree.steps[i];
        std::string const pairs = fmt::format("{} pair{}", step.pairs(), step.pairs() == 1 ? "" : "s");
        lines += row(fmt::format("step {}", i + 1), step.nodes, step.what + ", " + pairs);
    }
    return lines;
}

}  // namespace

std::size_t tree_step::pairs() const {
    return static_cast<std::size_t>(
        std::count_if(nodes.begin(), nodes.end(), [](tree_node const& node) { return node.second.has_value(); }));
}

reduction_tree make_tree(std::vector<double> items, operation op, tree_style style) {
    if (items.empty()) throw std::invalid_argument("a tree needs at least one value");
    if (op != operation::sum && op != operation::product && op != operation::maximum && op != operation::minimum) {
        throw std::invalid_argument("a tree is drawn for sum, product, max and min");
    }
    reduction_tree tree{style, op, std::move(items), {}, 0};
    if (style == tree_style::sequential) sequential(tree);
    if (style == tree_style::interleaved) interleaved(tree);
    if (style == tree_style::shuffle) shuffle(tree);
    tree.result = tree.steps.empty() ? tree.items.front() : tree.steps.back().nodes.front().value;
    return tree;
}

std::string name(tree_style style) {
    switch (style) {
        case tree_style::sequential:
            return "sequential";
        case tree_style::interleaved:
            return "interleaved";
        case tree_style::shuffle:
            return "shuffle";
    }
    return {};
}

tree_style parse_tree_style(std::string const& text) {
    for (auto const style : {tree_style::sequential, tree_style::interleaved, tree_style::shuffle}) {
        if (text == name(style)) return style;
    }
    throw std::invalid_argument("style " + text + " is not one of sequential, interleaved, shuffle");
}

operation parse_tree_operation(std::string const& text) {
    for (auto const op : {operation::sum, operation::product, operation::maximum, operation::minimum}) {
        if (text == name(op)) return op;
    }
    throw std::invalid_argument("operation " + text + " is not one of sum, product, max, min");
}

std::string text(reduction_tree const& tree) {
    constexpr std::size_t widest_table = 32;
    std::size_t pairs = 0;
    std::string lists = list(tree.items);
    for (tree_step const& step : tree.steps) {
        pairs += step.pairs();
        std::vector<double> values;
        for (tree_node const& node : step.nodes) values.push_back(node.value);
        lists += " → " + list(values);
    }
    return fmt::format("{} of {} value{}, {}: {} step{}, {} pair{}, result {}\n\n{}{}\n", name(tree.op),
                       tree.items.size(), tree.items.size() == 1 ? "" : "s", name(tree.style), tree.steps.size(),
                       tree.steps.size() == 1 ? "" : "s", pairs, pairs == 1 ? "" : "s", tree.result,
                       tree.items.size() <= widest_table ? table(tree) + "\n" : "", lists);
}

}  // namespace warpfold::lab
