// Every intrinsic, checked inside a kernel against its definition.
#include "kernels.hpp"

#include <atomic>
#include <climits>
#include <limits>
#include <stdexcept>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace {

namespace cg = cooperative_groups;

// data[0] becomes the line of a failed expectation.
struct expectations {
    unsigned* first_failure;

    __device__ void operator()(bool holds, int line = __builtin_LINE()) const {
        if (!holds) atomicCAS(first_failure, 0U, static_cast<unsigned>(line));
    }
};

__global__ void shuffles(unsigned* data) {
    expectations const expect{data};
    int const lane = static_cast<int>(threadIdx.x);
    expect(__shfl_sync(~0U, lane, 5) == 5);
    expect(__shfl_sync(~0U, lane, 33) == 1);
    expect(__shfl_sync(~0U, lane, 1, 8) == (lane & ~7) + 1);
    expect(__shfl_sync(~0U, lane, lane / 2) == lane / 2);
    expect(__shfl_up_sync(~0U, lane, 3) == (lane < 3 ? lane : lane - 3));
    expect(__shfl_up_sync(~0U, lane, 1, 4) == (lane % 4 == 0 ? lane : lane - 1));
    expect(__shfl_down_sync(~0U, lane, 16) == (lane < 16 ? lane + 16 : lane));
    expect(__shfl_down_sync(~0U, lane, 1, 2) == (lane % 2 == 0 ? lane + 1 : lane));
    expect(__shfl_down_sync(~0U, lane, ~0U) == (lane < 1 ? 31 : lane));
    expect(__shfl_up_sync(~0U, lane, 33) == (lane < 1 ? lane : lane - 1));
    expect(__shfl_xor_sync(~0U, lane, -1) == 31 - lane);
    expect(__shfl_xor_sync(~0U, lane, 9) == (lane ^ 9));
    expect(__shfl_xor_sync(~0U, 1.5 * lane, 1) == 1.5 * (lane ^ 1));
    expect(__shfl_sync(~0U, 2.5F * lane, 4) == 10.0F);
    expect(__shfl_sync(~0U, 1ULL << lane, 31) == 1ULL << 31);
    expect(__shfl_sync(~0U, -1LL - lane, 2) == -3LL);
    if (lane >= 8 && lane < 12) expect(__shfl_sync(0xf00U, lane, 9) == 9);
}

__global__ void votes(unsigned* data) {
    expectations const expect{data};
    unsigned const lane = threadIdx.x;
    expect(__ballot_sync(~0U, lane % 2 == 0) == 0x55555555U);
    expect(__any_sync(~0U, lane == 31) == 1 && __any_sync(~0U, 0) == 0);
    expect(__all_sync(~0U, lane < 32) == 1 && __all_sync(~0U, lane > 0) == 0);
    expect(__match_any_sync(~0U, lane % 4) == 0x11111111U << lane % 4);
    int all_equal = -1;
    expect(__match_all_sync(~0U, 7, &all_equal) == ~0U && all_equal == 1);
    expect(__match_all_sync(~0U, lane, &all_equal) == 0 && all_equal == 0);
    expect(__match_any_sync(~0U, 1.0) == ~0U);
    expect(__reduce_add_sync(~0U, lane) == 496U);
    expect(__reduce_add_sync(~0U, -1) == -32);
    expect(__reduce_min_sync(~0U, static_cast<int>(lane) - 7) == -7);
    expect(__reduce_max_sync(~0U, static_cast<int>(lane) - 40) == -9);
    expect(__reduce_min_sync(~0U, lane + 3) == 3U && __reduce_max_sync(~0U, ~lane) == ~0U);
    expect(__reduce_and_sync(~0U, lane | 8U) == 8U);
    expect(__reduce_or_sync(~0U, 1U << lane) == ~0U);
    expect(__reduce_xor_sync(~0U, 1U << lane) == ~0U);
    if (lane % 3 == 0) {
        unsigned const active = __activemask();
        expect(active == 0x49249249U);
        expect(__reduce_add_sync(active, 1U) == 11U);
    } else {
        expect(__activemask() == ~0x49249249U);
    }
    __syncwarp();
    expect(__syncthreads_count(lane < 5) == 5);
    expect(__syncthreads_and(lane < 32) == 1 && __syncthreads_and(lane != 9) == 0);
    expect(__syncthreads_or(lane == 9) == 1 && __syncthreads_or(0) == 0);
}

