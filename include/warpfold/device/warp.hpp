// Warps and blocks: partials of 32 lanes become one, by shuffles or reductions of words; partials of warps, through
// shared memory.
#pragma once

#include "../types.hpp"

namespace warpfold::device {

inline constexpr unsigned all_lanes = 0xffffffffU;
inline constexpr int warp_lanes = 32;
/// The thread's place in its warp.
__device__ __forceinline__ int own_lane() { return static_cast<int>(threadIdx.x % warp_lanes); }

/// Keeps the code behind it, which is seldom run, from being fetched before it is: the fetcher of instructions runs
/// ahead of warps that wait, past branches and calls, but not past a branch whose target is in a register. (H200, where
/// a block leaves before such code: float32 sum of 2^8 items 4.2 → 4.0 µs, of 2^12 4.5 → 4.25, of 2^16 to 2^22, whose
/// blocks go round it, 0.2 sooner.)
__device__ __forceinline__ void fetch_no_further() {
#if defined(__CUDA_ARCH__)
    asm volatile("{ targets: .branchtargets on, never; brx.idx.uni %0, targets; never: trap; on: }" ::"r"(gridDim.z - 1));
#endif
}

/// The value that the lane `distance` further on holds; trivially copyable values of any size, word by word.
template <class T>
__device__ __forceinline__ T shuffle_down(T const& value, int distance) {
    constexpr std::size_t words = (sizeof(T) + 3) / 4;
    std::uint32_t word[words] = {};
    std::memcpy(word, &value, sizeof(T));
    for (std::size_t i = 0; i < words; ++i)
        word[i] = __shfl_down_sync(all_lanes, word[i], static_cast<unsigned>(distance));
    T result;
    std::memcpy(&result, word, sizeof(T));
    return result;
}

/// Merges the values of all lanes into lane 0, in the order of lanes. `merge(a, b)` takes b, which is later, into a. Other
/// lanes end with values that mean nothing. Seldom: by one copy of the code, which is slower.
template <bool Seldom = false, class T, class Merge>
__device__ __forceinline__ void merge_warp(T& value, Merge const& merge) {
#pragma unroll Seldom ? 1 : warp_lanes
    for (int distance = 1; distance < warp_lanes; distance *= 2) {
        // Lane i holds lanes i … i + distance − 1: what comes next is what lane i + distance holds.
        T const later = shuffle_down(value, distance);
        merge(value, later);
    }
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
/// The values of all lanes merged by `merge`, which takes them in any order, in each lane: before 8.0, which has no
/// reductions of words.
template <class T, class Merge>
__device__ __forceinline__ T exchange_warp(T value, Merge const& merge) {
    for (int distance = 1; distance < warp_lanes; distance *= 2) value = merge(value, __shfl_xor_sync(all_lanes, value, distance));
    return value;
}
/// The bits that all lanes have in common, in each of them.
__device__ __forceinline__ std::uint32_t common_bits(std::uint32_t value) {
    return exchange_warp(value, [](std::uint32_t a, std::uint32_t b) { return a & b; });
}
/// The greatest value of all lanes, in each of them; T is an integer of 32 bits. Others, and the least: extremes.hpp.
template <class T>
    requires(sizeof(T) == 4)
__device__ __forceinline__ T max_warp(T value) { return exchange_warp(value, [](T a, T b) { return a < b ? b : a; }); }
#else
__device__ __forceinline__ std::uint32_t common_bits(std::uint32_t value) { return __reduce_and_sync(all_lanes, value); }
template <class T>
    requires(sizeof(T) == 4)
__device__ __forceinline__ T max_warp(T value) { return __reduce_max_sync(all_lanes, value); }
#endif

/// The sum of the values of all lanes, in each of them; at most seven additions one after the other.
__device__ __forceinline__ double sum_warp(double x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    // By the unit for products of small matrices: ones times the values, four to a column, are the sums of columns, of
    // which each lane gets two; ones times those of four lanes are the sum. (H200, sums of one block: floats 0.1,
    // doubles 0.2 µs sooner than by shuffles.)
    double sum;
    asm volatile(
        "{ .reg .f64 one, other; mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {one, other}, {%1}, {%2}, {%3, %3}; add.rn.f64 one, one, "
        "other; mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, other}, {%1}, {one}, {%3, %3}; }"
        : "=d"(sum) : "d"(1.0), "d"(x), "d"(0.0));
    return sum;
#else
    for (int distance = 1; distance < warp_lanes; distance *= 2) x += __shfl_xor_sync(all_lanes, x, distance);
    return x;
#endif
}

/// A signed integer of Words · 32 bits, at most 128: an int128 would be aligned to 16 bytes, and pad what holds it.
template <int Words>
struct wide_integer {
    std::uint32_t word[Words] = {};

    __device__ __forceinline__ int128 value() const {
        uint128 bits = 0;
        for (int i = 0; i < Words; ++i) bits |= static_cast<uint128>(word[i]) << (32 * i);
        constexpr int unused = 128 - 32 * Words;
        return static_cast<int128>(bits << unused) >> unused;
    }
    __device__ __forceinline__ void set(int128 value) {
        for (int i = 0; i < Words; ++i) word[i] = static_cast<std::uint32_t>(value >> (32 * i));
    }
    __device__ __forceinline__ void operator+=(int128 x) { set(value() + x); }
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
/// The sum of the values of all lanes, in each of them; they have at most 27 · Pieces bits, and so many are added at a
/// time, for those of 32 lanes fit a word.
template <int Pieces, class T>
__device__ __forceinline__ T sum_pieces(T value) {
    std::conditional_t<sizeof(T) == 8, std::uint64_t, uint128> sum = 0;  // what has more bits means nothing
    for (int i = 0; i < Pieces; ++i) {
        auto const piece = static_cast<std::uint32_t>(value >> (27 * i));
        bool const last = i + 1 == Pieces;  // it has the sign
        std::uint32_t const pieces = __reduce_add_sync(all_lanes, last ? piece : piece & ((1U << 27) - 1));
        sum += static_cast<decltype(sum)>(last ? static_cast<T>(static_cast<std::int32_t>(pieces)) : static_cast<T>(pieces)) << (27 * i);
    }
    return static_cast<T>(sum);
}
/// Out of line: a kernel has many of these, which would have to be fetched or jumped over.
template <int Words>
__device__ __noinline__ wide_integer<Words> sum_wide(wide_integer<Words> x) {
    x.set(sum_pieces<(32 * Words - 1) / 27 + 1>(x.value()));
    return x;
}
/// The sum of the values of all lanes, in each of them. A reduction of words takes about as long as a vote, and most
/// sums are zero or have two pieces.
template <int Words>
__device__ __forceinline__ wide_integer<Words> sum_warp(wide_integer<Words> x) {
    int128 const value = x.value();
    if (!__any_sync(all_lanes, value != 0)) return x;
    auto const low = static_cast<std::int64_t>(value);
    if (!__all_sync(all_lanes, value == low && low >> 53 == low >> 63)) return sum_wide(x);
    std::int64_t const lower = __reduce_add_sync(all_lanes, static_cast<std::uint32_t>(low) & ((1U << 27) - 1));
    x.set(lower + static_cast<std::int64_t>(static_cast<std::int32_t>(__reduce_add_sync(all_lanes, static_cast<std::uint32_t>(low >> 27)))) * (1 << 27));
    return x;
}
#else
template <int, class T>
__device__ __forceinline__ T sum_pieces(T value) {
    using bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, uint128>;
    for (int distance = 1; distance < warp_lanes; distance *= 2) {
        bits other = 0;
        for (int i = 0; i < 8 * int{sizeof(T)}; i += 32)
            other |= bits{__shfl_xor_sync(all_lanes, static_cast<std::uint32_t>(value >> i), distance)} << i;
        value = static_cast<T>(static_cast<bits>(value) + other);
    }
    return value;
}
template <int Words>
__device__ __forceinline__ wide_integer<Words> sum_warp(wide_integer<Words> x) {
    x.set(sum_pieces<0>(x.value()));
    return x;
}
#endif
__device__ __forceinline__ int128 sum_warp(int128 value) {
    wide_integer<4> x;
    x.set(value);
    return sum_warp(x).value();
}

/// A value in memory, as words of 16 bytes, which move at once: it may have a constructor, which shared memory may not.
template <class T>
struct stored {
    uint4 part[(sizeof(T) + 15) / 16];

    __device__ __forceinline__ void set(T const& value) {
        stored copy{};
        std::memcpy(copy.part, &value, sizeof(T));
        for (std::size_t i = 0; i < sizeof(part) / 16; ++i) part[i] = copy.part[i];
    }
    /// Fresh: from global memory, read past this multiprocessor's cache.
    template <bool Fresh = false>
    __device__ __forceinline__ T get() const {
        uint4 copy[sizeof(part) / 16];
        for (std::size_t i = 0; i < sizeof(part) / 16; ++i) copy[i] = Fresh ? __ldcg(part + i) : part[i];
        T value;
        std::memcpy(&value, copy, sizeof(T));
        return value;
    }
};

/// Merges the partials of a block's first threads, so many, into thread 0, in the order of threads. They call it together;
/// if they are more than a warp, all threads of the block, with a barrier between two calls. `merge_lanes(partial)` merges those of a warp into its first
/// lane, in order; `identity` changes nothing.
template <int Warps, class Partial, class Merge>
__device__ __forceinline__ void merge_block(Partial& value, Partial const& identity, stored<Partial> (&memory)[Warps],
                                            Merge const& merge_lanes, int threads) {
    static_assert(Warps <= warp_lanes);
    auto const thread = static_cast<int>(threadIdx.x);
#pragma unroll 1  // one copy, which is there when the partials of warps come
    for (bool of_warps = false;; of_warps = true) {
        merge_lanes(value);
        if (threads <= warp_lanes || of_warps) return;
        if (thread % warp_lanes == 0) memory[thread / warp_lanes].set(value);
        __syncthreads();
        if (thread >= warp_lanes) return;
        value = thread < threads / warp_lanes ? memory[thread].get() : identity;
    }
}

}  // namespace warpfold::device
