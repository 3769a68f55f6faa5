// Runs a kernel of the catalogue, on the executor or on a GPU, and judges its answer.
#pragma once

#include <optional>

#include "lab/catalogue.hpp"
#include "lab/device.hpp"
#include "lab/executor_run.hpp"
#include "lab/input.hpp"

namespace warpfold::lab {

enum class engine : std::uint8_t { executor, device };

struct run_request {
    std::uint64_t n = std::uint64_t{1} << 20;
    std::optional<item_type> type = std::nullopt;  // the first that the kernel takes, where none is named
    unsigned block = 0;                            // 0: the kernel's own
    std::uint64_t grid = 0;                        // 0: as the kernel's rule says
    std::uint64_t seed = 1;                        // of the items
    bool as_published = false;                     // the published variant with its defect
    bool any_block = false;                        // also of a size that the kernel is not for
    lab::engine engine = lab::engine::executor;
    executor_options options = {};
};

struct run_outcome {
    item_type type;
    std::uint64_t n;
    std::uint64_t blocks;  // of the first launch
    unsigned threads;      // a block
    answer found;
    std::vector<long double> exact;
    lab::error error;
    std::vector<launch_record> launches;

    /// What the checks found, over all launches.
    std::vector<simt::finding> findings() const;
};

/// Runs the kernel called `id`. Throws std::invalid_argument for an id, a type, a block or a grid that cannot be, and
/// needs_gpu.
run_outcome run(std::string const& id, run_request const& request);

/// Runs the kernel called `id` over given items.
run_outcome run(std::string const& id, run_request const& request, item_list const& items);

/// A kernel with what a request leaves to it decided.
struct run_setup {
    kernel_entry const* kernel;
    runners const* run;
    unsigned block;
};

/// Throws as run() does. The kernel must outlive what is returned.
run_setup prepare(kernel_entry const& kernel, run_request const& request);

/// Runs the kernel in an execution of its engine, which keeps what the run left.
answer call(run_setup const& setup, execution& execution, item_list const& items);

/// The same, judged against a reference of its operation over these items.
run_outcome run_in(execution& execution, run_setup const& setup, item_list const& items, reference const& right);

/// An answer as text: "3.25", "1.9999 at 17", "256 counts, 4021 to 4217".
std::string text(operation op, answer const& value);

/// The outcome as one line: id, type, n, launch shape, answer, error and bound, right or WRONG.
std::string text(kernel_entry const& kernel, run_outcome const& outcome);

}  // namespace warpfold::lab
