#include "lab.hpp"

namespace warpfold::app {

void lab_options::add_to(command const& one) {
    // Far more items than fit any memory, and as many threads and blocks as CUDA allows.
    constexpr std::uint64_t most_items = std::uint64_t{1} << 40, most_threads = 1024;
    constexpr std::uint64_t most_blocks = (std::uint64_t{1} << 31) - 1;
    one.option("-n", request.n, "Items").type_name("N").from_to(0, most_items);
    one.option("--type", type, "Type of the items: f32, i32 or u8; the kernel's first, where not given")
        .type_name("TYPE");
    one.option("--block", request.block, "Threads a block; the kernel's own, where not given")
        .type_name("B")
        .from_to(1, most_threads);
    one.option("--grid", request.grid, "Blocks at most, for kernels with a grid-stride loop")
        .type_name("G")
        .from_to(1, most_blocks);
    one.option("--seed", request.seed, "Seed of the random items").shows_default().type_name("S").from_to(0);
}

lab::run_request lab_options::parsed() const {
    lab::run_request ready = request;
    if (!type.empty()) ready.type = lab::parse_item_type(type);
    return ready;
}

void add_lab(command const& program) {
    command const lab =
        program.add_command("lab", "Published reduction kernels: counted and checked without a GPU, timed on one");
    lab.footer(
        "Examples:\n"
        "  warpfold lab list --study C             the kernels of a study\n"
        "  warpfold lab run C -n 100000            run them and check their answers\n"
        "  warpfold lab explain C2                 what C2 costs beside C1\n"
        "  warpfold lab race A5 --as-published     find the race in a published kernel\n"
        "  warpfold lab tree 1 2 3 4 5 6 7 8       a reduction step by step\n"
        "  warpfold lab bench --study D            time a study on a GPU\n"
        "  warpfold lab claims                     which published claims hold\n"
        "docs/lab.md is a course through all of them.");
    add_lab_list(lab);
    add_lab_run(lab);
    add_lab_explain(lab);
    add_lab_race(lab);
    add_lab_tree(lab);
    add_lab_bench(lab);
    add_lab_claims(lab);
    add_lab_tables(lab);
}

}  // namespace warpfold::app
