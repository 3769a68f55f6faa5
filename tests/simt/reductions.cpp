// Reductions whose counters are known: from hardware, or by counting on paper.
#include "kernels.hpp"

#include <stdexcept>

namespace {

enum class addressing { interleaved, interleaved_index, sequential };

template <addressing Kind>
__global__ void tree(float const* in, float* out, std::size_t n) {
    __shared__ float sdata[256];
    unsigned const tid = threadIdx.x;
    std::size_t const i = std::size_t{blockIdx.x} * blockDim.x + tid;
    sdata[tid] = i < n ? in[i] : 0.0F;
    __syncthreads();
    if constexpr (Kind == addressing::sequential) {
        for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
            if (tid < s) sdata[tid] += sdata[tid + s];
            __syncthreads();
        }
    } else {
        for (unsigned s = 1; s < blockDim.x; s *= 2) {
            if constexpr (Kind == addressing::interleaved) {
                if (tid % (2 * s) == 0) sdata[tid] += sdata[tid + s];
            } else {
                unsigned const index = 2 * s * tid;
                if (index < blockDim.x) sdata[index] += sdata[index + s];
            }
            __syncthreads();
        }
    }
    if (tid == 0) out[blockIdx.x] = sdata[0];
}

__global__ void shuffle_grid_stride(float const* in, float* out, std::size_t n) {
    __shared__ float slots[32];
    float sum = 0;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n;
         i += std::size_t{gridDim.x} * blockDim.x) {
        sum += in[i];
    }
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0U, sum, d);
    if (threadIdx.x % 32 == 0) slots[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < blockDim.x / 32 ? slots[threadIdx.x] : 0.0F;
        for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0U, sum, d);
        if (threadIdx.x == 0) out[blockIdx.x] = sum;
    }
}

// One thread reads everything: a trace far longer than its room.
__global__ void single_thread(float const* in, float* out, std::size_t n) {
    if (threadIdx.x != 0) return;
    float sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += in[i];
    *out = sum;
}

// The others wait at the barrier meanwhile.
__global__ void long_work_before_barrier(float const* in, float* out, std::size_t n) {
    __shared__ float sum;
    if (threadIdx.x == 40) {
        float mine = 0;
        for (std::size_t i = 0; i < n; ++i) mine += in[i];
        sum = mine;
    }
    __syncthreads();
    out[threadIdx.x] = sum;
}

// Lane l adds l + 1 items: loops of different lengths meet again at the store.
__global__ void ragged(float const* in, float* out, std::size_t) {
    float sum = 0;
    for (unsigned i = 0; i <= threadIdx.x; ++i) sum += in[i];
    out[threadIdx.x] = sum;
}

// Only in round 7 does every lane take part; before that it is lane r alone in round r.
__global__ void late_company(float const* in, float* out, std::size_t) {
    for (unsigned round = 0; round < 8; ++round) {
        if (round == 7 || threadIdx.x == round) out[threadIdx.x] = in[threadIdx.x];
    }
}

__global__ void strided_load(float const* in, float* out, std::size_t stride) {
    out[threadIdx.x] = in[threadIdx.x * stride];
}

__global__ void vector_load(float const* in, float* out, std::size_t) {
    float4 const v = reinterpret_cast<float4 const*>(in)[threadIdx.x];
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

__global__ void global_atomics(float const* in, float* out, std::size_t) {
    atomicAdd(out, in[threadIdx.x]);
}

__global__ void shared_atomics(float const*, float* out, std::size_t bins) {
    __shared__ unsigned histogram[32];
    histogram[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&histogram[threadIdx.x % bins], 1U);
    __syncthreads();
    out[threadIdx.x] = static_cast<float>(histogram[threadIdx.x]);
}

__global__ void shared_vectors(float const*, float* out, std::size_t) {
    __shared__ double2 wide[32];
    __shared__ double narrow[32];
    wide[threadIdx.x] = make_double2(1.0, 2.0);
    narrow[threadIdx.x] = 3.0;
    __syncthreads();
    out[threadIdx.x] = static_cast<float>(wide[31 - threadIdx.x].x + narrow[31 - threadIdx.x]);
}

// Every lane reads one word: a broadcast, no conflict. A column of a 32 x 32 tile: 32 ways.
__global__ void broadcast_and_column(float const*, float* out, std::size_t pitch) {
    __shared__ float tile[32 * 33];
    for (unsigned i = threadIdx.x; i < 32 * 33; i += 32) tile[i] = 1.0F;
    __syncthreads();
    out[threadIdx.x] = tile[5] + tile[threadIdx.x * pitch];
}

__global__ void halves(float const* in, float* out, std::size_t) {
    if (threadIdx.x % 2 == 0) {
        out[threadIdx.x] = in[threadIdx.x];
    } else {
        out[threadIdx.x] = in[threadIdx.x] * 2.0F;
    }
    __syncwarp();
    __threadfence();
    (void)__ballot_sync(~0U, 1);
    (void)__reduce_add_sync(~0U, 1);
}

struct entry {
    std::string_view name;
    void (*kernel)(float const*, float*, std::size_t);
};

constexpr entry entries[] = {
    {"C1", tree<addressing::interleaved>},
    {"C1b", tree<addressing::interleaved_index>},
    {"C2", tree<addressing::sequential>},
    {"C6", shuffle_grid_stride},
    {"single_thread", single_thread},
    {"long_work_before_barrier", long_work_before_barrier},
    {"ragged", ragged},
    {"late_company", late_company},
    {"strided_load", strided_load},
    {"vector_load", vector_load},
    {"global_atomics", global_atomics},
    {"shared_atomics", shared_atomics},
    {"shared_vectors", shared_vectors},
    {"broadcast_and_column", broadcast_and_column},
    {"halves", halves},
};

}  // namespace

namespace SIMT_FLAVOUR {

simt::report reduction(std::string_view name, simt::config const& config, float const* in, float* out, std::size_t n) {
    for (entry const& e : entries) {
        if (e.name == name) return simt::launch(config, e.kernel, in, out, n);
    }
    throw std::invalid_argument("no kernel of this name");
}

}  // namespace SIMT_FLAVOUR
