// A shortcut of extremes: their keys, and positions that fit a word.
#pragma once

#include "../extremes.hpp"
#include "../shortcut.hpp"

namespace warpfold::device {

/// Of a gather folds::extrema<T, Indexed>.
template <class Gather, bool Indexed>
class extrema_shortcut {
    using T = typename Gather::item;
    using order = typename Gather::order;
    using key = typename order::key;
    using wide_key = std::conditional_t<(sizeof(key) < 4), int, key>;
    static constexpr std::uint32_t nowhere = ~0U;

  public:
    template <class R>
    static constexpr bool suits = true;
    /// Many where there are places to be found: a lane looks for them when all is read (H200, argmin of 2^22 and 2^24 floats 13.1 and
    /// 29.1 µs by lanes, 12.4 and 27.4 by this).
    static constexpr int most_rows = Indexed ? 32 : few_rows;
    static constexpr bool certain = !Indexed;

    template <int V>
    __device__ __forceinline__ void take(T const (&x)[V], int at) {
#pragma unroll
        for (int v = 0; v < V; ++v) {
            wide_key const k = Indexed ? order::tie(order::of(x[v])) : order::of(x[v]);
            if constexpr (Indexed) {
                if (k < min_) min_at_ = static_cast<std::uint32_t>(at + v);
                if (k > max_) max_at_ = static_cast<std::uint32_t>(at + v);
            }
            min_ = k < min_ ? k : min_;
            max_ = k > max_ ? k : max_;
        }
    }
    __device__ __forceinline__ void merge_warp() {
        wide_key const min = min_, max = max_;
        min_ = min_warp(min);
        max_ = max_warp(max);
        if constexpr (Indexed) {
            min_at_ = min_warp(min == min_ ? min_at_ : nowhere);
            max_at_ = min_warp(max == max_ ? max_at_ : nowhere);
        }
    }
    __device__ __forceinline__ auto state(index_t items) const {
        return typename Gather::state{items, 0, Gather::nowhere, min_at_, max_at_, static_cast<key>(min_), static_cast<key>(max_)};
    }
    template <class Partial>
    __device__ __forceinline__ Partial partial() const {
        Partial p{};
        p.min = min_;
        p.max = max_;
        if constexpr (Indexed) {
            p.at.min = min_at_;
            p.at.max = max_at_;
        }
        return p;
    }
    /// There is a NaN: its key lies beyond those of the infinities.
    __device__ __forceinline__ bool hopeless() const {
        if constexpr (!is_float<T>) return false;
        else return min_ < static_cast<key>(~static_cast<key>(infinity_bits<T>)) || max_ > static_cast<key>(infinity_bits<T>);
    }
    /// Nor, with positions, is a place missing, or the sign of a zero not known where it matters.
    template <class Fold>
    __device__ __forceinline__ bool sound() const {
        bool sound = !hopeless();
        if constexpr (is_float<T> && Indexed && !requires { Fold::only_places; }) sound = sound && min_ != 0 && max_ != 0;
        return sound && (!Indexed || (min_at_ != nowhere && max_at_ != nowhere));
    }

  private:
    wide_key min_ = highest_of<key>, max_ = lowest_of<key>;
    std::uint32_t min_at_ = nowhere, max_at_ = nowhere;
};

}  // namespace warpfold::device
