// Lanes of products of items, and their shortcuts. Items are multiplied exactly as long as they fit a word of 64 bits, and
// what these words are goes to the gather's state, one multiplication of 128 bits for each.
#pragma once

#include "../../folds/products.hpp"
#include "../shortcut.hpp"
#include "windows.hpp"

namespace warpfold::device {

/// Bits of an item's magnitude, or of its significand.
template <class T>
inline constexpr int factor_bits = is_float<T> ? float_format<T>::significand_bits + 1 : 8 * static_cast<int>(sizeof(T));
/// How many of V items, a power of two, are multiplied in a word.
template <class T, int V>
inline constexpr int factors_at_once = [] {
    int at_once = 1;
    while (2 * at_once <= V && 2 * at_once * factor_bits<T> <= 64) at_once *= 2;
    return at_once;
}();

/// The product of Count magnitudes, or of significands of normal floats, in as short a word as holds it.
template <int Count, class T>
__device__ __forceinline__ auto multiply_factors(T const* x) {
    using word = std::conditional_t<(Count * factor_bits<T> <= 32), std::uint32_t, std::uint64_t>;
    if constexpr (Count == 2 && is_float<T> && sizeof(T) == 2) {
        constexpr std::uint32_t hidden = 0x10001U << float_format<T>::significand_bits;
        std::uint32_t two;
        std::memcpy(&two, x, 4);
        two = (two & (hidden - 0x10001U)) | hidden;
        return (two & 0xffffU) * (two >> 16);
    } else if constexpr (Count > 1) {
        return static_cast<word>(static_cast<word>(multiply_factors<Count / 2>(x)) * multiply_factors<Count / 2>(x + Count / 2));
    } else if constexpr (is_float<T>) {
        constexpr word hidden = word{1} << float_format<T>::significand_bits;
        return static_cast<word>((bits_as<typename float_format<T>::bits>(*x) & (hidden - 1)) | hidden);
    } else {
        return static_cast<word>(folds::magnitude_of(*x));
    }
}

/// A word whose top bit is the sign.
template <class T>
__device__ __forceinline__ std::uint32_t sign_word(T x) {
    if constexpr (is_float<T>) return static_cast<std::uint32_t>(std::uint64_t{bits_as<typename float_format<T>::bits>(x)} << (64 - 8 * sizeof(T)) >> 32);
    else if constexpr (sizeof(T) == 8) return std::is_signed_v<T> ? static_cast<std::uint32_t>(static_cast<std::uint64_t>(x) >> 32) : 0;
    else return std::is_signed_v<T> ? static_cast<std::uint32_t>(static_cast<std::int32_t>(x)) : 0;
}

/// The upper bits of V floats, a word for each; behind those of 16 bits may stand what is their neighbour's.
template <class T, int V>
struct upper_words {
    static constexpr int exponent_bits = float_format<T>::exponent_bits;
    std::uint32_t word[V];

    __device__ __forceinline__ explicit upper_words(T const (&x)[V]) {
        for (int v = 0; v < V; ++v) {
            if constexpr (sizeof(T) == 2 && V % 2 == 0) {
                std::uint32_t two;
                std::memcpy(&two, x + v / 2 * 2, 4);
                word[v] = v % 2 == 0 ? two << 16 : two;
            } else {
                word[v] = sign_word(x[v]);
            }
        }
    }
    /// Takes part in an xor of signs, the greatest exponent field less 1 (with what stands below it), and the sum of these.
    __device__ __forceinline__ void look(std::uint32_t& signs, std::uint32_t& most, int& sum) const {
        for (int v = 0; v < V; ++v) {
            std::uint32_t const field = 2 * word[v] - (1U << (32 - exponent_bits));
            signs ^= word[v];
            most = field > most ? field : most;
            sum += static_cast<int>(field >> (32 - exponent_bits));
        }
    }
    /// Whether no float is zero, subnormal (their fields less 1 are the greatest of all), infinite or NaN.
    __device__ __forceinline__ static bool all_normal(std::uint32_t most) { return most < ((1U << exponent_bits) - 2) << (32 - exponent_bits); }
    /// Of Count normal floats, whose fields less 1 have this sum: the sum of the exponents that belong to their significands.
    __device__ __forceinline__ static int exponents(int count, int sum) {
        return sum + count * (1 - ((1 << (exponent_bits - 1)) - 1) - float_format<T>::significand_bits);
    }
};

/// Whether an odd number of a warp's lanes have the sign, in each of them.
__device__ __forceinline__ std::uint32_t multiply_signs(std::uint32_t signs) {
    return static_cast<std::uint32_t>(__popc(__ballot_sync(all_lanes, signs >> 31 != 0))) << 31;
}

/// The product of integers. A long one that is neither zero nor too large is one of little but 1 and −1: these change its sign alone, and
/// of one that is too large zeros alone change anything.
template <class T>
class integer_product {
    using state_type = typename folds::products<T>::state;
    using word = std::conditional_t<(sizeof(T) < 8), std::uint32_t, std::uint64_t>;

