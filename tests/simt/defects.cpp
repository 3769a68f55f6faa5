// Kernels with one planted defect each, beside a twin without it. Blocks of 64 threads unless a test says otherwise.
#include "kernels.hpp"

#include <stdexcept>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace {

enum class twin { sound, defective };

template <twin Kind>
__global__ void barrier_removed(float const* in, float* out, unsigned) {
    __shared__ float shared[64];
    shared[threadIdx.x] = in[threadIdx.x];
    if constexpr (Kind == twin::sound) __syncthreads();
    out[threadIdx.x] = shared[63 - threadIdx.x];
}

template <twin Kind>
__global__ void warp_barrier_removed(float const* in, float* out, unsigned) {
    __shared__ float shared[64];
    shared[threadIdx.x] = in[threadIdx.x];
    if constexpr (Kind == twin::sound) __syncwarp();
    out[threadIdx.x] = shared[threadIdx.x ^ 1U];
}

// A shuffle orders no memory, as the reference says.
template <twin Kind>
__global__ void shuffle_as_barrier(float const* in, float* out, unsigned) {
    __shared__ float shared[64];
    shared[threadIdx.x] = in[threadIdx.x];
    float const neighbour = __shfl_xor_sync(~0U, in[threadIdx.x], 1);
    if constexpr (Kind == twin::sound) __syncwarp();
    out[threadIdx.x] = shared[threadIdx.x ^ 1U] - neighbour;
}

template <twin Kind>
__global__ void index_off_by_one(float const* in, float* out, unsigned n) {
    unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
    bool const inside = Kind == twin::sound ? i < n : i <= n;
    if (inside) out[i] = in[i];
}

template <twin Kind>
__global__ void shared_off_by_one(float const* in, float* out, unsigned) {
    extern __shared__ float shared[];
    shared[threadIdx.x + (Kind == twin::sound ? 0 : 1)] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = threadIdx.x > 0 ? shared[threadIdx.x] : 0.0F;
}

template <twin Kind>
__global__ void uninitialised_slot(float const* in, float* out, unsigned) {
    __shared__ float slots[32];
    if (threadIdx.x % 32 == 0) slots[threadIdx.x / 32] = in[threadIdx.x];
    __syncthreads();
    unsigned const warps = Kind == twin::sound ? blockDim.x / 32 : 32;
    if (threadIdx.x < warps) out[threadIdx.x] = slots[threadIdx.x];
}

template <twin Kind>
__global__ void unwritten_global(float const* in, float* out, unsigned) {
    if constexpr (Kind == twin::sound) out[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] += 1.0F;
}

template <twin Kind>
__global__ void barrier_after_return(float const*, float* out, unsigned n) {
    bool const inside = threadIdx.x < n;
    if (Kind == twin::defective && !inside) return;
    if (inside) out[threadIdx.x] = 1.0F;
    __syncthreads();
}

template <twin Kind>
__global__ void barrier_in_branch(float const*, float* out, unsigned) {
    if (Kind == twin::defective && threadIdx.x < 32) {
        out[threadIdx.x] = 1.0F;
        __syncthreads();
    } else {
        out[threadIdx.x] = 2.0F;
        __syncthreads();
    }
}

// Half a warp waits at the block barrier, the other half for it at a warp barrier.
template <twin Kind>
__global__ void deadlock(float const*, float* out, unsigned) {
    if (Kind == twin::defective && threadIdx.x % 32 < 16) {
        __syncthreads();
        __syncwarp();
    } else {
        __syncwarp();
        __syncthreads();
    }
    out[threadIdx.x] = 1.0F;
}

// The last block to arrive adds up what all others wrote.
template <twin Kind>
__global__ void last_block(float const* in, float* out, unsigned) {
    __shared__ bool is_last;
    auto* const ticket = reinterpret_cast<unsigned*>(out);
    float* const partials = out + 1;
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = in[blockIdx.x];
        if constexpr (Kind == twin::sound) __threadfence();
        is_last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x == 32) {
        float sum = 0;
        for (unsigned b = 0; b < gridDim.x; ++b) sum += partials[b];
        partials[gridDim.x] = sum;
    }
}

// All threads write, a barrier gathers them, one fence passes all of it on.
template <twin Kind>
__global__ void cumulative_fence(float const* in, float* out, unsigned) {
    __shared__ bool is_last;
    auto* const ticket = reinterpret_cast<unsigned*>(out);
    float* const partials = out + 1;
    partials[blockIdx.x * blockDim.x + threadIdx.x] = in[threadIdx.x];
    if constexpr (Kind == twin::sound) __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        is_last = atomicAdd(ticket, 1U) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last) {
        float sum = 0;
        for (unsigned b = 0; b < gridDim.x; ++b) sum += partials[b * blockDim.x + (threadIdx.x ^ 33U)];
        out[1 + gridDim.x * blockDim.x + threadIdx.x] = sum;
    }
}

