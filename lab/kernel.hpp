// One kernel of the lab: what it is, how it is launched, and the functions that run it. A kernel's file fills in a
// kernel_entry and registers it; everything else in the lab works from that.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace warpfold::lab {

class execution;

enum class item_type : std::uint8_t { f32, i32, u8 };

/// What a kernel computes over its items.
enum class operation : std::uint8_t { sum, product, maximum, minimum, mean, argmax, histogram };

/// Where a kernel can run.
enum class need : std::uint8_t {
    executor,  // the executor, or a GPU
    host,      // no kernel at all: host code to compare with
    gpu        // a library that only nvcc compiles
};

/// The result of a run: one number; for argmax the value and its index (-1: no item); for a histogram the counts. A
/// double holds every float, int and count below 2^53.
using answer = std::vector<double>;

/// Runs a kernel over `items` and returns its answer.
template <class T>
using run_function = answer (*)(execution&, std::span<T const> items);

/// The run functions of a kernel, null for the types that it does not take.
struct runners {
    run_function<float> f32 = nullptr;
    run_function<int> i32 = nullptr;
    run_function<std::uint8_t> u8 = nullptr;
};

/// Which blocks and grids a kernel takes. Blocks are powers of two. A grid has the blocks that n items need at
/// items_a_thread items a thread, at least one; a kernel with a grid-stride loop has `most_blocks` at most.
struct launch_rule {
    unsigned block = 256;
    unsigned least_block = 32;
    unsigned greatest_block = 1024;
    std::uint64_t items_a_thread = 1;
    std::uint64_t most_blocks = 0;  // 0: no grid-stride loop, the grid must cover all items

    /// Blocks for n items, by blocks of `block` threads.
    std::uint64_t blocks(std::uint64_t n, unsigned block) const;
};

/// How an as-published variant goes wrong.
enum class fault : std::uint8_t { none, race, wrong_answer };

/// A defect of the published kernel, with the kernel as it was published.
struct defect {
    fault kind = fault::none;
    std::string what = {};      // one sentence
    runners as_published = {};  // the published kernel, run as it was
    unsigned block = 256;       // a block size that shows the defect
};

/// How many items one rounding error can pass through, for the stated bound on the error of a float sum.
enum class summation : std::uint8_t {
    per_block,  // items of a thread one after the other, then the threads of a block, then the blocks
    per_warp,   // items of a thread one after the other, then the lanes of a warp, then the warps of all blocks
    pairwise,   // halves of halves, down to 16 items one after the other
    serial      // possibly all items one after the other
};

/// Every member but the first four has a default, so that an entry names only what it has.
struct kernel_entry {
    std::string id;     // "C2"
    std::string name;   // "sequential"
    std::string study;  // "C"
    std::string idea;   // one sentence
    runners run = {};
    operation op = operation::sum;
    need needs = need::executor;
    launch_rule launch = {};
    std::string predecessor = {};     // id of the step before it in its study; empty for a first step
    std::string published_name = {};  // its name in the published figures; empty where it has none
    lab::defect defect = {};
    lab::summation summation = summation::per_block;
};

std::string name(item_type type);
/// Bytes of an item.
std::uint64_t size_of(item_type type);
std::string name(operation op);
/// "executor", "host" or "GPU".
std::string name(need needs);
/// The type named `text`; throws std::invalid_argument.
item_type parse_item_type(std::string const& text);

/// Which types `run` takes, in the order of item_type.
std::vector<item_type> types(runners const& run);
/// Their names, joined.
std::string type_list(runners const& run, std::string const& separator);

}  // namespace warpfold::lab