  public:
    template <int K>
    __device__ __forceinline__ void take(T const (&x)[K]) {
        word others = 0;  // bits that 1 and −1 do not have
#pragma unroll
        for (int k = 0; k < K; ++k) {
            auto const item = static_cast<word>(static_cast<std::int64_t>(x[k]));
            signs_ ^= sign_word(x[k]);
            others |= std::is_signed_v<T> ? (item + 1) & ~word{2} : item ^ 1;
        }
        if (others == 0) return;
        if (too_large_) {
            for (int k = 0; k < K; ++k) zero_ = zero_ || x[k] == T{};
            return;
        }
        constexpr int count = factors_at_once<T, K>;
#pragma unroll
        for (int k = 0; k < K; k += count) multiply(multiply_factors<count>(x + k));
    }
    __device__ __forceinline__ void merge(integer_product const& later) {
        signs_ ^= later.signs_;
        zero_ = zero_ || later.zero_;
        too_large_ = too_large_ || later.too_large_;
        multiply(later.magnitude_);
    }
    /// Of all lanes, in the first.
    __device__ __forceinline__ void merge_warp() {
        std::uint32_t const signs = multiply_signs(signs_);
        zero_ = __any_sync(all_lanes, zero_);
        for (int distance = 1; distance < warp_lanes; distance *= 2) multiply(shuffle_down(magnitude_, distance));
        too_large_ = __any_sync(all_lanes, too_large_);
        signs_ = signs;
    }
    __device__ __forceinline__ state_type state(index_t items) const { return {items, zero_, magnitude_, too_large_, signs_ >> 31 != 0}; }

  private:
    __device__ __forceinline__ void multiply(std::uint64_t factor) {
        zero_ = zero_ || factor == 0;
        auto const product = static_cast<uint128>(magnitude_) * (factor == 0 ? 1 : factor);
        too_large_ = too_large_ || product >> 64 != 0;
        magnitude_ = too_large_ ? 1 : static_cast<std::uint64_t>(product);
    }

    std::uint64_t magnitude_ = 1;
    std::uint32_t signs_ = 0;
    bool zero_ = false, too_large_ = false;
};

template <class T>
class integer_product_shortcut : integer_product<T> {
  public:
    using integer_product<T>::merge_warp, integer_product<T>::state;
    template <class>
    static constexpr bool suits = true;
    static constexpr bool always_sound = true;
    static constexpr int rows_alone = few_rows;

    template <int V>
    __device__ __forceinline__ void take(T const (&x)[V], int) { integer_product<T>::take(x); }
    template <class>
    __device__ __forceinline__ bool sound() const { return true; }
};

template <class T>
    requires is_integer<T>
class lane<folds::products<T>> {
    using gather = folds::products<T>;

  public:
    using shortcut = integer_product_shortcut<T>;
    using partial = integer_product<T>;
    static constexpr int spill_words = 0, private_words = 0;
    static constexpr lane_needs needs{.tiles_ahead = true};

    __device__ static T padding() { return T{1}; }
    __device__ __forceinline__ lane(gather const&, thread_memory) {}