template <class T>
__device__ void expect_integer_atomics(expectations expect) {
    __shared__ T word;
    auto const set = [&](T value) {
        __syncthreads();
        if (threadIdx.x == 0) word = value;
        __syncthreads();
    };
    T const lane = static_cast<T>(threadIdx.x);
    auto const holds = [&](T value, int line = __builtin_LINE()) {
        __syncthreads();
        expect(word == value, line);
    };
    set(5), atomicAdd(&word, lane), holds(501);
    set(9), atomicMin(&word, lane), holds(0);
    set(9), atomicMax(&word, lane), holds(31);
    set(static_cast<T>(~T{0})), atomicAnd(&word, static_cast<T>(~(T{1} << threadIdx.x % 8))),
        holds(static_cast<T>(~T{255}));
    set(0), atomicOr(&word, static_cast<T>(T{1} << threadIdx.x % 8)), holds(255);
    set(0), atomicXor(&word, lane), holds(0);
    set(40), atomicExch(&word, lane), __syncthreads(), expect(word < 32);
    set(7), atomicCAS(&word, T{7}, T{100}), holds(100);
    set(1), atomicAdd_block(&word, T{1}), atomicAdd_system(&word, T{1}), holds(65);
    set(3);
    T old = 0;
    if (threadIdx.x == 0) old = atomicAdd(&word, T{4});
    if (threadIdx.x == 0) expect(old == 3);
    holds(7);
}

template <class T>
__device__ void expect_float_atomics(expectations expect) {
    __shared__ T word;
    if (threadIdx.x == 0) word = T{0.5};
    __syncthreads();
    atomicAdd(&word, static_cast<T>(threadIdx.x));
    __syncthreads();
    expect(word == T{496.5});
    __syncthreads();
}

__global__ void atomics(unsigned* data) {
    expectations const expect{data};
    expect_integer_atomics<int>(expect);
    expect_integer_atomics<unsigned>(expect);
    expect_integer_atomics<unsigned long long>(expect);
    expect_float_atomics<float>(expect);
    expect_float_atomics<double>(expect);
    __shared__ unsigned counter;
    __shared__ int level;
    __shared__ float exchanged;
    if (threadIdx.x == 0) {
        counter = 0;
        level = 32;
        exchanged = 1.0F;
    }
    __syncthreads();
    expect(atomicInc(&counter, 9U) < 10);
    atomicSub(&level, 1);
    atomicExch(&exchanged, 2.0F);
    __syncthreads();
    expect(counter == 2 && level == 0 && exchanged == 2.0F);
    __syncthreads();
    atomicDec(&counter, 9U);
    __syncthreads();
    expect(counter == 0);
}

