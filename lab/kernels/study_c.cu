#include "lab/kernels/study_c.cuh"

#include "lab/catalogue.hpp"
#include "lab/kernels/finish.hpp"

namespace warpfold::lab {
namespace {

constexpr launch_rule by_two{.items_a_thread = 2};
constexpr launch_rule by_two_from_64{.least_block = 64, .items_a_thread = 2};
constexpr launch_rule grid_stride{.items_a_thread = 4, .most_blocks = 1024};

/// C8's kernel for the block size at hand.
template <class T>
answer c8(execution& run, std::span<T const> items) {
    switch (run.block()) {
        case 32:
            return partials_again<T, c8_optimized<T, 32>>(run, items);
        case 64:
            return partials_again<T, c8_optimized<T, 64>>(run, items);
        case 128:
            return partials_again<T, c8_optimized<T, 128>>(run, items);
        case 256:
            return partials_again<T, c8_optimized<T, 256>>(run, items);
        case 512:
            return partials_again<T, c8_optimized<T, 512>>(run, items);
        default:
            return partials_again<T, c8_optimized<T, 1024>>(run, items);
    }
}

registration const study_c(
    compiled_flavour,
    {
        {.id = "C1",
         .name = "interleaved",
         .study = "C",
         .idea = "a modulo test picks the threads that add, the stride doubles",
         .run = {.f32 = partials_again<float, c1_interleaved<float>>, .i32 = partials_again<int, c1_interleaved<int>>},
         .published_name = "naive"},
        {.id = "C1b",
         .name = "interleaved-index",
         .study = "C",
         .idea = "(ours) the first threads add, at words 2 * stride apart: the classic bank conflicts",
         .run = {.f32 = partials_again<float, c1b_interleaved_index<float>>,
                 .i32 = partials_again<int, c1b_interleaved_index<int>>},
         .predecessor = "C1"},
        {.id = "C2",
         .name = "sequential",
         .study = "C",
         .idea = "the stride halves, so the first threads add words that lie side by side",
         .run = {.f32 = partials_again<float, c2_sequential<float>>, .i32 = partials_again<int, c2_sequential<int>>},
         .predecessor = "C1"},
        {.id = "C3",
         .name = "first-add",
         .study = "C",
         .idea = "each thread adds two items while loading; half the blocks",
         .run = {.f32 = partials_again<float, c3_first_add<float>>, .i32 = partials_again<int, c3_first_add<int>>},
         .launch = by_two,
         .predecessor = "C2"},
        {.id = "C4",
         .name = "unrolled-warp",
         .study = "C",
         .idea = "the last six steps of the tree are done by one warp in shared memory, without block barriers",
         .run = {.f32 = partials_again<float, c4_unrolled_warp<float>>,
                 .i32 = partials_again<int, c4_unrolled_warp<int>>},
         .launch = by_two_from_64,
         .predecessor = "C3",
         .defect = {.kind = fault::race,
                    .what = "the six steps of the last warp trust that its lanes run in step",
                    .as_published = {.f32 = partials_again<float, c4_unrolled_warp_as_published<float>>,
                                     .i32 = partials_again<int, c4_unrolled_warp_as_published<int>>}}},
        {.id = "C5",
         .name = "shuffle-block",
         .study = "C",
         .idea = "warp shuffles, one shared slot a warp, the first warp folds the slots",
         .run = {.f32 = partials_again<float, c5_shuffle_block<float>>,
                 .i32 = partials_again<int, c5_shuffle_block<int>>},
         .predecessor = "C4",
         .defect = {.kind = fault::race,
                    .what =
                        "no barrier after the slots are read, so a second call in one kernel overwrites them too early",
                    .as_published = {.f32 = partials_again<float, c5_two_calls_as_published<float>>,
                                     .i32 = partials_again<int, c5_two_calls_as_published<int>>}}},
        {.id = "C5b",
         .name = "shuffle-two-calls",
         .study = "C",
         .idea = "(ours) C5's reduction called twice in one kernel, with the barrier that this takes",
         .run = {.f32 = partials_again<float, c5_two_calls<float>>, .i32 = partials_again<int, c5_two_calls<int>>},
         .launch = by_two,
         .predecessor = "C5"},
        {.id = "C6",
         .name = "grid-stride",
         .study = "C",
         .idea = "C5 after a grid-stride loop, at most 1024 blocks",
         .run = {.f32 = partials_again<float, c6_grid_stride<float>>, .i32 = partials_again<int, c6_grid_stride<int>>},
         .launch = grid_stride,
         .predecessor = "C5"},
        {.id = "C7",
         .name = "cg-group",
         .study = "C",
         .idea = "the tree written once for any cooperative group, called with the block",
         .run = {.f32 = partials_again<float, c7_cg_group<float>>, .i32 = partials_again<int, c7_cg_group<int>>},
         .predecessor = "C2"},
        {.id = "C7t",
         .name = "cg-tile",
         .study = "C",
         .idea = "tiles of 32 threads reduce by cooperative groups, one tile folds their sums",
         .run = {.f32 = partials_again<float, c7t_cg_tile<float>>, .i32 = partials_again<int, c7t_cg_tile<int>>},
         .predecessor = "C7"},
        {.id = "C8",
         .name = "optimized",
         .study = "C",
         .idea = "block size known to the compiler: grid-stride by two, unrolled tree, shuffle tail",
         .run = {.f32 = c8<float>, .i32 = c8<int>},
         .launch = {.items_a_thread = 2, .most_blocks = 1024},
         .predecessor = "C6",
         .published_name = "optimized",
         .defect = {.kind = fault::wrong_answer,
                    .what = "at 1024 threads the unrolled tree lacks the step of 512, so half of the partials are lost",
                    .as_published = {.f32 = partials_again<float, c8_optimized_as_published<float>>,
                                     .i32 = partials_again<int, c8_optimized_as_published<int>>},
                    .block = 1024}},
        {.id = "C9",
         .name = "one-launch-atomic",
         .study = "C",
         .idea = "C6 finished in the same launch, by one atomic a block",
         .run = {.f32 = one_word<float, c9_one_launch_atomic<float>>, .i32 = one_word<int, c9_one_launch_atomic<int>>},
         .launch = grid_stride,
         .predecessor = "C6"},
    });

}  // namespace
}  // namespace warpfold::lab
