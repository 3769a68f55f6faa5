// A shortcut of sums: a few floats and their squares, added plainly in doubles.
#pragma once

#include "../../exact/round_near.hpp"
#include "outliers.hpp"

namespace warpfold::device {

/// At most 2^14 items, any 17 additions one after the other. Each rounds by 2^-53 of a sum, so the sums are within 2^-48 of
/// n items as large as the largest; four times that is the error that they are given.
template <class T, bool First, bool Second, bool Absolute>
class sums_shortcut {
  public:
    /// Doubles are too fine for it, as items and as results: those of doubles are doubles.
    template <class R>
    static constexpr bool suits = !std::is_same_v<R, double>;

    template <int V>
    __device__ __forceinline__ void take(T const (&x)[V], int) {
        if constexpr (First) first_ += sum<0, V, false>(x);
        if constexpr (Second) second_ += sum<0, V, true>(x);
#pragma unroll
        for (int v = 0; v < V; ++v) {
            auto const magnitude = magnitude_bits(widen(x[v]));
            most_ = magnitude > most_ ? magnitude : most_;
        }
    }
    template <int Lanes>
    __device__ __forceinline__ void merge_warp() {
#pragma unroll
        for (int distance = Lanes / 2; distance > 0; distance /= 2) {
            if constexpr (First) first_ += __shfl_xor_sync(all_lanes, first_, distance);
            if constexpr (Second) second_ += __shfl_xor_sync(all_lanes, second_, distance);
        }
        most_ = max_warp(most_);
    }
    /// NaN and infinities make the errors NaN or infinite; no result is decided then.
    __device__ __forceinline__ auto state(index_t items) const {
        double const most = bits_as<float>(most_), error = static_cast<double>(items) * most * 0x1p-46;
        sums_state<exact::near_sum, exact::near_sum> s{};
        s.items = items;
        s.first = {first_, error};
        s.second = {second_, error * most};
        return s;
    }
    __device__ __forceinline__ static bool sound() { return true; }

  private:
    /// Of four items, two additions one after the other. (Conversions to double by integer operations, of which four times as
    /// many run at once: no faster.)
    template <int Begin, int End, bool Squares>
    __device__ __forceinline__ static double sum(T const* x) {
        if constexpr (End - Begin > 1) {
            constexpr int middle = (Begin + End) / 2;
            return sum<Begin, middle, Squares>(x) + sum<middle, End, Squares>(x);
        } else {
            double const d = widen(x[Begin]);
            return Squares ? d * d : Absolute ? fabs(d) : d;
        }
    }

    double first_ = 0, second_ = 0;
    std::uint32_t most_ = 0;  ///< the bits of the largest magnitude
};

}  // namespace warpfold::device