__global__ void arithmetic(unsigned* data) {
    expectations const expect{data};
    if (threadIdx.x != 0) return;
    expect(__popc(0xf0f0U) == 8 && __popcll(~0ULL) == 64);
    expect(__clz(1) == 31 && __clz(0) == 32 && __clzll(1) == 63);
    expect(__ffs(0) == 0 && __ffs(8) == 4 && __ffsll(1LL << 40) == 41);
    expect(__brev(1U) == 0x80000000U && __brevll(1ULL) == 1ULL << 63);
    expect(__byte_perm(0x33221100U, 0x77665544U, 0x7410U) == 0x77441100U);
    expect(__byte_perm(0x80U, 0, 0x8888U) == ~0U);
    expect(__funnelshift_l(0x80000000U, 1U, 1U) == 3U && __funnelshift_r(1U, 3U, 1U) == 0x80000000U);
    expect(__mulhi(-1, 1) == -1 && __umulhi(~0U, 2U) == 1U);
    expect(__mul64hi(-1, 1) == -1 && __umul64hi(~0ULL, 2ULL) == 1ULL);
    expect(__usad(3U, 10U, 1U) == 8U);
    expect(__float_as_int(1.0F) == 0x3f800000 && __int_as_float(0x40000000) == 2.0F);
    expect(__float_as_uint(-0.0F) == 0x80000000U && __uint_as_float(0x7f800000U) == INFINITY);
    expect(__double_as_longlong(1.0) == 0x3ff0000000000000 && __longlong_as_double(0) == 0.0);
    expect(__hiloint2double(0x3ff00000, 0) == 1.0 && __double2hiint(1.0) == 0x3ff00000 && __double2loint(1.0) == 0);
    float const above = 1.0F + std::numeric_limits<float>::epsilon();
    float const tiny = 1e-20F;
    expect(__fadd_rn(1.0F, tiny) == 1.0F && __fadd_rz(1.0F, tiny) == 1.0F);
    expect(__fadd_ru(1.0F, tiny) == above && __fadd_rd(1.0F, tiny) == 1.0F && __fsub_rd(1.0F, tiny) < 1.0F);
    expect(__fmul_ru(above, above) > __fmul_rd(above, above));
    expect(__fdiv_ru(1.0F, 3.0F) > __fdiv_rd(1.0F, 3.0F) && __frcp_rn(4.0F) == 0.25F);
    expect(__fmaf_rn(above, above, -1.0F) > 0.0F && __fmaf_ru(above, above, 0.0F) > __fmaf_rd(above, above, 0.0F));
    expect(__dadd_rn(1.0, 1e-30) == 1.0 && __dadd_ru(1.0, 1e-30) > 1.0 && __dmul_rn(3.0, 2.0) == 6.0);
    expect(__fma_rn(2.0, 3.0, 1.0) == 7.0 && __ddiv_rn(1.0, 4.0) == 0.25 && __dsqrt_rn(9.0) == 3.0);
    expect(__double2float_rn(1.0 + 1e-12) == 1.0F && __double2float_ru(1.0 + 1e-12) == above);
    expect(__double2float_rz(-1.0 - 1e-12) == -1.0F && __double2float_rd(-1.0 - 1e-12) < -1.0F);
    expect(__float2int_rn(2.5F) == 2 && __float2int_rz(-2.7F) == -2);
    expect(__float2int_ru(2.1F) == 3 && __float2int_rd(-2.1F) == -3);
    expect(__float2int_rz(1e20F) == INT_MAX && __float2int_rz(NAN) == 0 && __float2uint_rz(-3.0F) == 0U);
    expect(__double2ll_rn(1e18) == 1000000000000000000LL && __double2ull_rz(1e30) == ~0ULL);
    expect(__int2float_rn(16777217) == 16777216.0F && __int2float_ru(16777217) == 16777218.0F);
    expect(__ll2double_rd((1LL << 53) + 1) == 9007199254740992.0 && __ull2float_rn(1ULL << 63) == 0x1p63F);
    expect(min(3, 4) == 3 && max(3U, 4U) == 4U && max(1.0F, NAN) == 1.0F && min(2LL, -5LL) == -5LL);
    expect(__saturatef(1.5F) == 1.0F && __saturatef(NAN) == 0.0F && rsqrtf(4.0F) == 0.5F && rsqrt(16.0) == 0.25);
    expect(__expf(0.0F) == 1.0F && __logf(1.0F) == 0.0F && __fdividef(6.0F, 3.0F) == 2.0F &&
           __powf(2.0F, 3.0F) == 8.0F);
    expect(fminf(NAN, 2.0F) == 2.0F && fmaxf(-1.0F, 2.0F) == 2.0F && isnan(NAN) && isinf(INFINITY));
    __extension__ using wide = __int128;
    wide const product = static_cast<wide>(1) << 100;
    expect(static_cast<long long>(product >> 98) == 4);
    expect(clock64() != 0);
}

struct alignas(16) pair_of_doubles {
    double value;
    long long index;
};

