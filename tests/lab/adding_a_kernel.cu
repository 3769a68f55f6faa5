// X1: a sum by exchange: after five steps crosswise every lane of a warp knows the sum of the warp.
#include "lab/catalogue.hpp"
#include "lab/kernels/device.cuh"
#include "lab/kernels/finish.hpp"

namespace warpfold::lab {
namespace {

template <class T>
__global__ void x1_butterfly(T const* in, std::uint64_t n, T* sum) {
    std::uint64_t const i = grid_thread();
    T value = i < n ? in[i] : T(0);
    for (int distance = 1; distance < 32; distance *= 2) value += __shfl_xor_sync(full_mask, value, distance);
    if (threadIdx.x % warp_size == 0) atomicAdd(sum, value);
}

kernel_entry const butterfly{
    .id = "X1",
    .name = "butterfly",
    .study = "X",
    .idea = "warps exchange values crosswise, one atomic a warp",
    .run = {.f32 = one_word<float, x1_butterfly<float>>, .i32 = one_word<int, x1_butterfly<int>>},
    .predecessor = "A4",
    .summation = summation::per_warp,
};
registration const registered(compiled_flavour, {butterfly});

}  // namespace
}  // namespace warpfold::lab
