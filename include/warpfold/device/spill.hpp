// The spill area: integers in global memory that every thread of a grid may add to, for what does not fit the partials
// of its lanes. Integer additions commute, so the order in which they arrive changes nothing.
#pragma once

#include "../exact/fixed_point.hpp"

namespace warpfold::device {

/// Words that are zero before a kernel, and again after it.
struct spill_area {
    std::int64_t* words;

    __device__ spill_area from(int i) const { return {words + i}; }

    __device__ __forceinline__ void add(int i, std::int64_t value) const {
        atomicAdd(reinterpret_cast<unsigned long long*>(words + i), static_cast<unsigned long long>(value));
    }
    /// What the last block reads: past its own cache, where older values may lie.
    __device__ __forceinline__ std::int64_t read(int i) const { return __ldcg(reinterpret_cast<long long const*>(words) + i); }

    /// Adds value · 2^exponent to the limbs of a fixed_point<Low, …> that begin at word i; exponent ≥ Low. A limb holds
    /// 2^31 additions.
    template <int Low>
    __device__ __noinline__ void add_scaled(int i, int128 value, int exponent) const {
        int const offset = exponent - Low;
        int const first = i + (offset >> 5);
        int const shift = offset & 31;
        uint128 const shifted = static_cast<uint128>(value) << shift;
        add(first, static_cast<std::uint32_t>(shifted));
        add(first + 1, static_cast<std::uint32_t>(shifted >> 32));
        if (static_cast<std::int64_t>(value) == value) {
            add(first + 2, static_cast<std::int64_t>(value >> (64 - shift)));
        } else {
            add(first + 2, static_cast<std::uint32_t>(shifted >> 64));
            add(first + 3, static_cast<std::int64_t>(value >> (96 - shift)));
        }
    }
};

}  // namespace warpfold::device
