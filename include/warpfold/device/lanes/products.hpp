// Lanes of products, by what a thread holds: integers' low bits and a float, or the sum of two or three doubles.
#pragma once

#include "../../folds/products.hpp"
#include "../decider.hpp"
#include "few_products.hpp"
#include "outliers.hpp"
#include "windows.hpp"

namespace warpfold::device {

/// The same as a near_product, and known from below, as significand · 2^exponent: it is less than truncations · 2^-127
/// times as much more.
struct product_from_below : near_product {
    uint128 significand;
    uint128 truncations;
};

/// A product of floats: the sum of two doubles, or three where it is Wide, times 2^exponent; exact as long as the last
/// was never anything but zero. Else it has more than 53 bits, Wide more than 96, so that it is no tie of results of
/// 24, or 53 (what is, a decider reads again); and it is wrong by less than 2^-99 of itself for each item, Wide 2^-136.
/// (Products of doubles and their rests: T. J. Dekker, A floating-point technique for extending the available
/// precision, Numer. Math. 18, 1971.)
template <class T, bool Wide>
class float_product {
    /// So many items have an exact product in a double; after so many of these, a product may be too large for one.
    static constexpr int most_at_once = sizeof(T) == 8 ? 1 : sizeof(T) == 4 ? 2 : 4;
    static constexpr int most_groups = sizeof(T) == 8 ? 500 : 1000 / (-exponent_range<T>::low * most_at_once);
    static constexpr int last = Wide ? 2 : 1;
    enum mark : std::uint32_t { nan = 1, infinite = 2, zero = 4, inexact = 8 };

  public:
    /// Of a block by a joint shortcut. (H200, 2^22 doubles: by 32 18.1 µs, by 8 and 16 17.15; Wide by 32 19.7, by 8
    /// 18.8.)
    static constexpr int most_rows = Wide ? 8 : 16;

    /// Together: all lanes of a warp go one way (float_sums.hpp).
    template <bool Together, int U, int V>
    __device__ __forceinline__ void take(T const (&given)[U][V]) {
        float_product next = *this;
        bool const usual = next.multiply_rows(given);
        if (Together ? __all_sync(all_lanes, usual) : usual) {
            *this = next;
            return;
        }
        T x[U * V];
        for (int k = 0; k < U * V; ++k) x[k] = given[k / V][k % V];
#pragma unroll 1  // so that this is there once
        for (int k = 0; k < U * V; ++k) {
            take_any(x[0]);
            move_round<1, U * V>(x);
        }
    }
    __device__ __forceinline__ void merge(float_product const& later) {
        multiply(later);
        normalize();
    }
    /// Of all lanes, in the first.
    __device__ __forceinline__ void merge_warp() {
        index_t const exponent = sum_pieces<2>(exponent_);
        for (int distance = 1; distance < warp_lanes; distance *= 2) {
            float_product later;
            for (int i = 0; i <= last; ++i) later.part_[i] = shuffle_down(part_[i], distance);
            later.marks_ = shuffle_down(marks_, distance);
            multiply(later);
        }
        exponent_ = exponent;
        normalize();
    }
    __device__ __forceinline__ auto state(index_t items) const {
        bool const exact = (marks_ & inexact) == 0, negative = bits_as<std::uint64_t>(part_[0]) >> 63 != 0;
        double const error = exact ? 0 : Wide ? 0x1p-90 : static_cast<double>(items + 2) * 0x1p-97;
        constexpr index_t far = 1 << 20;
        auto const exponent = static_cast<int>(exponent_ < -far ? -far : exponent_ > far ? far : exponent_);
        near_product const known{(marks_ & (infinite | zero)) == 0, items, (marks_ & nan) != 0, (marks_ & infinite) != 0, (marks_ & zero) != 0, part_[0], part_[1], error, exponent, negative};
        if constexpr (Wide) return from_below(known, exact);
        else return known;
    }

