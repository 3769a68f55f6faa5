#include "lab/kernels/study_a.cuh"

#include "lab/catalogue.hpp"
#include "lab/kernels/finish.hpp"

namespace warpfold::lab {
namespace {

// The tails of A5 to A7 start from 64 partials.
constexpr launch_rule from_64{.least_block = 64};
constexpr launch_rule from_64_by_two{.least_block = 64, .items_a_thread = 2};

std::string const no_barrier =
    "the first warp reads partials 32 to 63, which the second warp wrote, with no barrier in between";

registration const study_a(
    compiled_flavour,
    {
        {.id = "A1",
         .name = "atomic-global",
         .study = "A",
         .idea = "every thread adds its item to one global word",
         .run = {.f32 = one_word<float, a1_atomic_global<float>>, .i32 = one_word<int, a1_atomic_global<int>>},
         .published_name = "Atomic (global)",
         .summation = summation::serial},
        {.id = "A2",
         .name = "atomic-shared",
         .study = "A",
         .idea = "every thread adds to one shared word; one global atomic a block",
         .run = {.f32 = one_word<float, a2_atomic_shared<float>>, .i32 = one_word<int, a2_atomic_shared<int>>},
         .predecessor = "A1",
         .published_name = "Atomic (shared)"},
        {.id = "A3",
         .name = "tree-shared",
         .study = "A",
         .idea = "a tree in shared memory, sequential addressing, one barrier a step",
         .run = {.f32 = one_word<float, a3_tree_shared<float>>, .i32 = one_word<int, a3_tree_shared<int>>},
         .predecessor = "A2",
         .published_name = "Shared"},
        {.id = "A4",
         .name = "tree-shuffle",
         .study = "A",
         .idea = "the tree down to 32 partials, then warp shuffles by source lane",
         .run = {.f32 = one_word<float, a4_tree_shuffle<float>>, .i32 = one_word<int, a4_tree_shuffle<int>>},
         .predecessor = "A3",
         .published_name = "Shuffle"},
        {.id = "A5",
         .name = "tree-unrolled",
         .study = "A",
         .idea = "the tree down to 64 partials, then six unrolled steps by the first warp in shared memory",
         .run = {.f32 = one_word<float, a5_tree_unrolled<float>>, .i32 = one_word<int, a5_tree_unrolled<int>>},
         .launch = from_64,
         .predecessor = "A3",
         .published_name = "Unroll",
         .defect = {.kind = fault::race,
                    .what = no_barrier + ", and its six steps trust that the lanes of a warp run in step",
                    .as_published = {.f32 = one_word<float, a5_tree_unrolled_as_published<float>>,
                                     .i32 = one_word<int, a5_tree_unrolled_as_published<int>>}}},
        {.id = "A6",
         .name = "tree-cg",
         .study = "A",
         .idea = "the tree down to 64 partials, then a cooperative-groups reduction over a tile of 32 threads",
         .run = {.f32 = one_word<float, a6_tree_cg<float>>, .i32 = one_word<int, a6_tree_cg<int>>},
         .launch = from_64,
         .predecessor = "A5",
         .published_name = "CG",
         .defect = {.kind = fault::race,
                    .what = no_barrier,
                    .as_published = {.f32 = one_word<float, a6_tree_cg_as_published<float>>,
                                     .i32 = one_word<int, a6_tree_cg_as_published<int>>}}},
        {.id = "A7",
         .name = "cg-two-loads",
         .study = "A",
         .idea = "A6 where each thread first adds items i and i + n/2",
         .run = {.f32 = one_word<float, a7_cg_two_loads<float>>, .i32 = one_word<int, a7_cg_two_loads<int>>},
         .launch = from_64_by_two,
         .predecessor = "A6",
         .published_name = "CG (unroll 2)",
         .defect = {.kind = fault::race,
                    .what = no_barrier,
                    .as_published = {.f32 = one_word<float, a7_cg_two_loads_as_published<float>>,
                                     .i32 = one_word<int, a7_cg_two_loads_as_published<int>>}}},
        {.id = "A-torch",
         .name = "torch",
         .study = "A",
         .idea = "the framework's own sum, a peer to time against",
         .needs = need::gpu,
         .published_name = "Torch"},
    });

}  // namespace
}  // namespace warpfold::lab