    template <int U, int V>
    __device__ __forceinline__ void take(T const (&x)[U][V], index_t, index_t, spill_area) {
#pragma unroll
        for (int u = 0; u < U; ++u) product_.take(x[u]);
    }
    template <class Input>
    __device__ __forceinline__ partial settle(Input const&, spill_area) { return product_; }
    __device__ __forceinline__ static partial identity(gather const&) { return {}; }
    __device__ __forceinline__ static void merge(gather const&, partial& p, partial const& later) { p.merge(later); }
    __device__ __forceinline__ static void merge_warp(gather const&, partial& p) { p.merge_warp(); }
    __device__ static bool fits(partial const&) { return true; }
    __device__ static auto brief(gather const&, partial const& p, index_t items, spill_area) { return p.state(items); }
    __device__ static auto full(gather const&, partial const& p, index_t items, spill_area) { return p.state(items); }

  private:
    integer_product<T> product_;
};

/// A product of normal floats that is known from below: significand · 2^exponent, and less than 2^66 · 2^-128 times as much more for
/// each item.
struct near_product {
    index_t items;
    uint128 significand;
    index_t exponent;
    uint128 truncations;
    bool negative;
    static constexpr index_t nans = 0, infinities = 0, zeros = 0;
    static constexpr bool is_near = true;
};

/// A shortcut of products of floats: 64 bits of the product, of which each multiplication drops less than 2^-62.
template <class T>
class product_shortcut {
  public:
    template <class R>
    static constexpr bool suits = !std::is_same_v<R, double>;
    static constexpr int rows_alone = few_rows;

    template <int V>
    __device__ __forceinline__ void take(T const (&x)[V], int) {
        constexpr int count = factors_at_once<T, V>, unused = 64 - count * factor_bits<T>;
        upper_words<T, V> const upper{x};
        std::uint32_t most = 0;
        int sum = 0;
        upper.look(signs_, most, sum);
        normal_ = normal_ && upper.all_normal(most);
        exponent_ += upper.exponents(V, sum);
#pragma unroll
        for (int v = 0; v < V; v += count) multiply(static_cast<std::uint64_t>(multiply_factors<count>(x + v)) << unused, -unused);
    }
    __device__ __forceinline__ void merge_warp() {
        normal_ = __all_sync(all_lanes, normal_);
        signs_ = multiply_signs(signs_);
        for (int distance = 1; distance < warp_lanes; distance *= 2) {
            std::uint64_t const significand = shuffle_down(significand_, distance);
            multiply(significand, __shfl_down_sync(all_lanes, exponent_, distance));
        }
    }
    __device__ __forceinline__ auto state(index_t items) const {
        return near_product{items, static_cast<uint128>(significand_) << 64, exponent_ - 64, static_cast<uint128>(items) << 66, signs_ >> 31 != 0};
    }
    template <class>
    __device__ __forceinline__ bool sound() const { return normal_; }

  private:
    /// By factor · 2^exponent, of which at most the first 31 bits are zeros.
    __device__ __forceinline__ void multiply(std::uint64_t factor, int exponent) {
        auto const product = static_cast<std::uint64_t>(static_cast<uint128>(significand_) * factor >> 64);
        int const shift = leading_zeros(product);
        significand_ = product << shift;
        exponent_ += exponent + 64 - shift;
    }

    std::uint64_t significand_ = std::uint64_t{1} << 63;
    int exponent_ = -63;
    std::uint32_t signs_ = 0;
    bool normal_ = true;
};

template <class T>
    requires is_float<T>
class lane<folds::products<T>> {
    using gather = folds::products<T>;

  public:
    using shortcut = std::conditional_t<std::is_same_v<T, double>, void, product_shortcut<T>>;
    using partial = typename gather::state;
    static constexpr int spill_words = 0, private_words = 0;
    static constexpr lane_needs needs{.tiles_ahead = true};

    /// 1
    __device__ static T padding() {
        using format = float_format<T>;
        return bits_as<T>(static_cast<typename format::bits>(((std::uint64_t{1} << (format::exponent_bits - 1)) - 1) << format::significand_bits));
    }
    __device__ __forceinline__ lane(gather const&, thread_memory) {}

