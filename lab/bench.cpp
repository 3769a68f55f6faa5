#include "lab/bench.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>

#include "lab/runner.hpp"
#include "lab/trials.hpp"

namespace warpfold::lab {
namespace {

constexpr int trial_runs = 50;      // a race may show in one of many
constexpr double slowest_us = 2e6;  // what takes longer is not run beyond its own size: it would tell nothing new

std::string today() {
    std::time_t const now = std::time(nullptr);
    char text[16];
    std::strftime(text, sizeof(text), "%Y-%m-%d", std::gmtime(&now));
    return text;
}

/// Items of one kind, in both memories, with the exact answers that kernels asked for.
class subject {
  public:
    subject(operation op, item_type type, std::uint64_t n)
        : items_(make_items(op, type, n, 1)), on_gpu_(upload(items_)) {}
    subject(subject const&) = delete;
    subject& operator=(subject const&) = delete;

    measurement measure(kernel_entry const& kernel, item_type type, run_request request) {
        request.type = type;
        run_setup const setup = prepare(kernel, request);
        auto const execution = device_execution(kernel.launch, setup.block, request.grid, on_gpu_);
        run_outcome const outcome = run_in(*execution, setup, items_, reference_of(kernel.op));
        times const found = kernel.needs == need::host ? time_on_host(setup, *execution) : time_launches(*execution);
        return {.id = kernel.id,
                .type = type,
                .n = outcome.n,
                .blocks = outcome.blocks,
                .threads = outcome.threads,
                .swept = request.block != 0  ? sweep::block
                         : request.grid != 0 ? sweep::grid
                                             : sweep::none,
                .time = found,
                .ulps = outcome.error.ulps,
                .bound_ulps = outcome.error.bound_ulps,
                .note = {}};
    }

    measurement measure_reading(item_type type, std::uint64_t n) const {
        return {.id = read_limit,
                .type = type,
                .n = n,
                .blocks = 0,
                .threads = 0,
                .swept = sweep::none,
                .time = time_reading(on_gpu_),
                .ulps = 0,
                .bound_ulps = 0,
                .note = {}};
    }

  private:
    lab::reference const& reference_of(operation op) {
        auto const known = std::find_if(references_.begin(), references_.end(),
                                        [op](lab::reference const& one) { return one.op == op; });
        return known != references_.end() ? *known : references_.emplace_back(make_reference(op, items_));
    }

    times time_on_host(run_setup const& setup, execution& run) const {
        using clock = std::chrono::steady_clock;
        std::vector<double> all(5);
        for (double& us : all) {
            clock::time_point const begin = clock::now();
            call(setup, run, items_);
            us = std::chrono::duration<double, std::micro>(clock::now() - begin).count();
        }
        std::sort(all.begin(), all.end());
        return {.median = all[2], .lower = all[1], .upper = all[3], .back_to_back = all[2], .runs = 5};
    }

    item_list items_;
    std::shared_ptr<device_items const> on_gpu_;
    std::vector<lab::reference> references_;
};

/// The kernels of a comparison that run over the items of `op`: a product wants items of its own.
std::vector<kernel_entry> kernels_of(std::vector<std::string> const& ids, bool products) {
    std::vector<kernel_entry> found;
    for (std::string const& id : ids) {
        kernel_entry const& kernel = find(flavour::device, id);
        if (!types(kernel.run).empty() && (kernel.op == operation::product) == products) found.push_back(kernel);
    }
    return found;
}

void measure(comparison const& all, std::vector<measurement>& rows) {
    std::vector<std::string> too_slow;
    for (std::uint64_t const n : all.sizes) {
        for (bool const products : {false, true}) {
            std::vector<kernel_entry> const kernels = kernels_of(all.ids, products);
            if (kernels.empty()) continue;
            subject items(kernels.front().op, all.type, n);
            if (!products) rows.push_back(items.measure_reading(all.type, n));
            for (kernel_entry const& kernel : kernels) {
                if (std::find(too_slow.begin(), too_slow.end(), kernel.id) != too_slow.end()) continue;
                rows.push_back(items.measure(kernel, all.type, {}));
                // The next size is up to five times as large.
                if (n >= all.own_size && rows.back().time.median * 5 > slowest_us) too_slow.push_back(kernel.id);
            }
        }
    }
}

void measure(shape_comparison const& all, std::vector<measurement>& rows) {
    subject items(operation::sum, all.type, all.size);
    for (std::string const& id : all.ids) {
        kernel_entry const& kernel = find(flavour::device, id);
        for (std::uint64_t const shape : all.shapes) {
            run_request request;
            if (all.swept == sweep::block)
                request.block = static_cast<unsigned>(shape);
            else
                request.grid = shape;
            if (request.block != 0 && request.block < kernel.launch.least_block) continue;
            rows.push_back(items.measure(kernel, all.type, request));
        }
    }
}

}  // namespace

study_results measure(study_plan const& plan, std::string const& commit) {
    study_results results{plan.study, today(), commit, first_gpu(), {}};
    for (comparison const& one : plan.comparisons) measure(one, results.rows);
    for (shape_comparison const& one : plan.shapes) measure(one, results.rows);
    for (trial_plan const& one : plan.trials) results.trials.push_back(try_out(one, engine::device, trial_runs));
    return results;
}

}  // namespace warpfold::lab
