#include "lab/catalogue.hpp"
#include "lab/kernels/finish.hpp"
#if defined(__CUDACC__)
#include "lab/kernels/cub.cuh"
#endif

namespace warpfold::lab {
namespace {

// CUB sizes its shared memory by the block, so the block is fixed.
constexpr launch_rule block_of_256{.least_block = 256, .greatest_block = 256};
constexpr launch_rule grid_stride_of_256{
    .least_block = 256, .greatest_block = 256, .items_a_thread = 2, .most_blocks = 1024};
constexpr launch_rule grid_stride{.items_a_thread = 2, .most_blocks = 1024};

#if defined(__CUDACC__)
constexpr runners a8{.f32 = one_word<float, a8_cub_block<float, 256>>, .i32 = one_word<int, a8_cub_block<int, 256>>};
constexpr runners e11{.f32 = one_word<float, e11_cub_block<float, 256>>, .i32 = one_word<int, e11_cub_block<int, 256>>};
constexpr runners e12{.f32 = one_word<float, e12_cub_warp<float>>, .i32 = one_word<int, e12_cub_warp<int>>};
constexpr runners device_sum{.f32 = cub_device_sum<float>, .i32 = cub_device_sum<int>};
constexpr runners device_histogram{.u8 = cub_device_histogram};
#else
constexpr runners a8, e11, e12, device_sum, device_histogram;
#endif

registration const cub_kernels(compiled_flavour,
                               {
                                   {.id = "A8",
                                    .name = "cub-block",
                                    .study = "A",
                                    .idea = "cub::BlockReduce over one item a thread, one atomic a block",
                                    .run = a8,
                                    .needs = need::gpu,
                                    .launch = block_of_256,
                                    .predecessor = "A7",
                                    .published_name = "CUB"},
                                   {.id = "E11",
                                    .name = "cub-block",
                                    .study = "E",
                                    .idea = "E6a with cub::BlockReduce for the block",
                                    .run = e11,
                                    .needs = need::gpu,
                                    .launch = grid_stride_of_256,
                                    .predecessor = "E6a"},
                                   {.id = "E12",
                                    .name = "cub-warp",
                                    .study = "E",
                                    .idea = "E6a with cub::WarpReduce for the warp, one atomic a warp",
                                    .run = e12,
                                    .needs = need::gpu,
                                    .launch = grid_stride,
                                    .predecessor = "E11"},
                                   {.id = "E-cub",
                                    .name = "cub-device",
                                    .study = "E",
                                    .idea = "cub::DeviceReduce",
                                    .run = device_sum,
                                    .needs = need::gpu,
                                    .predecessor = "E9",
                                    .published_name = "CUB DeviceReduce"},
                                   {.id = "H-cub",
                                    .name = "histogram-cub",
                                    .study = "E",
                                    .idea = "cub::DeviceHistogram with 256 even bins",
                                    .run = device_histogram,
                                    .op = operation::histogram,
                                    .needs = need::gpu,
                                    .predecessor = "H3",
                                    .published_name = "CUB DeviceHistogram"},
                               });

}  // namespace
}  // namespace warpfold::lab
