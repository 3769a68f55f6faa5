#include "lab/kernels/study_b.cuh"

#include "lab/catalogue.hpp"
#include "lab/kernels/argmax.hpp"
#include "lab/kernels/finish.hpp"
#include "lab/kernels/host.hpp"

namespace warpfold::lab {
namespace {

constexpr launch_rule grid_of_256{.most_blocks = 256};

/// B6: the sum in two passes, then one thread divides.
template <class T>
answer mean(execution& run, std::span<T const> items) {
    buffer<T> in(run, items, "input");
    buffer<T> partials(run, run.blocks(in.size()), "partials");
    buffer<T> sum(run, 1, "sum");
    buffer<float> result(run, 1, "mean");
    launch(run, partials.size(), run.block(), b2_two_pass<T, plus>, in.data(), in.size(), partials.data());
    launch(run, 1, run.block(), b2_two_pass<T, plus>, partials.data(), partials.size(), sum.data());
    launch(run, 1, 1, b6_divide<T>, sum.data(), in.size(), result.data());
    return {result.read(0)};
}

registration const study_b(
    compiled_flavour,
    {
        {.id = "B1",
         .name = "atomic-strided",
         .study = "B",
         .idea = "a grid-stride loop with one global atomic an item",
         .run = {.f32 = one_word<float, b1_atomic_strided<float>>, .i32 = one_word<int, b1_atomic_strided<int>>},
         .launch = grid_of_256,
         .summation = summation::serial},
        {.id = "B2",
         .name = "two-pass",
         .study = "B",
         .idea = "grid-stride loop, tree in shared memory, one partial a block; a second launch of one block",
         .run = {.f32 = partials_once<float, b2_two_pass<float, plus>>,
                 .i32 = partials_once<int, b2_two_pass<int, plus>>},
         .launch = grid_of_256,
         .predecessor = "B1"},
        {.id = "B3",
         .name = "max",
         .study = "B",
         .idea = "B2 with the maximum and its identity, minus infinity",
         .run = {.f32 = partials_once<float, b2_two_pass<float, maximum>>,
                 .i32 = partials_once<int, b2_two_pass<int, maximum>>},
         .op = operation::maximum,
         .launch = grid_of_256,
         .predecessor = "B2"},
        {.id = "B4",
         .name = "min",
         .study = "B",
         .idea = "B2 with the minimum and its identity, infinity",
         .run = {.f32 = partials_once<float, b2_two_pass<float, minimum>>,
                 .i32 = partials_once<int, b2_two_pass<int, minimum>>},
         .op = operation::minimum,
         .launch = grid_of_256,
         .predecessor = "B2"},
        {.id = "B5",
         .name = "product",
         .study = "B",
         .idea = "B2 with the product and its identity, 1",
         .run = {.f32 = partials_once<float, b2_two_pass<float, multiplies>>,
                 .i32 = partials_once<int, b2_two_pass<int, multiplies>>},
         .op = operation::product,
         .launch = grid_of_256,
         .predecessor = "B2"},
        {.id = "B6",
         .name = "mean",
         .study = "B",
         .idea = "B2, then one thread divides the sum by n",
         .run = {.f32 = mean<float>, .i32 = mean<int>},
         .op = operation::mean,
         .launch = grid_of_256,
         .predecessor = "B2"},
        {.id = "B7",
         .name = "argmax",
         .study = "B",
         .idea = "B2 where every item carries its index; the lowest index wins a tie",
         .run = {.f32 = argmax_twice<float, b7_argmax<float, float>, b7_argmax<float, indexed<float>>>,
                 .i32 = argmax_twice<int, b7_argmax<int, int>, b7_argmax<int, indexed<int>>>},
         .op = operation::argmax,
         .launch = grid_of_256,
         .predecessor = "B3"},
        {.id = "B8",
         .name = "cpu",
         .study = "B",
         .idea = "the sum of one CPU core, added in pairs as NumPy does, to compare with",
         .run = {.f32 = pairwise_on_host<float>, .i32 = pairwise_on_host<int>},
         .needs = need::host,
         .summation = summation::pairwise},
        {.id = "B-tree",
         .name = "tree",
         .study = "B",
         .idea = "the tree, neighbour with neighbour, step by step; `warpfold lab tree` draws it",
         .run = {.f32 = neighbours_on_host<float>, .i32 = neighbours_on_host<int>},
         .needs = need::host,
         .summation = summation::pairwise},
    });

}  // namespace
}  // namespace warpfold::lab
