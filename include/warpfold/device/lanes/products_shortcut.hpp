// A shortcut of sums of few products, or of squares of differences: products of floats added plainly in doubles; of
// doubles, in two.
#pragma once

#include "sums_shortcut.hpp"

namespace warpfold::device {

/// The state that a fold of products finishes.
template <class Sum>
struct products_state {
    index_t items;
    folds::exceptions special;
    bool only_negative_zeros;
    Sum sum;
};

/// Doubles as in sums_shortcut. Of floats, the terms of a thread, 65 at most, are added one after the other, and each
/// may be rounded three times: so their sums are within 2^-46 of n m, m being the largest term, and are given 2^-45.
template <class T, bool Distance>
class products_shortcut {
    using sums = sums_shortcut<T, true, false, false>;
    using total = typename sums::total;
    static constexpr bool wide = std::is_same_v<total, exact::two_doubles>;

  public:
    /// H200, dot of 2^14 pairs of floats and 2^13 of doubles 5.9 and 6.5 µs by lanes, 5.6 and 5.7 so; of 2^15 float16
    /// 5.8 and 6.9.
    static constexpr int rows_alone = sizeof(T) > 2 ? 8 : few_rows;
    template <class R>
    static constexpr bool suits = sums::template suits<R>;

    __device__ static pair<T, T> padding() { return {}; }
    template <int V>
    __device__ __forceinline__ void take(pair<T, T> const (&x)[V], int) {
        for (int v = 0; v < V; ++v) {
            double const a = widen(x[v].first), b = widen(x[v].second), left = Distance ? a - b : a, right = Distance ? left : b;
            double const product = exact::rounded_product(left, right);
            if constexpr (wide) {
                // What the difference rounds off, by two_doubles.
                double const rest = Distance ? 2 * left * (exact::two_doubles{a, 0} + exact::two_doubles{-b, 0}).low : 0;
                sum_ = sum_ + total{product, fma(left, right, -product) + rest};
            } else {
                sum_ += product;
            }
            auto const magnitude = static_cast<std::uint32_t>(magnitude_bits(product) >> 32);
            most_ = magnitude > most_ ? magnitude : most_;
        }
    }
    __device__ __forceinline__ void merge_warp() {
        most_ = max_warp(most_);
        sums::merge_warp(sum_, most_, false);
    }
    __device__ __forceinline__ auto state(index_t items) const {
        constexpr std::uint32_t least = 100 << 20;  // leaves an error where all products are zero
        double const most = bits_as<double>(static_cast<std::uint64_t>((most_ > least ? most_ : least) + 1) << 32);
        return products_state<exact::near_sum>{items, {}, false, sums::near(sum_, static_cast<double>(items) * most * sums::part)};
    }
    /// Where products are small, what is rounded off them may be none.
    template <class>
    __device__ __forceinline__ bool sound() const { return !wide || most_ >= (1023U - 900) << 20; }

  private:
    total sum_{};
    std::uint32_t most_ = 0;  ///< the upper word of the largest magnitude
};

}  // namespace warpfold::device
