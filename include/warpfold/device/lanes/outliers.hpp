// What windows do not hold: NaN, infinities and floats of any exponent.
#pragma once

#include "windows.hpp"

namespace warpfold::device {

/// A float16 or bfloat16 as float; others as they are.
template <class T>
using widened = std::conditional_t<std::is_same_v<T, double>, double, float>;
template <class T>
__device__ __forceinline__ widened<T> widen(T x) { return static_cast<widened<T>>(x); }

/// NaN and infinities: a thread's, and those of all in the first words of the spill area.
class special_counts {
  public:
    static constexpr int words = 3;

    /// x is NaN or infinite. A thread counts 2^32 NaN: more than memory holds.
    template <class T>
    __device__ __forceinline__ void add(T x, bool absolute) {
        if (is_nan(x)) ++nans_;
        else infinities_ |= is_negative(x) && !absolute ? 2U : 1U;
    }
    /// Adds those of a warp to the spill area; its threads call it together. `spilled` becomes true where there are
    /// any.
    __device__ __forceinline__ void settle(spill_area area, bool& spilled) const {
        if (!__any_sync(all_lanes, (nans_ | infinities_) != 0)) return;
        spilled = true;
        auto const nans = sum_pieces<2>(std::int64_t{nans_});
        std::uint32_t const infinities = ~common_bits(~infinities_);
        if (int const lane = own_lane(); lane < words) area.add(lane, lane == 0 ? nans : infinities >> (lane - 1) & 1U);
    }
    __device__ static folds::exceptions read(spill_area area) { return {area.read(0), area.read(1), area.read(2)}; }

  private:
    std::uint32_t nans_ = 0, infinities_ = 0;
};

/// Reads what was spilled, from word `first` on, into an accumulator.
template <class Accumulator>
__device__ void read_limbs(spill_area area, int first, Accumulator& result) {
#pragma unroll Accumulator::at_once
    for (int i = 0; i < Accumulator::limbs; ++i) result.limb[i] = area.read(first + i);
    result.carry();
}

/// A sum and, if something was spilled, from word `first` on, of an accumulator, that: a warp then calls it, and its
/// first thread has the result, of which the error is infinite where limbs lie beyond doubles.
template <class Accumulator>
__device__ __forceinline__ exact::near_sum near_of(exact::near_sum const& s, spill_area area, int first, bool spilled) {
    if (!spilled) return s;
    exact::near_sum all{};
    for (int begin = 0; begin < Accumulator::limbs; begin += warp_lanes) {
        int const i = begin + static_cast<int>(threadIdx.x), exponent = Accumulator::low + 32 * i;
        std::int64_t const limb = i < Accumulator::limbs ? area.read(first + i) : 0, low = static_cast<std::int32_t>(limb);
        double const unit = exponent > -900 && exponent < 900 ? power_of_two(exponent) : infinity_of<double>;
        if (limb != 0) all = all + near_part(static_cast<double>(limb - low) * unit, 0x1p-94) + near_part(static_cast<double>(low) * unit, 0x1p-94);
    }
    merge_warp(all, [](auto& a, auto const& b) { a = a + b; });
    return s + all;
}

/// Bins of 16 binades in shared memory, private to a thread: they hold every finite float, 2^23 of them.
template <int Limbs>
class exponent_bins {
  public:
    static constexpr int bins = 16, binades = 16;

    __device__ explicit exponent_bins(thread_memory memory) : memory_{memory} {}

    /// Items, which are finite, or their magnitudes.
    template <class T, int K>
    __device__ __forceinline__ void add(T const (&x)[K], bool absolute) {
        if (!used_) {
            for (int b = 0; b < bins; ++b) memory_.word(b) = 0;
            used_ = true;
        }
        for (int k = 0; k < K; ++k) {
            auto const bits = bits_as<std::uint32_t>(widen(x[k])), magnitude = bits & 0x7fffffffU;
            int const below = static_cast<int>(magnitude >> 23) - 1, place = below > 0 ? below : 0;
            auto const significand = static_cast<std::int32_t>(magnitude - (static_cast<std::uint32_t>(place) << 23));
            int const factor = (static_cast<int>(absolute ? magnitude : bits) >> 31 | 1) * (1 << (place % binades));
            memory_.word(place / binades) += static_cast<std::int64_t>(significand) * factor;
        }
    }
    /// Offers each bin and its exponent to `keep`, and spills what it does not take; which bins it takes depends on the
    /// exponent alone. All threads of a warp call it together.
    template <int Low, class Keep>
    __device__ __forceinline__ void settle(Keep const& keep, spill_area area, bool& spilled) {
        if (!__any_sync(all_lanes, used_)) return;
#pragma unroll 1
        for (int b = 0; b < bins; ++b) {
            std::int64_t const mine = used_ ? memory_.word(b) : 0;
            if (!keep(exponent_of(b), mine)) spilled = spilled || mine != 0;
            else if (used_) memory_.word(b) = 0;
        }
        if (!__any_sync(all_lanes, spilled)) return;
        int const lane = own_lane();
        std::int64_t low = 0, high = 0;  // of the bin that the lane spills, so that a warp spills all at once
#pragma unroll 1
        for (int b = 0; b < bins; ++b) {
            std::int64_t const mine = used_ ? memory_.word(b) : 0;
            if (!__any_sync(all_lanes, mine != 0)) continue;
            std::int64_t const lower = sum_pieces<2>(mine & 0xffffffff), upper = sum_pieces<2>(mine >> 32);
            if (lane == b) low = lower, high = upper;
        }
        if (low != 0) area.template add_scaled<Low, 38>(Limbs, low, exponent_of(lane));
        if (high != 0) area.template add_scaled<Low, 38>(Limbs, high, exponent_of(lane) + 32);
    }

  private:
    __host__ __device__ static constexpr int exponent_of(int bin) { return exponent_range<float>::low + binades * bin; }

    thread_memory memory_;
    bool used_ = false;
};

}  // namespace warpfold::device