__global__ void memory_and_vectors(unsigned* data) {
    expectations const expect{data};
    __shared__ pair_of_doubles pairs[32];
    __shared__ __align__(16) unsigned char bytes[64];
    static __shared__ float4 vectors[2];
    extern __shared__ unsigned dynamic[];
    dynamic[threadIdx.x] = threadIdx.x;
    pairs[threadIdx.x] = {0.5 * threadIdx.x, threadIdx.x};
    bytes[threadIdx.x] = static_cast<unsigned char>(threadIdx.x);
    if (threadIdx.x < 2) vectors[threadIdx.x] = make_float4(1.0F, 2.0F, 3.0F, 4.0F);
    __syncthreads();
    expect(pairs[31 - threadIdx.x].index == 31 - threadIdx.x);
    expect(dynamic[31 - threadIdx.x] == 31 - threadIdx.x);
    expect(bytes[threadIdx.x ^ 1U] == (threadIdx.x ^ 1U));
    expect(vectors[1].w == 4.0F && reinterpret_cast<std::uintptr_t>(bytes) % 16 == 0);
    expect(__isShared(bytes) && __isGlobal(data) && !__isShared(data));
    if (threadIdx.x == 0) {
        expect(__ldg(data + 1) == 17 && __ldcg(data + 1) == 17 && __ldcs(data + 1) == 17 && __ldca(data + 1) == 17);
        expect(__ldcv(data + 1) == 17);
        __stcg(data + 2, 1U);
        __stcs(data + 2, 2U);
        __stwt(data + 2, 3U);
        __stwb(data + 2, data[2] + 1);
        expect(data[2] == 4);
        int2 const i = make_int2(1, 2);
        double2 const d = make_double2(1, 2.5);
        uchar4 const c = make_uchar4(1, 2, 3, 4);
        expect(i.y == 2 && d.y == 2.5 && c.w == 4 && sizeof(float3) == 12 && alignof(float4) == 16);
        dim3 const size(2, 3);
        expect(size.z == 1 && size.y == 3);
        expect(warpSize == 32 && blockDim.x == 32 && gridDim.x == 1 && blockIdx.x == 0);
    }
}

__global__ void groups(unsigned* data) {
    expectations const expect{data};
    auto const block = cg::this_thread_block();
    expect(block.size() == 32 && block.thread_rank() == threadIdx.x && block.group_index().x == 0);
    block.sync();
    auto const tile = cg::tiled_partition<8>(block);
    unsigned const first = threadIdx.x / 8 * 8;
    expect(tile.size() == 8 && tile.thread_rank() == threadIdx.x % 8);
    expect(tile.meta_group_rank() == threadIdx.x / 8 && tile.meta_group_size() == 4);
    expect(tile.shfl(threadIdx.x, 2) == first + 2);
    expect(tile.shfl_down(threadIdx.x, 4) == (threadIdx.x % 8 < 4 ? threadIdx.x + 4 : threadIdx.x));
    expect(tile.shfl_up(threadIdx.x, 1) == (threadIdx.x % 8 == 0 ? threadIdx.x : threadIdx.x - 1));
    expect(tile.shfl_xor(pair_of_doubles{1.0 * threadIdx.x, 3}, 1).value == (threadIdx.x ^ 1U));
    expect(tile.ballot(threadIdx.x % 8 < 2) == 3U && tile.any(threadIdx.x % 8 == 1) && !tile.all(threadIdx.x == 0));
    expect(tile.match_any(threadIdx.x % 2) == (threadIdx.x % 2 == 0 ? 0x55U : 0xaaU));
    expect(cg::reduce(tile, threadIdx.x % 8, cg::plus<unsigned>()) == 28U);
    expect(cg::reduce(tile, threadIdx.x, cg::greater<unsigned>()) == first + 7);
    expect(cg::reduce(tile, threadIdx.x, cg::less<unsigned>()) == first);
    auto const half = cg::tiled_partition<4>(tile);
    expect(half.thread_rank() == threadIdx.x % 4);
    cg::thread_group const any = cg::tiled_partition(block, 16);
    any.sync();
    expect(any.size() == 16 && any.thread_rank() == threadIdx.x % 16);
    if (threadIdx.x % 5 == 1) {
        auto const together = cg::coalesced_threads();
        expect(together.size() == 7 && together.thread_rank() == threadIdx.x / 5);
        expect(together.shfl(threadIdx.x, 3) == 16);
        expect(cg::reduce(together, 1, cg::plus<int>()) == 7);
        expect(together.ballot(1) == 0x7fU);
        together.sync();
    }
    cg::sync(block);
}