  private:
    __device__ __forceinline__ product_from_below from_below(near_product const& known, bool exact) const {
        uint128 significand = static_cast<uint128>(bits_as<std::uint64_t>(part_[0]) << 11 | std::uint64_t{1} << 63) << 64;
        for (int i = 1; i <= last; ++i) {  // at most 2^-53: by units of 2^-114, and of 2^-127
            double const part = (known.negative ? -part_[i] : part_[i]) * 0x1p114;
            auto const units = static_cast<std::int64_t>(part), rest = static_cast<std::int64_t>((part - static_cast<double>(units)) * 0x1p13);
            significand += static_cast<uint128>(static_cast<int128>(units) * (1 << 13) + rest);
        }
        // In units of the significand, which may be as much too small or too large.
        uint128 const error = exact ? 0 : static_cast<uint128>(known.items) / 256 + 4;
        significand -= error;
        bool const small = significand >> 127 == 0;
        product_from_below s{known, significand << small, 2 * error};
        // The same product by another exponent, which head and tail make up for.
        double const scale = power_of_two(127 + small);
        s.head *= scale, s.tail *= scale, s.exponent -= 127 + small;
        return s;
    }
    /// False where an item is zero, infinite, NaN, or a subnormal double; then nothing else is meant.
    template <int U, int V>
    __device__ __forceinline__ bool multiply_rows(T const (&x)[U][V]) {
        constexpr int count = V < most_at_once ? V : most_at_once;
        bool usual = true;
        int exponent = 0;
        std::uint32_t tails = 0;
#pragma unroll
        for (int k = 0; k < U * V; k += count) {
            double factor = widen(x[k / V][k % V]);
            for (int i = 1; i < count; ++i) factor *= widen(x[k / V][k % V + i]);
            if (sizeof(T) == 8) usual = split(factor, exponent) && usual;
            multiply(factor);
            tails |= static_cast<std::uint32_t>(bits_as<std::uint64_t>(part_[last]) >> 32);  // never those of -0
            if ((k / count + 1) % most_groups == 0 || k + count == U * V) usual = normalize(exponent) && usual;
        }
        exponent_ += exponent;
        if (tails != 0) marks_ |= inexact;
        return usual;
    }
    __device__ __forceinline__ void take_any(T x) {
        if (is_nan(x)) {
            marks_ |= nan;
        } else if (is_infinite(x) || magnitude_bits(x) == 0) {
            marks_ |= is_infinite(x) ? infinite : zero;
            if (is_negative(x)) multiply(-1.0);
        } else {
            if constexpr (sizeof(T) == 8)
                if (magnitude_bits(x) >> float_format<T>::significand_bits == 0) {
                    x *= 0x1p60;
                    exponent_ -= 60;
                }
            multiply_rows(reinterpret_cast<T const(&)[1][1]>(x));
        }
    }
    __device__ __forceinline__ void multiply(double factor) {
        double const product = exact::rounded_product(part_[0], factor);
        double rest = fma(part_[0], factor, -product);
        if constexpr (Wide) {
            double const middle = exact::rounded_product(part_[1], factor);
            auto const sum = exact::two_doubles{rest, 0} + exact::two_doubles{middle, fma(part_[1], factor, -middle)};
            part_[1] = sum.high;
            rest = sum.low;
        }
        part_[0] = product;
        part_[last] = fma(part_[last], factor, rest);
    }
    __device__ __forceinline__ void multiply(float_product const& later) {
        double const product = exact::rounded_product(part_[0], later.part_[0]);
        double rest = fma(part_[0], later.part_[0], -product);
        if constexpr (Wide) {
            if (part_[1] != 0 && later.part_[1] != 0) marks_ |= inexact;
            double const one = exact::rounded_product(part_[0], later.part_[1]), other = exact::rounded_product(part_[1], later.part_[0]);
            auto const middle = exact::two_doubles{one, fma(part_[0], later.part_[1], -one)} +
                                exact::two_doubles{other, fma(part_[1], later.part_[0], -other)};
            auto const sum = exact::two_doubles{rest, 0} + middle;
            rest = fma(part_[1], later.part_[1], sum.low);
            part_[1] = sum.high;
        }
        part_[last] = fma(part_[last], later.part_[0], fma(part_[0], later.part_[last], rest));
        part_[0] = product;
        exponent_ += later.exponent_;
        marks_ |= later.marks_ | (part_[last] == 0 ? 0U : inexact);
    }
    __device__ __forceinline__ void normalize() {
        int exponent = 0;
        normalize(exponent);
        exponent_ += exponent;
    }
    /// The head's magnitude to [1, 2), that of each other part to about half a unit of the one before. False where it
    /// is zero, infinite or NaN.
    __device__ __forceinline__ bool normalize(int& exponent) {
        for (int i = 0; i < last; ++i) {
            double const sum = part_[i] + part_[i + 1];
            part_[i + 1] -= sum - part_[i];
            part_[i] = sum;
        }
        int shed = 0;
        bool const usual = split(part_[0], shed);
        for (int i = 1; i <= last; ++i) part_[i] *= power_of_two(-shed);
        exponent += shed;
        return usual;
    }