    template <int U, int V>
    __device__ __forceinline__ void take(T const (&given)[U][V], index_t, index_t, spill_area) {
        constexpr int count = factors_at_once<T, V>, unused = 64 - count * factor_bits<T>;
        using upper = upper_words<T, V>;
        std::uint32_t signs = signs_, most = 0;
        int sum = 0;
        for (int u = 0; u < U; ++u) upper{given[u]}.look(signs, most, sum);
        // A warp goes one way: float_sums.hpp.
        if (bool const normal = upper::all_normal(most); !(U > 1 ? __all_sync(all_lanes, normal) : normal)) {
            T x[U * V];
            for (int k = 0; k < U * V; ++k) x[k] = given[k / V][k % V];
            return take_any(x);
        }
        signs_ = signs;
        int exponent = upper::exponents(U * V, sum) + U * V / count * (64 - unused);
#pragma unroll
        for (int u = 0; u < U; ++u) {
#pragma unroll
            for (int v = 0; v < V; v += count) {
                multiply(static_cast<std::uint64_t>(multiply_factors<count>(given[u] + v)) << unused);
                if ((v + count) % most_zeros == 0 || v + count == V) exponent -= normalize();
            }
        }
        state_.exponent += exponent;
    }
    template <class Input>
    __device__ __forceinline__ partial settle(Input const&, spill_area) {
        state_.negative = state_.negative != (signs_ >> 31 != 0);
        signs_ = 0;
        return state_;
    }
    __device__ __forceinline__ static partial identity(gather const& g) { return g.identity(); }
    __device__ __forceinline__ static void merge(gather const& g, partial& p, partial const& later) { g.merge(p, later); }
    __device__ static bool fits(partial const&) { return true; }
    __device__ static auto brief(gather const&, partial const& p, index_t, spill_area) { return p; }
    __device__ static auto full(gather const&, partial const& p, index_t, spill_area) { return p; }

  private:
    /// As gather::multiply, by a factor whose top bit need not be set; nor is that of the product.
    __device__ __forceinline__ void multiply(std::uint64_t factor) {
        auto const low = static_cast<uint128>(static_cast<std::uint64_t>(state_.significand)) * factor;
        state_.significand = static_cast<uint128>(static_cast<std::uint64_t>(state_.significand >> 64)) * factor + (low >> 64);
        if (static_cast<std::uint64_t>(low) != 0) state_.truncations += 1 << most_zeros;
    }
    /// Sets the top bit again, and says how many places up everything went, at most most_zeros.
    __device__ __forceinline__ int normalize() {
        auto const high = static_cast<std::uint64_t>(state_.significand >> 64), low = static_cast<std::uint64_t>(state_.significand);
        int const places = __clz(static_cast<int>(high >> 32));
        state_.significand = static_cast<uint128>(shift_up(high, low, places)) << 64 | shift_up(low, 0, places);
        return places;
    }
    __device__ __forceinline__ static std::uint64_t shift_up(std::uint64_t word, std::uint64_t next, int places) {
        auto const upper = static_cast<std::uint32_t>(word >> 32), middle = static_cast<std::uint32_t>(word), lower = static_cast<std::uint32_t>(next >> 32);
        return static_cast<std::uint64_t>(__funnelshift_l(middle, upper, static_cast<unsigned>(places))) << 32 | __funnelshift_l(lower, middle, static_cast<unsigned>(places));
    }
    /// One by one; rolled, so that this is there once.
    template <int K>
    __device__ __forceinline__ void take_any(T (&x)[K]) {
#pragma unroll 1
        for (int k = 0; k < K; ++k) {
            gather{}.step(state_, x[0], 0);
            move_round<1, K>(x);
        }
    }

    /// How many of the significand's top bits may be left zero: one by each of as many factors, a vector of T. (A map has longer ones, of narrower items.)
    static constexpr int most_zeros = 16 / static_cast<int>(sizeof(T));

    partial state_;
    std::uint32_t signs_ = 0;
};

}  // namespace warpfold::device
