// A shortcut of sums: a few floats and their squares, added plainly in doubles; doubles, in two.
#pragma once

#include "../shortcut.hpp"
#include "outliers.hpp"
#include "windows.hpp"

namespace warpfold::device {

/// Items of magnitudes up to m, any 36 additions one after the other. Each rounds by 2^-53 of a sum, so the sums are
/// within 2^-47 of n m; four times that is the error that they are given. Two doubles, of 2^15 items at most, are
/// merged in two parts: multiples of 2^-38 p, for p the power of two above m, add up exactly; the rests, 2^-39 p of a
/// thread, go through 8 additions, and with rests of their warps' sums through 8 more, all within 2^-87 of n p. That is
/// 2 m, of squares 4 m², at most, and the sums are given 2^-83 of n m and n m².
template <class T, bool First, bool Second, bool Absolute>
class sums_shortcut {
    static constexpr bool wide = std::is_same_v<widened<T>, double>;

  public:
    using total = std::conditional_t<wide, exact::two_doubles, double>;
    static constexpr double part = wide ? 0x1p-83 : 0x1p-45;  ///< of n m that sums are given

    /// H200, µs by lanes of several blocks and by this: variance of 2^14 and 2^15 floats 6.9, 6.9 and 5.4, 6.5, of 2^13
    /// and 2^14 doubles 8.0, 8.2 and 6.1, 7.6, of 2^16 float16 7.0 and 7.3; norm_l2 of 2^14 and 2^15 floats 6.0, 6.0
    /// and 5.2, 6.3; sum of 2^13 and 2^14 doubles 5.7, 5.8 and 5.25, 6.3.
    static constexpr int rows_alone = First && Second && sizeof(T) > 2 ? 16 : Second || wide ? 8 : few_rows;
    /// H200, by 4 and by 8: sum of 2^9, 2^11, 2^12 and 2^13 doubles 3.95, 4.09, 4.32 and 5.04 µs, 3.89, 4.03, 4.15 and
    /// 4.73.
    static constexpr bool long_warps = wide && !(First && Second);
    /// Results that are doubles need two.
    template <class R>
    static constexpr bool suits = wide || !std::is_same_v<R, double>;

    __device__ static T padding() { return T{}; }
    template <int V>
    __device__ __forceinline__ void take(T const (&x)[V], int) {
        if constexpr (First) first_ = first_ + sum<0, V, false>(x);
        if constexpr (Second) second_ = second_ + sum<0, V, true>(x);
        for (int v = 0; v < V; ++v) {
            auto const magnitude = static_cast<std::uint32_t>(magnitude_bits(widen(x[v])) >> (wide ? 32 : 0));
            most_ = magnitude > most_ ? magnitude : most_;
        }
    }
    __device__ __forceinline__ void merge_warp() {
        most_ = max_warp(most_);
        if constexpr (First) merge_warp(first_, most_, false);
        if constexpr (Second) merge_warp(second_, most_, true);
    }
    /// NaN and infinities make the errors NaN or infinite, and squares that overflow what is rounded off; no result is
    /// decided then. Float16, multiples of 2^-24, add up exactly to 2^29: one in ten of their sums is halfway between
    /// two floats, which an error would leave undecided.
    __device__ __forceinline__ auto state(index_t items) const {
        sums_state<exact::near_sum, exact::near_sum> s{};
        s.items = items;
        // Of floats a power of two: integer operations, which are done before the sums are there.
        double const above = most_ < infinity_bits<float> ? power_of_two(static_cast<int>(most_ >> 23) - 126) : infinity_of<double>;
        double const most = wide ? bits_as<double>(static_cast<std::uint64_t>(most_ + 1) << 32) : above;
        double const error = static_cast<double>(items) * most * part;
        if constexpr (First) s.first = near(first_, std::is_same_v<T, float16> && error <= 0x1p29 * part ? 0 : error);
        if (std::is_same_v<T, float16> && First && s.first.value == 0) s.first.error = 1;  // which of the two zeros, nobody knows
        if constexpr (Second) s.second = near(second_, error * most);
        return s;
    }
    /// Where doubles are small, what is rounded off their squares may be none.
    template <class>
    __device__ __forceinline__ bool sound() const { return !wide || most_ >= (1023U - 450) << 20; }

    /// Of four items, two additions one after the other. (Conversions to double by integer operations, of which four
    /// times as many run at once: no faster.)
    template <int Begin, int End, bool Squares>
    __device__ __forceinline__ static total sum(T const* x) {
        if constexpr (End - Begin > 1) {
            constexpr int middle = (Begin + End) / 2;
            return sum<Begin, middle, Squares>(x) + sum<middle, End, Squares>(x);
        } else {
            double const d = widen(x[Begin]);
            if constexpr (!wide) return Squares ? d * d : Absolute ? fabs(d) : d;
            else if constexpr (!Squares) return {Absolute ? fabs(d) : d, 0};
            else return {exact::rounded_product(d, d), fma(d, d, -exact::rounded_product(d, d))};
        }
    }

