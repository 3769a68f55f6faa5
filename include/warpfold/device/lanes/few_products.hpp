// A shortcut of products: few floats by a double or two, few integers by a double.
#pragma once

#include "../../exact/round_near.hpp"
#include "../shortcut.hpp"
#include "integer_products.hpp"
#include "outliers.hpp"
#include "windows.hpp"

namespace warpfold::device {

/// What a fold finishes of a product of floats: (head + tail) · 2^exponent, known within `error` of itself, and exactly
/// where that is 0. Exponents end at ±2^20, far outside every format. Usual: without infinities and zeros.
struct near_product {
    bool usual;
    index_t items, nans, infinities, zeros;
    double head, tail, error;
    int exponent;
    bool negative;
};

/// 1, an item that changes no product.
template <class T>
__device__ T one_of() {
    if constexpr (is_float<T>) {
        using format = float_format<T>;
        return bits_as<T>(static_cast<typename format::bits>(((std::uint64_t{1} << (format::exponent_bits - 1)) - 1) << format::significand_bits));
    } else {
        return T{1};
    }
}

__device__ __forceinline__ std::uint32_t upper_word(double x) { return static_cast<std::uint32_t>(bits_as<std::uint64_t>(x) >> 32); }
__device__ __forceinline__ bool is_normal(double x) { return (upper_word(x) & 0x7ff00000U) - 0x00100000U < 0x7fe00000U; }
/// A normal double to [1, 2), its sign kept; its exponent is added. False where it is not normal.
__device__ __forceinline__ bool split(double& x, int& exponent) {
    bool const normal = is_normal(x);
    exponent += static_cast<int>(upper_word(x) >> 20 & 0x7ffU) - 1023;
    x = bits_as<double>(static_cast<std::uint64_t>((upper_word(x) & 0x800fffffU) | 0x3ff00000U) << 32 | static_cast<std::uint32_t>(bits_as<std::uint64_t>(x)));
    return normal;
}

/// What one block makes of a few floats, 2^15 at most: a double, or, Wide, for results that are doubles, head and tail,
/// times 2^exponent. The roundings of a double, 64 one after the other, are within 2^-47 of the product; those of a
/// tail, which is less than 2^-53 of the head for each item, and the products of two tails within 2^-76: 2^-45 and
/// 2^-73 are what results are given. Zeros, infinities and NaN make the head what IEEE 754 says.
template <class T, bool Wide>
class few_product {
    /// So many items have a product that is a normal double, Wide an exact one; doubles may be subnormal.
    static constexpr int most_at_once = sizeof(T) == 8 ? 1 : Wide && sizeof(T) == 4 ? 2 : 4;

  public:
    /// H200, 2^14 floats, 2^13 doubles and 2^15 float16 by lanes of several blocks 5.95, 5.95 and 6.05 µs, so 5.2, 5.5 and
    /// 5.5; 2^15 floats by 16 rows 6.3 instead of 6.1.
    static constexpr int rows_alone = 8;
    /// H200, doubles by 4 and by 8: 2^9, 2^12 and 2^13 4.08, 4.51 and 5.14 µs, 3.93, 4.49 and 4.75. Floats 0.3 to 0.5 later.
    static constexpr bool long_warps = sizeof(T) == 8;
    template <class R>
    static constexpr bool suits = Wide || !std::is_same_v<R, double>;

    __device__ static T padding() { return one_of<T>(); }
    template <int V>
    __device__ __forceinline__ void take(T const (&x)[V], int) {
        constexpr int count = V < most_at_once ? V : most_at_once;
        for (int v = 0; v < V; v += count) {
            double factor{product<count>(x + v)};
            if constexpr (sizeof(T) == 8) {
                bool const tiny = magnitude_bits(factor) >> 52 == 0;
                factor *= tiny ? 0x1p60 : 1;
                exponent_ -= tiny ? 60 : 0;
            }
            double const given = factor;
            multiply(split(factor, exponent_) ? factor : given);
        }
    }
    /// Doubles of several rows. Where all are from 2^-31 to 2^32, so that a thread's product and its tail are normal
    /// doubles, no exponent is taken away. (H200, 2^11, 2^12 and 2^13 doubles 4.36, 4.73 and 5.35 µs, so 4.31, 4.55 and
    /// 5.24.)
    template <int U, int V>
        requires(sizeof(T) == 8 && V * rows_alone <= 16)  // of maps to doubles vectors may be longer
    __device__ __forceinline__ void take_rows(T const (&x)[U][V]) {
        std::uint32_t apart = 0;
        several<U * V> given;
        for (int k = 0; k < U * V; ++k) {
            given.x[k] = x[k / V][k % V];
            apart |= upper_word(given.x[k]) - (0x3e0U << 20);
        }
        if (apart & 0x7c000000U) *this = take_apart(*this, given);
        else
            for (double factor : given.x) multiply(factor);
    }
    /// The head of a thread to [1, 2), so that those of a block have a product.
    __device__ __forceinline__ void merge_warp() {
        normalize();
        exponent_ = static_cast<int>(sum_pieces<1>(std::int64_t{exponent_}));
        for (int distance = 1; distance < warp_lanes; distance *= 2) multiply(exchanged(distance));
        if constexpr (Wide) tail_ = __shfl_sync(all_lanes, tail_, 0);  // others rounded in another order
    }
    /// Of a block's warps, whose heads are less than 2^32: each lane reads four, and of more than four warps what four
    /// lanes read, side by side at a time, comes together by one exchange. (H200: by exchanges alone 0.06 to 0.12 µs later of
    /// two and four warps, 0.0 to 0.07 of eight, 0.1 sooner of 2^13 doubles, sixteen.)
    template <int Warps>
    __device__ __forceinline__ void merge_stored(stored<few_product> const (&memory)[Warps], int warps) {
        static_assert(Warps == 16, "four lanes read four each");
        bool const more = warps > 4;
        int const first = more ? own_lane() % 4 : 0, step = more ? 4 : 1;
        few_product part[4];
        for (int i = 0; i < 4; ++i) part[i] = memory[first + i * step].get();
        *this = of_four(part);
        if (!more) return;
        exponent_ = static_cast<int>(sum_pieces<1>(std::int64_t{exponent_})) / 8;  // of lanes that read the same
        for (int i = 0; i < 4; ++i) part[i] = i == 0 ? *this : exchanged(i);
        *this = of_four(part);
        if constexpr (Wide) tail_ = __shfl_sync(all_lanes, tail_, 0);
    }
    __device__ __forceinline__ near_product state(index_t items) const {
        // What is not usual says so, else compilers look for NaN and infinities among what is, too.
        bool const usual = is_normal(head_), nan = !usual && is_nan(head_);
        int const exponent = nan ? -1024 : exponent_;  // undecided where NaN are skipped
        return {usual, items, nan, !usual && is_infinite(head_), head_ == 0, head_, Wide ? tail_ : 0, Wide ? 0x1p-73 : 0x1p-45, exponent, is_negative(head_)};
    }
    template <class>
    __device__ __forceinline__ static bool sound() { return true; }

