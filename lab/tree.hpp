// The tree of a reduction, step by step, as text and as a picture.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lab/kernel.hpp"

namespace warpfold::lab {

enum class tree_style : std::uint8_t {
    sequential,   // the stride halves: slot i takes slot i + stride, the rest of the list falls away
    interleaved,  // the stride doubles: slot i takes its neighbour i + stride
    shuffle       // warps of 32 lanes, lane i takes lane i + offset; then the warps' results in the same way
};

/// One slot after a step: its value, and the slots of the step before that went into it (`second` empty where the value
/// was only carried along).
struct tree_node {
    std::size_t slot;
    double value;
    std::size_t first;
    std::optional<std::size_t> second;
};

/// One step: the slots that still count, in order.
struct tree_step {
    std::string what;  // "stride 4", "warp results side by side"
    std::vector<tree_node> nodes;

    /// How many pairs were combined.
    std::size_t pairs() const;
};

struct reduction_tree {
    tree_style style;
    operation op;
    std::vector<double> items;
    std::vector<tree_step> steps;
    double result;
};

/// The tree over `items`, at least one of them, for sum, product, maximum or minimum; throws std::invalid_argument.
reduction_tree make_tree(std::vector<double> items, operation op, tree_style style);

/// "sequential", "interleaved" or "shuffle".
std::string name(tree_style style);

/// The style or operation named `text`; throws std::invalid_argument.
tree_style parse_tree_style(std::string const& text);
operation parse_tree_operation(std::string const& text);

/// The tree as text: up to 32 items as a table of slots, and always as lists joined by arrows.
std::string text(reduction_tree const& tree);

/// The tree as a picture, a complete SVG document.
std::string picture(reduction_tree const& tree);

}  // namespace warpfold::lab
