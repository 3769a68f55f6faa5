// Kernels that write down the order in which they run.
#include "kernels.hpp"

#include <stdexcept>

namespace {

__global__ void blocks(unsigned* log, unsigned* count) {
    if (threadIdx.x == 0) log[atomicAdd(count, 1U)] = blockIdx.x;
}

__global__ void threads(unsigned* log, unsigned* count) {
    log[atomicAdd(count, 1U)] = threadIdx.x;
}

__global__ void threads_after_barrier(unsigned* log, unsigned* count) {
    __syncthreads();
    log[atomicAdd(count, 1U)] = threadIdx.x;
}

// Many waits of every kind: what one host thread's fibers must survive.
__global__ void churn(unsigned* log, unsigned* count) {
    __shared__ unsigned sum;
    unsigned mine = 0;
    for (unsigned round = 0; round < 20; ++round) {
        if (threadIdx.x == 0) sum = 0;
        __syncthreads();
        mine += __shfl_xor_sync(~0U, threadIdx.x, 1) & 1U;
        atomicAdd(&sum, 1U);
        __syncwarp();
        __syncthreads();
        if (sum != blockDim.x) atomicAdd(count, 1U);
        __syncthreads();
    }
    log[blockIdx.x * blockDim.x + threadIdx.x] = mine;
}

// Between plain barriers each of what takes a block out of step; every thread writes down where it comes by. A barrier
// that counts is not passed in step.
template <bool Counts>
__global__ void out_of_step(unsigned* log, unsigned* count) {
    unsigned const tid = threadIdx.x;
    auto const note = [&](unsigned what) { log[atomicAdd(count, 1U)] = what << 16 | tid; };
    auto const barrier = [] {
        if constexpr (Counts) {
            (void)__syncthreads_count(0);
        } else {
            __syncthreads();
        }
    };
    note(1);
    barrier();
    if (tid / 32 == 1) __syncwarp();
    note(2);
    barrier();
    note(static_cast<unsigned>(__syncthreads_count(tid % 3 == 0)));
    barrier();
    if (tid % 32 == 9) note(__activemask());
    barrier();
    if (tid == 5 || tid == 40) __nanosleep(1);
    note(3);
    barrier();
    note(__reduce_add_sync(__activemask(), tid));
    barrier();
    if (tid % 32 == 7) return;
    note(4);
    barrier();
    if (tid >= 64) return;
    note(5);
    barrier();
    note(6);
}

// Holds across barriers more than the registers take, of every kind, and a frame that only rbp finds again; counts what
// was lost.
__global__ void kept(unsigned* log, unsigned* count) {
    unsigned const rank = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    auto const hidden = [](auto value) {
        asm volatile("" : "+m"(value));
        return value;
    };
    alignas(64) unsigned aligned[4];
    auto* const sized = static_cast<unsigned*>(__builtin_alloca(hidden(rank % 5 + 1) * sizeof(unsigned)));
    std::size_t words[8];
    double numbers[8];
    long double wide = hidden(static_cast<long double>(rank) / 3);
    for (unsigned i = 0; i < 8; ++i) {
        words[i] = hidden(std::size_t{rank} << 32 | i);
        numbers[i] = hidden(rank + i / 8.0);
    }
    for (unsigned i = 0; i < 4; ++i) aligned[i] = hidden(rank ^ i);
    for (unsigned i = 0; i <= rank % 5; ++i) sized[i] = hidden(rank + i);
    for (unsigned round = 0; round < 3; ++round) {
        __syncthreads();
        if (hidden(round) == 1) __syncthreads();
        dim3 const at = hidden(dim3(threadIdx));
        bool same =
            at.x + blockDim.x * (at.y + blockDim.y * at.z) == rank && wide == static_cast<long double>(rank) / 3;
        for (unsigned i = 0; i < 8; ++i) {
            same = same && words[i] == (std::size_t{rank} << 32 | i) && numbers[i] == rank + i / 8.0;
        }
        for (unsigned i = 0; i < 4; ++i) same = same && aligned[i] == (rank ^ i);
        for (unsigned i = 0; i <= rank % 5; ++i) same = same && sized[i] == rank + i;
        if (!same) atomicAdd(count, 1U);
    }
    log[rank] = 1;
}

struct entry {
    std::string_view name;
    void (*kernel)(unsigned*, unsigned*);
};

constexpr entry entries[] = {{"blocks", blocks},
                             {"threads", threads},
                             {"threads_after_barrier", threads_after_barrier},
                             {"churn", churn},
                             {"out_of_step", out_of_step<false>},
                             {"never_in_step", out_of_step<true>},
                             {"kept", kept}};

}  // namespace

namespace SIMT_FLAVOUR {

simt::report order(std::string_view name, simt::config const& config, unsigned* log, unsigned* count) {
    for (entry const& e : entries) {
        if (e.name == name) return simt::launch(config, e.kernel, log, count);
    }
    throw std::invalid_argument("no kernel of this name");
}

}  // namespace SIMT_FLAVOUR