  private:
    template <int Count>
    struct several { T x[Count]; };
    /// Out of line, so that nothing has to jump over it, and by value, so that all is in registers (H200: 0.06 µs).
    template <int Count>
    __device__ __noinline__ static few_product take_apart(few_product product, several<Count> given) {
        product.take(given.x, 0);
        return product;
    }
    /// Of two float16 a float, which is exact too: half of the conversions to double, of which few run at once.
    template <int Count>
    __device__ __forceinline__ static auto product(T const* x) {
        if constexpr (Count == 1) {
            return widen(*x);
        } else {
            using factor = std::conditional_t<std::is_same_v<T, float16> && Count == 2, float, double>;
            return factor{product<Count / 2>(x)} * factor{product<Count / 2>(x + Count / 2)};
        }
    }
    __device__ __forceinline__ void multiply(double factor) {
        double const product = exact::rounded_product(head_, factor);
        if constexpr (Wide) tail_ = fma(tail_, factor, fma(head_, factor, -product));
        head_ = product;
    }
    __device__ __forceinline__ void multiply(few_product const& other) {
        double const before = head_;
        multiply(other.head_);
        if constexpr (Wide) tail_ = fma(before, other.tail_, tail_);
        exponent_ += other.exponent_;
    }
    __device__ __forceinline__ static few_product of_four(few_product (&part)[4]) {
        part[0].multiply(part[1]);
        part[2].multiply(part[3]);
        part[0].multiply(part[2]);
        return part[0];
    }
    /// What another lane has, but for its exponent.
    __device__ __forceinline__ few_product exchanged(int distance) const {
        few_product other;
        other.head_ = __shfl_xor_sync(all_lanes, head_, distance);
        if constexpr (Wide) other.tail_ = __shfl_xor_sync(all_lanes, tail_, distance);
        return other;
    }
    __device__ __forceinline__ void normalize() {
        double const sum = Wide ? head_ + tail_ : head_;
        double head = sum;
        int shed = 0;
        if (!split(head, shed)) return;
        if constexpr (Wide) tail_ = (tail_ - (sum - head_)) * power_of_two(-shed);
        head_ = head;
        exponent_ += shed;
    }

    double head_ = 1;
    std::conditional_t<Wide, double, float> tail_ = 0;  ///< where Wide
    int exponent_ = 0;
};

/// Of integers, a double. Below 2^53 it is their product, for none but 0 makes that less; what is past 2^64 by more than
/// roundings is too large; of what lies between, nothing is known.
template <class T, bool Wide>
    requires is_integer<T>
class few_product<T, Wide> {
  public:
    static constexpr int rows_alone = few_rows;
    template <class>
    static constexpr bool suits = true;

    __device__ static T padding() { return one_of<T>(); }
    template <int V>
    __device__ __forceinline__ void take(T const (&x)[V], int) { product_ *= multiply_near<double, V>(x); }
    __device__ __forceinline__ void merge_warp() {
        for (int distance = 1; distance < warp_lanes; distance *= 2) product_ *= __shfl_xor_sync(all_lanes, product_, distance);
    }
    __device__ __forceinline__ auto state(index_t items) const {
        double const magnitude = fabs(product_);  // NaN: infinite before, but times 0
        bool const fits = magnitude < 0x1p53;
        return typename folds::products<T>::state{items, !(magnitude > 0), fits ? static_cast<std::uint64_t>(magnitude) : 0, !fits, product_ < 0};
    }
    template <class>
    __device__ __forceinline__ bool sound() const { return !(fabs(product_) >= 0x1p53 && fabs(product_) < 0x1.1p64); }

  private:
    double product_ = 1;
};

}  // namespace warpfold::device