    double part_[last + 1] = {1};
    index_t exponent_ = 0;
    std::uint32_t marks_ = 0;
};

/// Of several blocks, which take a few rows each.
template <class Product>
class joint_product {
  public:
    static constexpr bool always_sound = true, certain = true;
    static constexpr int most_rows = Product::most_rows;

    template <class T, int V>
    __device__ __forceinline__ void take(T const (&x)[V], int) { product_.template take<false>(reinterpret_cast<T const(&)[1][V]>(x)); }
    __device__ __forceinline__ void merge_warp() { product_.merge_warp(); }
    template <class>
    __device__ __forceinline__ Product partial() const { return product_; }
    __device__ __forceinline__ static bool hopeless() { return false; }

  private:
    Product product_;
};

/// Of items of type T, by what Product holds. Wide: results may be doubles, also of few items.
template <class T, class Product, bool Wide = std::is_same_v<T, double>>
class product_lane {
    using gather = folds::products<T>;

  public:
    using shortcut = few_product<T, Wide>;
    using joint_shortcut = joint_product<Product>;
    using partial = Product;
    static constexpr int spill_words = 0, private_words = 0;
    static constexpr lane_needs needs{.tiles_ahead = true};

    /// 1
    __device__ static T padding() { return one_of<T>(); }
    __device__ __forceinline__ product_lane(gather const&, thread_memory) {}

    template <int U, int V>
    __device__ __forceinline__ void take(T const (&x)[U][V], index_t, index_t, spill_area) { product_.template take<(U > 1)>(x); }
    template <class Input>
    __device__ __forceinline__ partial settle(Input const&, spill_area) { return product_; }
    __device__ __forceinline__ static partial identity(gather const&) { return {}; }
    __device__ __forceinline__ static void merge(gather const&, partial& p, partial const& later) { p.merge(later); }
    __device__ __forceinline__ static void merge_warp(gather const&, partial& p) { p.merge_warp(); }
    __device__ static bool fits(partial const&) { return true; }
    __device__ static auto brief(gather const&, partial const& p, index_t items, spill_area) { return p.state(items); }
    __device__ static auto full(gather const&, partial const& p, index_t items, spill_area) { return p.state(items); }

  private:
    Product product_;
};

/// For results of any type.
template <class T>
using any_product = std::conditional_t<is_float<T>, float_product<T, true>, integer_product<T>>;
template <class T>
class lane<folds::products<T>> : public product_lane<T, any_product<T>> {
    using product_lane<T, any_product<T>>::product_lane;
};
/// Alone, by two doubles, which decide nearly all results.
template <class T, fold_options Options>
    requires is_float<T>
struct lane_of<folds::product<T, Options>>
    : std::type_identity<product_lane<T, float_product<T, false>, std::is_same_v<folds::result_float<T, Options>, double>>> {
    using deciding = lane<folds::products<T>>;
    using decider = decider_by<deciding>;
};

}  // namespace warpfold::device
