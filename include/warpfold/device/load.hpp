// Loads: items of an input on the device, 16 bytes at a time where the input allows it.
#pragma once

#include "../input.hpp"

namespace warpfold::device {

/// The word that so many bytes, a power of two, are loaded as.
template <int Bytes>
using load_word = std::conditional_t<Bytes == 16, uint4, std::conditional_t<Bytes == 8, uint2, std::conditional_t<Bytes == 4, unsigned,
                  std::conditional_t<Bytes == 2, unsigned short, unsigned char>>>>;

/// How an input is read: `vector` items that lie side by side make 16 bytes of its widest memory, which one thread
/// loads at once; `ranges` of memory are read. each_address shows address, item size and alignment of what must be
/// aligned for that; where items `may_straddle` vectors, there may be no head that aligns them all. If it `copies`,
/// vectors are 16 bytes of each range: copy begins to bring them to shared memory, those of one thread `step` words
/// apart, and copied is the input that they then are (tiles.hpp). Of other inputs: composite_load.hpp.
template <class Input>
struct access;

template <class T>
struct access<contiguous<T>> {
    static constexpr int vector = 16 % sizeof(T) == 0 ? static_cast<int>(16 / sizeof(T)) : 1, ranges = 1;
    static constexpr bool copies = 16 % sizeof(T) == 0, may_straddle = copies && alignof(T) < sizeof(T);

    template <class Visit>
    static void each_address(contiguous<T> const& in, Visit const& visit) {
        visit(reinterpret_cast<std::uintptr_t>(in.items), sizeof(T), alignof(T));
    }
    template <bool Vectors, int N>
    __device__ __forceinline__ static void load(contiguous<T> const& in, index_t i, T (&out)[N]) {
        constexpr int bytes = N * static_cast<int>(sizeof(T));
        if constexpr (Vectors && (bytes == 16 || bytes == 8 || bytes == 4 || bytes == 2 || bytes == 1)) {
            using word = load_word<bytes>;
            // No cache hint: evict-first loads read 3 % slower (H200, 4 GiB, 4.39 against 4.52 TB/s, 2026-11-21).
            word const w = *reinterpret_cast<word const*>(in.items + i);
            std::memcpy(out, &w, sizeof(out));
        } else {
            for (int k = 0; k < N; ++k) out[k] = in.items[i + k];
        }
    }
    __device__ __forceinline__ static void copy(contiguous<T> const& in, index_t i, uint4* to, int) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        auto const address = static_cast<unsigned>(__cvta_generic_to_shared(to));
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(in.items + i) : "memory");
#else
        *to = *reinterpret_cast<uint4 const*>(in.items + i);
#endif
    }
    __device__ __forceinline__ static void prefetch([[maybe_unused]] contiguous<T> const& in, [[maybe_unused]] index_t i) {
#if defined(__CUDA_ARCH__)
        asm volatile("prefetch.global.L2 [%0];" ::"l"(in.items + i));
#endif
    }
    template <class Input>
    __device__ __forceinline__ static Input copied(Input const&, uint4 const* from, int) {
        return {reinterpret_cast<T const*>(from), vector};
    }
};
template <class T>
struct access<device_span<T>> : access<contiguous<T>> {};

template <class Input>
inline constexpr int vector_items = access<Input>::vector;

/// Loads items [i, i + N). Vectors says that address i is a multiple of N items.
template <bool Vectors, class Input, int N>
__device__ __forceinline__ void load(Input const& in, index_t i, typename Input::value_type (&out)[N]) {
    access<Input>::template load<Vectors>(in, i, out);
}

/// Where vectors of an input may begin: after `head` items, if at all.
struct alignment {
    index_t head;
    bool vectors;
};
template <class Input>
alignment alignment_of(Input const& in) {
    constexpr std::size_t items = vector_items<Input>;
    alignment result{-1, true};
    access<Input>::each_address(in, [&](std::uintptr_t address, std::size_t bytes, std::size_t aligned) {
        if (address % aligned != 0) throw invalid_input("warpfold: an item's address is not a multiple of its alignment");
        std::size_t const over = address % (items * bytes);
        auto const head = static_cast<index_t>((items - over / bytes) % items);
        if (result.head < 0) result.head = head;
        result.vectors = result.vectors && result.head == head && (over % bytes == 0 || 16 % bytes != 0);  // items of 12 bytes, say, have no vectors
    });
    if (result.head < 0 || !result.vectors) result.head = 0;
    return result;
}

}  // namespace warpfold::device