// A fence of the block does not reach other blocks.
template <twin Kind>
__global__ void fence_scope(float const* in, float* out, unsigned) {
    auto* const ticket = reinterpret_cast<unsigned*>(out);
    if (threadIdx.x != 0) return;
    out[1 + blockIdx.x] = in[blockIdx.x];
    if constexpr (Kind == twin::sound) {
        __threadfence();
    } else {
        __threadfence_block();
    }
    if (atomicAdd(ticket, 1U) == gridDim.x - 1) out[1 + gridDim.x] = out[1] + out[gridDim.x];
}

// What one thread learnt by its last access before a barrier, all others know after it.
template <twin Kind>
__global__ void ticket_before_barrier(float const* in, float* out, unsigned) {
    auto* const ticket = reinterpret_cast<unsigned*>(out);
    unsigned before = 0;
    if (threadIdx.x == 0) {
        out[1 + blockIdx.x] = in[blockIdx.x];
        if constexpr (Kind == twin::sound) __threadfence();
        before = atomicAdd(ticket, 1U);
    }
    __syncthreads();
    bool const is_last = __shfl_sync(~0U, before, 0) == gridDim.x - 1;
    if (is_last && threadIdx.x == 1) out[1 + gridDim.x] = out[1] + out[gridDim.x];
}

template <twin Kind>
__global__ void volatile_tail(float const* in, float* out, unsigned) {
    __shared__ float shared[64];
    shared[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x >= 32) return;
    float volatile* const v = shared;
    for (unsigned s = 32; s > 0; s /= 2) {
        float const other = v[threadIdx.x + s];
        if constexpr (Kind == twin::sound) __syncwarp();
        v[threadIdx.x] = v[threadIdx.x] + other;
        if constexpr (Kind == twin::sound) __syncwarp();
    }
    if (threadIdx.x == 0) *out = shared[0];
}

template <twin Kind>
__global__ void group_reduce(float const* in, float* out, unsigned) {
    namespace cg = cooperative_groups;
    __shared__ float shared[64];
    auto const block = cg::this_thread_block();
    auto const tile = cg::tiled_partition<32>(block);
    shared[threadIdx.x] = in[threadIdx.x];
    if constexpr (Kind == twin::sound) block.sync();
    if (tile.meta_group_rank() > 0) return;
    float const sum = cg::reduce(tile, shared[threadIdx.x] + shared[threadIdx.x + 32], cg::plus<float>());
    if (tile.thread_rank() == 0) *out = sum;
}

template <twin Kind>
__global__ void absent_lane(float const* in, float* out, unsigned) {
    float const value = in[threadIdx.x];
    if (threadIdx.x % 32 >= 16) return;
    int const source = Kind == twin::sound ? 15 : 16;
    out[threadIdx.x] = __shfl_sync(~0U, value, source);
}

template <twin Kind>
__global__ void lane_not_in_mask(float const* in, float* out, unsigned) {
    unsigned const mask = Kind == twin::sound ? ~0U : 0xffffU;
    out[threadIdx.x] = __shfl_sync(mask, in[threadIdx.x], 0);
}

template <twin Kind>
__global__ void misaligned_vector(float const* in, float* out, unsigned) {
    auto const* const vectors = reinterpret_cast<float4 const*>(in + (Kind == twin::sound ? 0 : 1));
    float4 const v = vectors[threadIdx.x % 4];
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

template <twin Kind>
__global__ void global_update(float const* in, float* out, unsigned) {
    if constexpr (Kind == twin::sound) {
        atomicAdd(out, in[threadIdx.x]);
    } else {
        *out += in[threadIdx.x];
    }
}

template <twin Kind>
__global__ void shared_update(float const*, float* out, unsigned) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    if constexpr (Kind == twin::sound) {
        atomicAdd(&count, 1);
    } else {
        count = count + 1;
    }
    __syncthreads();
    if (threadIdx.x == 0) *out = static_cast<float>(count);
}

