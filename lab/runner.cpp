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

}  // namespace

std::vector<simt::finding> run_outcome::findings() const {
    std::vector<simt::finding> all;
    for (launch_record const& launch : launches) {
        all.insert(all.end(), launch.report.findings.begin(), launch.report.findings.end());
    }
    return all;
}

run_outcome run(std::string const& id, run_request const& request) {
    kernel_entry const& kernel = find(flavour::plain, id);
    if (kernel.needs == need::gpu) throw needs_gpu(id + " needs a GPU: " + kernel.idea);
    item_type const type = choose_type(kernel, request.type);
    return run(id, request, make_items(kernel.op, type, request.n, request.seed));
}

run_outcome run(std::string const& id, run_request const& request, item_list const& items) {
    bool const instrumented = request.options.checks || request.options.counters;
    kernel_entry const& kernel = find(instrumented ? flavour::checked : flavour::plain, id);
    if (kernel.needs == need::gpu) throw needs_gpu(id + " needs a GPU: " + kernel.idea);
    runners const& runs = variant(kernel, request.as_published);
    unsigned const own_block = request.as_published ? kernel.defect.block : kernel.launch.block;
    unsigned const block = request.block == 0 ? own_block : request.block;
    check_shape(kernel, block, request.grid);

    executor_run executor(kernel.launch, block, request.grid, request.options);
    auto const call = [&](auto function, auto const& list) -> answer {
        if (function == nullptr) throw std::invalid_argument(id + " does not take items of this type");
        return function(executor, list);
    };
    run_outcome outcome{};
    if (auto const* f32 = std::get_if<std::vector<float>>(&items)) {
        outcome.type = item_type::f32;
        outcome.n = f32->size();
        outcome.found = call(runs.f32, *f32);
    } else if (auto const* i32 = std::get_if<std::vector<int>>(&items)) {
        outcome.type = item_type::i32;
        outcome.n = i32->size();
        outcome.found = call(runs.i32, *i32);
    } else {
        auto const& u8 = std::get<std::vector<std::uint8_t>>(items);
        outcome.type = item_type::u8;
        outcome.n = u8.size();
        outcome.found = call(runs.u8, u8);
    }
    outcome.blocks = kernel.needs == need::host ? 1 : executor.blocks(outcome.n);
    outcome.threads = kernel.needs == need::host ? 1 : block;
    outcome.exact = exact_answer(kernel.op, items);
    std::uint64_t const k = longest_path(kernel.summation, outcome.n, outcome.blocks, outcome.threads);
    outcome.error = compare(kernel.op, items, outcome.found, k);
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