    __device__ __forceinline__ static exact::near_sum near(double x, double error) { return {x, error}; }
    __device__ __forceinline__ static exact::near_sum near(exact::two_doubles const& x, double error) { return {x.high, error, x.low}; }
    /// Of items, or their squares, whose largest magnitude has this upper word.
    __device__ __forceinline__ static void merge_warp(double& x, std::uint32_t, bool) { x = device::sum_warp(x); }
    __device__ __forceinline__ static void merge_warp(exact::two_doubles& x, std::uint32_t most, bool squares) {
        double const above = bits_as<double>(static_cast<std::uint64_t>((most | 0xfffffU) + 1) << 32);
        double const magic = (squares ? above * above : above) * 0x1.8p14, high = (x.high + magic) - magic;
        x = {device::sum_warp(high), device::sum_warp((x.high - high) + x.low)};
    }

  private:
    [[no_unique_address]] sum_if<First, total> first_{};
    [[no_unique_address]] sum_if<Second, total> second_{};
    std::uint32_t most_ = 0;  ///< the upper word of the largest magnitude
};

/// A shortcut of the sums of several blocks: floats of 2^-45 to 2^23, those of a thread less than 26 binades apart,
/// added exactly. The sum of a vector is then a double, which goes to two windows (windows.hpp). What these count is
/// cut into the pieces that blocks add up, of windows at Home, by each thread: so all threads of a block, 2^9 at most,
/// add them up in words of 32 bits.
template <bool Absolute, int Home>
class windows_shortcut {
    using totals = window_totals<2>;
    static constexpr int home = -21, step = 47;
    static constexpr std::uint32_t least = (127U - 45) << 23, above = (127U + 23) << 23, range = 26U << 23;
    /// Binades from the unit of a window at Home to that of this one.
    __device__ static constexpr int shift(int w) { return home - Home + w * (window_step - step); }

  public:
    static constexpr int most_rows = 16;
    static constexpr bool certain = true;

    /// Begins with what a barrier gives: else ptxas (CUDA 13.0) moves the barrier behind conversions, which wait for
    /// items.
    __device__ __forceinline__ void begin(std::uint32_t zero) { most_ = zero, fewest_ = zero - 1; }
    /// A thread has at most 65 items, of less than 2^44 units each, and its 17 vectors leave 2^46 units each, at most,
    /// to the second window: all less than 2^51.
    template <int V>
        requires(V <= 4)
    __device__ __forceinline__ void take(float const (&x)[V], int) {
        double const vector = sums_shortcut<float, true, false, Absolute>::template sum<0, V, false>(x);
        double const before = bits_as<double>(bits_[0]), all = before + vector;
        bits_[0] = bits_as<std::uint64_t>(all);
        bits_[1] = bits_as<std::uint64_t>(bits_as<double>(bits_[1]) + (vector - (all - before)));
        signs_ &= static_cast<std::uint32_t>(bits_as<std::uint64_t>(vector) >> 32);
        for (int v = 0; v < V; ++v) {
            std::uint32_t const magnitude = magnitude_bits(x[v]);
            most_ = magnitude > most_ ? magnitude : most_;
            fewest_ = magnitude - 1 < fewest_ ? magnitude - 1 : fewest_;  // 0 is no small item
        }
    }
    /// Adds what a warp has to the block's words, which were zero.
    template <int Warps>
    __device__ __forceinline__ void add_to(std::uint32_t* block) {
        static_assert(Warps <= sum_marks::unit && shift(2) == sum_marks::place);  // signs are raised as a third window's units would be
        int const lane = own_lane();
        std::uint32_t mine = (common_bits(signs_) >> 31) * (sum_marks::unit / Warps);
        for (int i = 0; i < totals::pieces; ++i) {
            int const w = i / 3, k = i % 3, begin = k == 0 ? shift(w) : totals::place(k);
            std::int64_t piece = static_cast<std::int64_t>(bits_[w] - magic(w)) >> (begin - shift(w));
            if (k < 2) piece &= (1 << (totals::place(k + 1) - begin)) - 1;
            auto const sum = static_cast<std::uint32_t>(sum_pieces<1>(piece));
            if (lane == i) mine = sum;
        }
        if (lane <= totals::pieces) atomicAdd(block + lane, mine);
        place_ = lane % 3 == 0 ? shift(lane / 3) : 0;
        raise_ = lane % 3 == 2 ? totals::raise : 0;
    }
    /// The lane's piece of this thread (lane.hpp), once all warps have added what they had.
    __device__ __forceinline__ std::uint64_t piece(std::uint32_t const* block) const {
        auto const sum = static_cast<std::int32_t>(block[threadIdx.x % warp_lanes]);
        return static_cast<std::uint64_t>(std::int64_t{sum} * (std::int64_t{1} << place_) + raise_);
    }
    __device__ __forceinline__ bool hopeless() const { return most_ >= above || fewest_ < least - 1 || fewest_ + range < most_; }

  private:
    __device__ static constexpr std::uint64_t magic(int w) {
        return __builtin_bit_cast(std::uint64_t, 1.5 * power_of_two(52 + home - step * w));
    }

    std::uint64_t bits_[2] = {magic(0), magic(1)};  ///< of the windows
    std::uint32_t signs_ = ~0U;                     ///< of the vectors
    std::uint32_t most_ = 0, fewest_ = ~0U;
    int place_ = 0;  ///< of this thread's piece in its total
    std::int64_t raise_ = 0;
};

}  // namespace warpfold::device
