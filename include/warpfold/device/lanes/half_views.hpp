// What lanes of sums ask of float16 and bfloat16.
#pragma once

#include "../../half.hpp"
#include "../halves.hpp"
#include "float_squares.hpp"

namespace warpfold::device {

template <class T>
concept half_float = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;

/// Every float16 fits the fast windows of sums; of bfloat16, 0 and 2^-30 … 2^11.
template <half_float T>
struct item_view<T> {
    using format = float_format<T>;
    static constexpr bool all_fit = std::is_same_v<T, float16>;
    static constexpr int key_bits = format::significand_bits, home = all_fit ? -32 : -37, group = 8;

    /// A finite item. Its bits are those of a double's upper word, but for the bias, which a product puts right, also
    /// of subnormals. (A multiprocessor begins 16 conversions a cycle, and 64 of each of these instructions.)
    __device__ __forceinline__ static double exact(T x) {
        constexpr std::uint32_t magnitude = ((1U << (format::exponent_bits + key_bits)) - 1) << (20 - key_bits);
        std::int32_t const upper = static_cast<std::int32_t>(high_word(x)) >> (11 - format::exponent_bits);
        auto const bits = static_cast<std::uint64_t>(static_cast<std::uint32_t>(upper) & (0x80000000U | magnitude));
        return bits_as<double>(bits << 32) * power_of_two(1024 - (1 << (format::exponent_bits - 1)));
    }
    __device__ __forceinline__ static std::uint32_t high_word(T x) { return static_cast<std::uint32_t>(x.bits) << 16; }
    __device__ __forceinline__ static std::uint32_t key(T x) { return magnitude_bits(x); }
    template <bool Signs, int K>
    __device__ __forceinline__ static outline look(T const (&x)[K], std::uint32_t signs) {
        std::uint32_t all = ~0U, most = 0, fewest = ~0U;
#pragma unroll
        for (int k = 0; k < K; k += 2) {
            std::uint32_t const two = two_halves(x, k, 0x8000), magnitudes = two & half_magnitudes;
            all &= two;
            most = max_signed_halves(most, magnitudes);
            fewest = min_of_decremented_halves(magnitudes, fewest);
        }
        return {Signs ? signs & all & (all << 16) : signs, max_signed_halves(most, most >> 16) & 0xffffU, lesser_half(fewest)};
    }
};

template <half_float T>
struct squares_of<item_view<T>> : squares_by_ones<true> {
    using view = item_view<T>;

    /// Squares of a vector whose items' exponents are at most 24 - key_bits apart have 53 bits together, and add up
    /// exactly: in 1.5 operations an item, where one by one they take 4.
    template <class Windows, int K>
    __device__ __forceinline__ static void add(Windows& to, double const (&x)[K], outline const& o) {
        constexpr int each = K % view::group == 0 ? view::group : 1;
        if (o.most <= o.fewest + (std::uint32_t{24 - view::key_bits} << view::key_bits)) {
            double v[1][K / each] = {};
#pragma unroll
            for (int k = 0; k < K; ++k) v[0][k / each] = fma(x[k], x[k], v[0][k / each]);
            to.template add<false, 1>(v);
        } else {
            squares_by_ones<true>::template add_each<false>(to, x);
        }
    }
};

}  // namespace warpfold::device
