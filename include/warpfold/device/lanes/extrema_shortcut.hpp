// A shortcut of extremes: their keys, and positions that fit a word.
#pragma once

#include "../extremes.hpp"
#include "../shortcut.hpp"

namespace warpfold::folds {
template <class T>
struct ordering;
template <class T, bool Indexed>
struct extrema;
}

namespace warpfold::device {

/// The least and the greatest key of items, with their positions where Indexed.
template <class Gather, bool Indexed>
class key_bounds {
    using T = typename Gather::item;
    using order = typename Gather::order;
    using key = typename order::key;
    using wide_key = std::conditional_t<(sizeof(key) < 4), int, key>;

  public:
    static constexpr std::uint32_t nowhere = ~0U;

    __device__ __forceinline__ void take(T x, int at) {
        wide_key const k = Indexed ? order::tie(order::of(x)) : order::of(x);
        if constexpr (Indexed) {
            if (k < low_) low_at_ = static_cast<std::uint32_t>(at);
            if (k > high_) high_at_ = static_cast<std::uint32_t>(at);
        }
        low_ = k < low_ ? k : low_;
        high_ = k > high_ ? k : high_;
    }
    __device__ __forceinline__ void merge_warp() {
        wide_key const low = low_, high = high_;
        low_ = min_warp(low);
        high_ = max_warp(high);
        if constexpr (Indexed) {
            low_at_ = min_warp(low == low_ ? low_at_ : nowhere);
            high_at_ = min_warp(high == high_ ? high_at_ : nowhere);
        }
    }
    __device__ __forceinline__ wide_key low() const { return low_; }
    __device__ __forceinline__ wide_key high() const { return high_; }
    __device__ __forceinline__ std::uint32_t low_at() const { return low_at_; }
    __device__ __forceinline__ std::uint32_t high_at() const { return high_at_; }
    /// There is a NaN: its key lies beyond those of the infinities.
    __device__ __forceinline__ bool has_nan() const {
        if constexpr (!is_float<T>) return false;
        else return low_ < static_cast<key>(~static_cast<key>(infinity_bits<T>)) || high_ > static_cast<key>(infinity_bits<T>);
    }

  private:
    wide_key low_ = highest_of<key>, high_ = lowest_of<key>;
    std::uint32_t low_at_ = nowhere, high_at_ = nowhere;
};

/// The same, without positions, of floats of at most 32 bits, as these lie: as natural numbers, those of negative
/// floats are greater than all others, and grow with the magnitude. An instruction compares two items so, where a key
/// takes two of its own. (H200, minima of 2^12 to 2^20 floats 0.05 to 0.15 µs sooner.)
template <class T>
class bit_bounds {
    using order = folds::ordering<T>;
    using key = typename order::key;
    static constexpr auto positive_infinity = static_cast<key>(infinity_bits<T>), negative_infinity = static_cast<key>(positive_infinity | lowest_of<key>);

  public:
    bit_bounds() = default;
    /// Of items of which these are the least and the greatest as natural numbers, and the greatest as signed ones.
    __device__ __forceinline__ bit_bounds(T least, T greatest, T top)
        : least_{static_cast<unsigned>(int{bits_as<key>(least)})}, greatest_{static_cast<unsigned>(int{bits_as<key>(greatest)})}, top_{bits_as<key>(top)} {}

    __device__ __forceinline__ void take(T x, int) {
        int const bits = bits_as<key>(x);
        auto const natural = static_cast<unsigned>(bits);
        least_ = natural < least_ ? natural : least_;
        greatest_ = natural > greatest_ ? natural : greatest_;
        top_ = bits > top_ ? bits : top_;
    }
    __device__ __forceinline__ void merge_warp() {
        least_ = min_warp(least_);
        greatest_ = max_warp(greatest_);
        top_ = max_warp(top_);
    }
    __device__ __forceinline__ int low() const {
        if (empty()) return highest_of<key>;
        return key_of(static_cast<int>(greatest_) < 0 ? greatest_ : least_);
    }
    __device__ __forceinline__ int high() const {
        if (empty()) return lowest_of<key>;
        return key_of(top_ >= 0 ? static_cast<unsigned>(top_) : least_);
    }
    __device__ __forceinline__ bool has_nan() const {
        return top_ > positive_infinity || greatest_ > static_cast<unsigned>(int{negative_infinity});
    }

  private:
    __device__ __forceinline__ bool empty() const { return least_ > greatest_; }
    __device__ __forceinline__ static int key_of(unsigned bits) { return order::of(bits_as<T>(static_cast<key>(bits))); }

    unsigned least_ = ~0U, greatest_ = 0;
    int top_ = lowest_of<int>;
};

/// What finds extremes of items without their positions.
template <class T>
using bounds_of = std::conditional_t<is_float<T> && sizeof(T) <= 4, bit_bounds<T>, key_bounds<folds::extrema<T, false>, false>>;

/// Of a gather folds::extrema<T, Indexed>.
template <class Gather, bool Indexed>
class extrema_shortcut {
    using T = typename Gather::item;
    using key = typename Gather::order::key;
    using bounds = std::conditional_t<Indexed, key_bounds<Gather, Indexed>, bounds_of<T>>;

  public:
    template <class R>
    static constexpr bool suits = true;
    /// Many where there are places to be found: a lane looks for them when all is read (H200, argmin of 2^22 and 2^24
    /// floats 13.1 and 29.1 µs by lanes, 12.4 and 27.4 by this; H100, 64 and 96 MiB, float64 33.9 and 45.6, 31.7 and
    /// 44.1, int8 49.1 and 61.4, 36.8 and 51.5; but 16-bit floats, whose lane takes two at a time, 33.3 and 45.3, 38.1
    /// and 53.4).
    static constexpr int most_rows = !Indexed ? few_rows : is_float<T> && sizeof(T) == 2 ? 32 : 128;
    static constexpr bool certain = !Indexed;
    static constexpr bool always_sound = !Indexed && is_integer<T>;
    static constexpr int rows_alone = few_rows;

    template <int V>
    __device__ __forceinline__ void take(T const (&x)[V], int at) {
#pragma unroll
        for (int v = 0; v < V; ++v) bounds_.take(x[v], at + v);
    }
    __device__ __forceinline__ void merge_warp() { bounds_.merge_warp(); }
    __device__ __forceinline__ auto state(index_t items) const {
        typename Gather::state s{items, 0, Gather::nowhere, Gather::nowhere, Gather::nowhere, static_cast<key>(bounds_.low()), static_cast<key>(bounds_.high())};
        if constexpr (Indexed) {
            s.min_index = bounds_.low_at();
            s.max_index = bounds_.high_at();
        }
        return s;
    }
    template <class Partial>
    __device__ __forceinline__ Partial partial() const {
        Partial p{};
        p.min = bounds_.low();
        p.max = bounds_.high();
        if constexpr (Indexed) {
            p.at.min = bounds_.low_at();
            p.at.max = bounds_.high_at();
        }
        return p;
    }
    __device__ __forceinline__ bool hopeless() const { return bounds_.has_nan(); }
    /// Nor, with positions, is a place missing, or the sign of a zero not known where it matters.
    template <class Fold>
    __device__ __forceinline__ bool sound() const {
        bool sound = !hopeless();
        if constexpr (is_float<T> && Indexed && !requires { Fold::only_places; }) sound = sound && bounds_.low() != 0 && bounds_.high() != 0;
        if constexpr (Indexed) sound = sound && bounds_.low_at() != bounds::nowhere && bounds_.high_at() != bounds::nowhere;
        return sound;
    }

  private:
    bounds bounds_;
};

}  // namespace warpfold::device
