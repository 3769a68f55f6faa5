#include "lab/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace warpfold::lab {
namespace {

runners const& variant(kernel_entry const& kernel, bool as_published) {
    if (!as_published) return kernel.run;
    if (kernel.defect.kind == fault::none) {
        throw std::invalid_argument(kernel.id + " has no known defect, so it has no as-published variant");
    }
    return kernel.defect.as_published;
}

item_type choose_type(kernel_entry const& kernel, std::optional<item_type> wanted) {
    std::vector<item_type> const taken = types(kernel.run);
    if (!wanted) return taken.front();
    if (std::find(taken.begin(), taken.end(), *wanted) != taken.end()) return *wanted;
    throw std::invalid_argument(
        fmt::format("{} takes items of type {}, not {}", kernel.id, type_list(kernel.run, " and "), name(*wanted)));
}

void check_shape(kernel_entry const& kernel, unsigned block, std::uint64_t grid) {
    launch_rule const& rule = kernel.launch;
    if (!std::has_single_bit(block) || block < rule.least_block || block > rule.greatest_block) {
        std::string const allowed =
            rule.least_block == rule.greatest_block
                ? std::to_string(rule.least_block)
                : fmt::format("powers of two from {} to {}", rule.least_block, rule.greatest_block);
        throw std::invalid_argument(fmt::format("{} takes blocks of {} threads, not {}", kernel.id, allowed, block));
    }
    if (grid != 0 && rule.most_blocks == 0) {
        throw std::invalid_argument(kernel.id + " has no grid-stride loop: its grid is given by n and the block");
    }
    if (rule.most_blocks == 1 && grid > 1) throw std::invalid_argument(kernel.id + " runs in one block");
}

/// The kernel called `id`, compiled for the engine and for what the request wants checked.
kernel_entry const& entry(std::string const& id, run_request const& request) {
    bool const instrumented = request.options.checks || request.options.counters;
    bool const device = request.engine == engine::device;
    if (device && instrumented) throw std::invalid_argument("checks and counters are the executor's, not a GPU's");
    if (device) first_gpu();
    kernel_entry const& kernel = find(device ? flavour::device : instrumented ? flavour::checked : flavour::plain, id);
    if (!device && kernel.needs == need::gpu) throw needs_gpu(id + " needs a GPU: " + kernel.idea);
    if (types(kernel.run).empty()) throw std::invalid_argument(id + " has no kernel here: " + kernel.idea);
    return kernel;
}

item_type type_of(item_list const& items) {
    if (std::holds_alternative<std::vector<float>>(items)) return item_type::f32;
    return std::holds_alternative<std::vector<int>>(items) ? item_type::i32 : item_type::u8;
}

}  // namespace

std::vector<simt::finding> run_outcome::findings() const {
    std::vector<simt::finding> all;
    for (launch_record const& launch : launches) {
        all.insert(all.end(), launch.report.findings.begin(), launch.report.findings.end());
    }
    return all;
}

run_setup prepare(kernel_entry const& kernel, run_request const& request) {
    runners const& runs = variant(kernel, request.as_published);
    unsigned const own_block = request.as_published ? kernel.defect.block : kernel.launch.block;
    unsigned const block = request.block == 0 ? own_block : request.block;
    if (!request.any_block) check_shape(kernel, block, request.grid);
    return {&kernel, &runs, block};
}

answer call(run_setup const& setup, execution& execution, item_list const& items) {
    auto const with = [&](auto function, auto const& list) -> answer {
        if (function == nullptr) throw std::invalid_argument(setup.kernel->id + " does not take items of this type");
        return function(execution, list);
    };
    if (auto const* f32 = std::get_if<std::vector<float>>(&items)) return with(setup.run->f32, *f32);
    if (auto const* i32 = std::get_if<std::vector<int>>(&items)) return with(setup.run->i32, *i32);
    return with(setup.run->u8, std::get<std::vector<std::uint8_t>>(items));
}

run_outcome run_in(execution& execution, run_setup const& setup, item_list const& items, reference const& right) {
    kernel_entry const& kernel = *setup.kernel;
    run_outcome outcome{};
    outcome.type = type_of(items);
    outcome.n = right.n;
    outcome.found = call(setup, execution, items);
    outcome.blocks = kernel.needs == need::host ? 1 : execution.blocks(outcome.n);
    outcome.threads = kernel.needs == need::host ? 1 : setup.block;
    outcome.exact = right.exact;
    std::uint64_t const k = longest_path(kernel.summation, outcome.n, outcome.blocks, outcome.threads);
    outcome.error = compare(right, outcome.found, k);
    return outcome;
}

run_outcome run(std::string const& id, run_request const& request) {
    kernel_entry const& kernel = entry(id, request);
    item_type const type = choose_type(kernel, request.type);
    return run(id, request, make_items(kernel.op, type, request.n, request.seed));
}

run_outcome run(std::string const& id, run_request const& request, item_list const& items) {
    kernel_entry const& kernel = entry(id, request);
    run_setup const setup = prepare(kernel, request);
    reference const right = make_reference(kernel.op, items);
    if (request.engine == engine::device) {
        auto const execution = device_execution(kernel.launch, setup.block, request.grid, upload(items));
        return run_in(*execution, setup, items, right);
    }
    executor_run executor(kernel.launch, setup.block, request.grid, request.options);
    run_outcome outcome = run_in(executor, setup, items, right);
    outcome.launches = executor.launches();
    return outcome;
}

std::string text(operation op, answer const& value) {
    if (op == operation::argmax) {
        return value[1] < 0 ? "no item" : fmt::format("{:.9g} at {}", value[0], value[1]);
    }
    if (op == operation::histogram) {
        auto const [least, greatest] = std::minmax_element(value.begin(), value.end());
        return fmt::format("{} counts, {} to {}", value.size(), *least, *greatest);
    }
    return fmt::format("{:.9g}", value[0]);
}

std::string text(kernel_entry const& kernel, run_outcome const& outcome) {
    std::string const shape =
        kernel.needs == need::host ? "host" : fmt::format("{} x {}", outcome.blocks, outcome.threads);
    std::string verdict;
    if (outcome.error.ulps == 0)
        verdict = "exact";
    else if (outcome.error.bound_ulps == 0)
        verdict = "must be exact";
    else
        verdict = fmt::format("{:.1f} ulp off, bound {:.0f}", outcome.error.ulps, outcome.error.bound_ulps);
    return fmt::format("{:<7} {:<20} {:<3} {:>9} items  {:>11}  {} = {}  {}  {}", kernel.id, kernel.name,
                       name(outcome.type), outcome.n, shape, name(kernel.op), text(kernel.op, outcome.found), verdict,
                       outcome.error.right() ? "right" : "WRONG");
}

}  // namespace warpfold::lab