// The second use of the slots overwrites what the first still reads.
template <twin Kind>
__global__ void slots_reused(float const* in, float* out, unsigned) {
    __shared__ float slots[2];
    float sum = 0;
    for (int round = 0; round < 2; ++round) {
        if (threadIdx.x % 32 == 0) slots[threadIdx.x / 32] = in[threadIdx.x];
        __syncthreads();
        sum += slots[0] + slots[1];
        if constexpr (Kind == twin::sound) __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// A thread polls a flag; without a writer it would do so for ever.
template <twin Kind>
__global__ void flag_never_set(float const*, float* out, unsigned) {
    auto* const flag = reinterpret_cast<unsigned volatile*>(out);
    if (threadIdx.x == 0) {
        while (*flag == 0) {
        }
        out[2] = out[1];
    } else if (Kind == twin::sound && threadIdx.x == 63) {
        out[1] = 3.0F;
        __threadfence();
        *flag = 1;
    }
}

__device__ unsigned device_ticket;

template <twin Kind>
__global__ void device_variable(float const*, float* out, unsigned) {
    if constexpr (Kind == twin::sound) {
        atomicAdd(&device_ticket, 1U);
    } else {
        device_ticket += 1;
    }
    if (threadIdx.x == 0) out[blockIdx.x] = 0;
}

template <twin Kind>
__global__ void trap(float const*, float* out, unsigned) {
    if (Kind == twin::defective && threadIdx.x == 3) __trap();
    out[threadIdx.x] = 0;
}

template <twin Kind>
__global__ void throwing(float const*, float*, unsigned) {
    __syncthreads();
    if (Kind == twin::defective && threadIdx.x == 5) throw std::runtime_error("from the kernel");
    __syncthreads();
}

struct entry {
    std::string_view name;
    void (*sound)(float const*, float*, unsigned);
    void (*defective)(float const*, float*, unsigned);
};

constexpr entry entries[] = {
    {"barrier_removed", barrier_removed<twin::sound>, barrier_removed<twin::defective>},
    {"warp_barrier_removed", warp_barrier_removed<twin::sound>, warp_barrier_removed<twin::defective>},
    {"shuffle_as_barrier", shuffle_as_barrier<twin::sound>, shuffle_as_barrier<twin::defective>},
    {"index_off_by_one", index_off_by_one<twin::sound>, index_off_by_one<twin::defective>},
    {"shared_off_by_one", shared_off_by_one<twin::sound>, shared_off_by_one<twin::defective>},
    {"uninitialised_slot", uninitialised_slot<twin::sound>, uninitialised_slot<twin::defective>},
    {"unwritten_global", unwritten_global<twin::sound>, unwritten_global<twin::defective>},
    {"barrier_after_return", barrier_after_return<twin::sound>, barrier_after_return<twin::defective>},
    {"barrier_in_branch", barrier_in_branch<twin::sound>, barrier_in_branch<twin::defective>},
    {"deadlock", deadlock<twin::sound>, deadlock<twin::defective>},
    {"last_block", last_block<twin::sound>, last_block<twin::defective>},
    {"cumulative_fence", cumulative_fence<twin::sound>, cumulative_fence<twin::defective>},
    {"fence_scope", fence_scope<twin::sound>, fence_scope<twin::defective>},
    {"ticket_before_barrier", ticket_before_barrier<twin::sound>, ticket_before_barrier<twin::defective>},
    {"volatile_tail", volatile_tail<twin::sound>, volatile_tail<twin::defective>},
    {"group_reduce", group_reduce<twin::sound>, group_reduce<twin::defective>},
    {"absent_lane", absent_lane<twin::sound>, absent_lane<twin::defective>},
    {"lane_not_in_mask", lane_not_in_mask<twin::sound>, lane_not_in_mask<twin::defective>},
    {"misaligned_vector", misaligned_vector<twin::sound>, misaligned_vector<twin::defective>},
    {"global_update", global_update<twin::sound>, global_update<twin::defective>},
    {"shared_update", shared_update<twin::sound>, shared_update<twin::defective>},
    {"slots_reused", slots_reused<twin::sound>, slots_reused<twin::defective>},
    {"device_variable", device_variable<twin::sound>, device_variable<twin::defective>},
    {"flag_never_set", flag_never_set<twin::sound>, flag_never_set<twin::defective>},
    {"trap", trap<twin::sound>, trap<twin::defective>},
    {"throwing", throwing<twin::sound>, throwing<twin::defective>},
};

}  // namespace

namespace SIMT_FLAVOUR {

// "NAME" is the defective kernel, "NAME sound" its twin.
simt::report defect(std::string_view name, simt::config const& config, float const* in, float* out, unsigned n) {
    bool const sound = name.ends_with(" sound");
    if (sound) name.remove_suffix(6);
    for (entry const& e : entries) {
        if (e.name == name) return simt::launch(config, sound ? e.sound : e.defective, in, out, n);
    }
    throw std::invalid_argument("no kernel of this name");
}

}  // namespace SIMT_FLAVOUR
