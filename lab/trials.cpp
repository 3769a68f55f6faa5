#include "lab/trials.hpp"

namespace warpfold::lab {
namespace {

constexpr std::uint64_t random_items = 1000003;  // where a plan has none of its own; no multiple of any block

}  // namespace

trial try_out(trial_plan const& plan, engine on, int runs) {
    bool const device = on == engine::device;
    if (device) first_gpu();
    kernel_entry const& kernel = find(device ? flavour::device : flavour::plain, plan.id);
    run_request request;
    request.block = plan.block;
    request.as_published = plan.as_published;
    request.any_block = true;
    run_setup const setup = prepare(kernel, request);

    item_list items = plan.items;
    if (plan.items.empty()) items = make_items(kernel.op, item_type::f32, random_items, request.seed);
    reference const right = make_reference(kernel.op, items);
    auto& taken = std::get<std::vector<float>>(items);
    taken.insert(taken.end(), plan.behind.begin(), plan.behind.end());
    std::shared_ptr<device_items const> const on_gpu = device ? upload(items) : nullptr;

    trial made{.name = plan.name,
               .id = plan.id,
               .n = right.n,
               .threads = setup.block,
               .runs = runs,
               .right = 0,
               .found = {},
               .exact = text(kernel.op, {right.exact.begin(), right.exact.end()})};
    for (int i = 0; i < runs; ++i) {
        std::unique_ptr<execution> const run =
            device ? device_execution(kernel.launch, setup.block, 0, on_gpu)
                   : std::make_unique<executor_run>(kernel.launch, setup.block, 0, request.options);
        run_outcome const outcome = run_in(*run, setup, items, right);
        if (i == made.right) made.found = text(kernel.op, outcome.found);  // no wrong one so far
        made.right += outcome.error.right() ? 1 : 0;
    }
    return made;
}

}  // namespace warpfold::lab
