// A right kernel, and the same with one bug planted each: what the checks must catch.
#include "lab/catalogue.hpp"
#include "lab/kernels/device.cuh"
#include "lab/kernels/finish.hpp"

namespace warpfold::lab {
namespace {

enum class bug { none, barrier_removed, index_off_by_one, slot_uninitialised, barrier_divergent };

template <class T, bug planted>
__global__ void tree_with_bug(T const* in, std::uint64_t n, T* partials) {
    __shared__ T partial[max_block];
    unsigned const tid = threadIdx.x;
    std::uint64_t const i = grid_thread();
    if constexpr (planted == bug::index_off_by_one)
        partial[tid] = i < n ? in[i + 1] : T(0);
    else if constexpr (planted == bug::slot_uninitialised) {
        if (tid % 2 == 0) partial[tid] = i < n ? in[i] : T(0);
    } else
        partial[tid] = i < n ? in[i] : T(0);
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if constexpr (planted == bug::barrier_divergent) {
            if (tid < stride) {
                partial[tid] += partial[tid + stride];
                __syncthreads();
            }
        } else {
            if (tid < stride) partial[tid] += partial[tid + stride];
            if constexpr (planted != bug::barrier_removed) __syncthreads();
        }
    }
    if (tid == 0) partials[blockIdx.x] = partial[0];
}

template <bug planted>
kernel_entry with_bug(std::string const& id) {
    return {.id = id,
            .name = id,
            .study = "planted",
            .idea = "a tree with a bug",
            .run = {.f32 = partials_again<float, tree_with_bug<float, planted>>}};
}

registration const planted(compiled_flavour,
                           {with_bug<bug::none>("nothing-planted"), with_bug<bug::barrier_removed>("barrier-removed"),
                            with_bug<bug::index_off_by_one>("index-off-by-one"),
                            with_bug<bug::slot_uninitialised>("slot-uninitialised"),
                            with_bug<bug::barrier_divergent>("barrier-divergent")});

}  // namespace
}  // namespace warpfold::lab