// Every block adds to every other one's cell, twice, with a grid barrier between. data[0] is the failure, cells follow.
__global__ void grid_barrier(unsigned* data) {
    expectations const expect{data};
    __shared__ unsigned kept[32];
    auto const grid = cg::this_grid();
    expect(grid.is_valid() && grid.size() == gridDim.x * blockDim.x);
    kept[threadIdx.x] = blockIdx.x;
    if (threadIdx.x == 0) data[1 + blockIdx.x] = blockIdx.x;
    grid.sync();
    expect(data[1 + (blockIdx.x + 1) % gridDim.x] == (blockIdx.x + 1) % gridDim.x);
    expect(kept[31 - threadIdx.x] == blockIdx.x);
    grid.sync();
    if (threadIdx.x == 0) data[1 + (blockIdx.x + 3) % gridDim.x] = 100 + blockIdx.x;
    grid.sync();
    expect(data[1 + (blockIdx.x + 3) % gridDim.x] == 100 + blockIdx.x);
}

// Thread 0 waits for thread 40, with nothing but a flag between them.
__global__ void spin(unsigned* data) {
    expectations const expect{data};
    if (threadIdx.x == 0) {
        while (atomicAdd(data + 1, 0U) == 17) __nanosleep(10);
        expect(data[2] == 5);
    } else if (threadIdx.x == 20) {
        data[2] = 5;
        __threadfence();
        atomicExch(data + 1, 0U);
    }
}

// Atomics of the language instead of CUDA's, and a flag that is only ever read.
__global__ void language_atomics(unsigned* data) {
    expectations const expect{data};
    std::atomic_ref<unsigned> flag(data[3]);
    std::atomic_ref<unsigned> count(data[4]);
    count.fetch_add(1);
    if (threadIdx.x == 0) {
        while (flag.load() == 17) {
        }
        expect(data[5] == 6);
    } else if (threadIdx.x == 31) {
        data[5] = 6;
        std::atomic_thread_fence(std::memory_order_release);
        flag.store(1, std::memory_order_relaxed);
    }
    __syncthreads();
    expect(count.load() == 17 + 32);
    __syncthreads();
    unsigned expected = 49;
    if (threadIdx.x == 1) expect(count.compare_exchange_strong(expected, 3) && count.exchange(4) == 3);
}

__global__ void memory_functions(unsigned* data) {
    expectations const expect{data};
    __shared__ unsigned from[64], to[64];
    std::size_t const bytes = std::size_t{data[6]} * 8 - 8;  // 128, known only at run time
    if (threadIdx.x == 0) {
        memset(from, 1, 2 * bytes);
        memcpy(to, from, bytes);
        memmove(to + 32, to, bytes);
    }
    __syncthreads();
    expect(to[threadIdx.x + 32] == 0x01010101U);
}

struct entry {
    std::string_view name;
    void (*kernel)(unsigned*);
};

constexpr entry entries[] = {{"shuffles", shuffles},
                             {"votes", votes},
                             {"atomics", atomics},
                             {"arithmetic", arithmetic},
                             {"memory_and_vectors", memory_and_vectors},
                             {"groups", groups},
                             {"grid_barrier", grid_barrier},
                             {"spin", spin},
                             {"language_atomics", language_atomics},
                             {"memory_functions", memory_functions}};

// A functor and a lambda, by value, as the library's kernels take them.
template <class Map, class Add>
__global__ void generic(float const* in, double* out, std::size_t n, Map map, Add add) {
    double sum = 0;
    for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) sum = add(sum, map(in[i]));
    for (int d = 16; d > 0; d /= 2) sum = add(sum, __shfl_xor_sync(~0U, sum, d));
    if (threadIdx.x == 0) *out = sum;
}

struct plus {
    __device__ double operator()(double a, double b) const { return a + b; }
};

}  // namespace

namespace SIMT_FLAVOUR {

simt::report intrinsic(std::string_view name, simt::config const& config, void* data) {
    for (entry const& e : entries) {
        if (e.name == name) return simt::launch(config, e.kernel, static_cast<unsigned*>(data));
    }
    throw std::invalid_argument("no kernel of this name");
}

simt::report scaled_sum(simt::config const& config, float const* in, double* out, std::size_t n, double scale) {
    auto const map = [scale](float x) { return scale * x; };
    return simt::launch(config, generic<decltype(map), plus>, in, out, n, map, plus{});
}

}  // namespace SIMT_FLAVOUR
