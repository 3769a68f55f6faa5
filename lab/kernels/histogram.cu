#include "lab/kernels/histogram.cuh"

#include "lab/catalogue.hpp"
#include "lab/launch.hpp"

namespace warpfold::lab {
namespace {

constexpr launch_rule grid_stride{.items_a_thread = 16, .most_blocks = 1024};

/// One launch of `kernel`, which adds to 256 counts.
template <auto kernel>
answer counts(execution& run, std::span<std::uint8_t const> items) {
    buffer<std::uint8_t> in(run, items, "input");
    buffer<bin_count> result(run, bins, "counts");
    launch(run, run.blocks(in.size()), run.block(), kernel, in.data(), in.size(), result.data());
    answer found(bins);
    for (unsigned bin = 0; bin < bins; ++bin) found[bin] = static_cast<double>(result.read(bin));
    return found;
}

/// H3's kernel for the warps of the block at hand.
answer warp_counts(execution& run, std::span<std::uint8_t const> items) {
    switch (run.block()) {
        case 32:
            return counts<h3_histogram_warp<std::uint8_t, 1>>(run, items);
        case 64:
            return counts<h3_histogram_warp<std::uint8_t, 2>>(run, items);
        case 128:
            return counts<h3_histogram_warp<std::uint8_t, 4>>(run, items);
        case 256:
            return counts<h3_histogram_warp<std::uint8_t, 8>>(run, items);
        case 512:
            return counts<h3_histogram_warp<std::uint8_t, 16>>(run, items);
        default:
            return counts<h3_histogram_warp<std::uint8_t, 32>>(run, items);
    }
}

registration const histograms(compiled_flavour,
                              {
                                  {.id = "H1",
                                   .name = "histogram-global",
                                   .study = "E",
                                   .idea = "256 bins of bytes, one global atomic an item",
                                   .run = {.u8 = counts<h1_histogram_global<std::uint8_t>>},
                                   .op = operation::histogram,
                                   .launch = grid_stride,
                                   .published_name = "histogram naive"},
                                  {.id = "H2",
                                   .name = "histogram-block",
                                   .study = "E",
                                   .idea = "one shared histogram a block, merged by global atomics",
                                   .run = {.u8 = counts<h2_histogram_block<std::uint8_t>>},
                                   .op = operation::histogram,
                                   .launch = grid_stride,
                                   .predecessor = "H1",
                                   .published_name = "histogram per block"},
                                  {.id = "H3",
                                   .name = "histogram-warp",
                                   .study = "E",
                                   .idea = "one shared histogram a warp, summed a block, merged by global atomics",
                                   .run = {.u8 = warp_counts},
                                   .op = operation::histogram,
                                   .launch = grid_stride,
                                   .predecessor = "H2",
                                   .published_name = "histogram per warp"},
                              });

}  // namespace
}  // namespace warpfold::lab
