// What a thread holds of a product of integers: its low bits, and a float.
#pragma once

#include "../warp.hpp"

namespace warpfold::folds {
template <class T>
struct products;  // folds/products.hpp, which ends by including this
}  // namespace warpfold::folds

namespace warpfold::device {

/// The low 32 bits of what fits a word of 32, signed where T is, in 64.
template <class T>
__device__ __forceinline__ std::uint64_t extend(std::uint32_t low) {
    asm("" : "+r"(low));  // else nvcc 13.0 extends the factors, and multiplies them in 64 bits: bytes at half the speed
    return std::is_signed_v<T> ? static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(low))) : low;
}
template <class T>
__device__ __forceinline__ std::uint64_t extend(std::uint64_t low) { return low; }
/// The low 64 bits of a product of integers; of as few as have a product of 32 bits, these.
template <int Count, class T>
__device__ __forceinline__ auto multiply_low(T const* x) {
    if constexpr (Count > 1) {
        auto const one = multiply_low<Count / 2>(x), other = multiply_low<Count / 2>(x + Count / 2);
        if constexpr (Count * sizeof(T) <= 4) return one * other;
        else return extend<T>(one) * extend<T>(other);
    } else {
        return static_cast<std::conditional_t<(sizeof(T) < 8), std::uint32_t, std::uint64_t>>(*x);
    }
}
/// The whole, by floats or doubles.
template <class Float, int Count, class T>
__device__ __forceinline__ Float multiply_near(T const* x) {
    if constexpr (Count == 1) return static_cast<Float>(*x);
    else if constexpr (Count * sizeof(T) > 4) return multiply_near<Float, Count / 2>(x) * multiply_near<Float, Count / 2>(x + Count / 2);
    else return static_cast<Float>(static_cast<std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>>(multiply_low<Count>(x)));
}

/// The product of integers: its low 64 bits, and a float, which tells its sign and whether 64 bits hold it. Integers but
/// 1 and −1, which change a float's sign alone, double a product at least: 64 of them round it up to 128 times, by
/// 2^-17 of itself in all, before it is past 2^64, and none makes it less again. Only next to 2^64 the low bits have to
/// tell on which side it is.
template <class T>
class integer_product {
    using state_type = typename folds::products<T>::state;

  public:
    static constexpr int most_rows = 32;

    template <bool Together, int U, int V>
    __device__ __forceinline__ void take(T const (&x)[U][V]) {
#pragma unroll
        for (int u = 0; u < U; ++u) multiply(extend<T>(multiply_low<V>(x[u])), multiply_near<float, V>(x[u]));
    }
    __device__ __forceinline__ void merge(integer_product const& later) { multiply(later.low_, later.near_); }
    /// Of all lanes, in the first.
    __device__ __forceinline__ void merge_warp() {
        for (int distance = 1; distance < warp_lanes; distance *= 2) multiply(shuffle_down(low_, distance), shuffle_down(near_, distance));
    }
    __device__ __forceinline__ state_type state(index_t items) const {
        float const magnitude = fabsf(near_);
        bool const negative = near_ < 0;
        std::uint64_t const low = negative ? 0 - low_ : low_;
        bool const too_large = magnitude > 0x1.4p64F || (magnitude > 0x1.8p63F && low >> 63 == 0);
        return {items, !(magnitude > 0), low, too_large, negative};
    }

  private:
    __device__ __forceinline__ void multiply(std::uint64_t low, float near) {
        low_ *= low;
        near_ *= near;
    }

    std::uint64_t low_ = 1;
    float near_ = 1;  ///< 0, or NaN where it was infinite before, once an item was 0
};

}  // namespace warpfold::device
