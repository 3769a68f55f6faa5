// Lanes of exact sums of float16 and bfloat16, and how those of squares look at them.
//
// The windows of windows.hpp, in floats: x + M, for M = 1.5 · 2^(23 + q), rounds x to a multiple of 2^q, and the bits of
// that float, less those of M, are the multiple; what was rounded off goes to a second window. Both take one item in six
// instructions; the read limit leaves twelve (H200).
#pragma once

#include "../../half.hpp"
#include "../halves.hpp"
#include "float_squares.hpp"

namespace warpfold::device {

template <class T>
inline constexpr bool is_half = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;

/// Every float16 fits the fast windows of sums; of bfloat16, 0 and 2^-30 … 2^11.
template <class T>
    requires is_half<T>
struct item_view<T> {
    using format = float_format<T>;
    static constexpr bool all_fit = std::is_same_v<T, float16>;
    static constexpr int key_bits = format::significand_bits, home = all_fit ? -32 : -37, group = 8;

    /// A finite item. Its bits are those of a double's upper word, but for the bias, which a product puts right, also of subnormals. (A
    /// multiprocessor begins 16 conversions a cycle, and 64 of each of these instructions.)
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

template <class T>
    requires is_half<T>
struct squares_of<item_view<T>> : squares_by_ones<true> {
    using view = item_view<T>;

    /// Squares of a vector whose items' exponents are at most 24 - key_bits apart have 53 bits together, and add up exactly: in 1.5
    /// operations an item, where one by one they take 4.
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

template <class T, bool Absolute>
    requires is_half<T>
class lane<folds::power_sums<T, folds::powers::first, Absolute>> {
    using gather = folds::power_sums<T, folds::powers::first, Absolute>;
    static constexpr bool is_float16 = std::is_same_v<T, float16>;
    using limbs = exact::sum_of<float>;
    static constexpr int first_limb = special_counts::words;
    /// Units of the windows. Every float16 fits them; of bfloat16, 0 and 2^-25 … 2^12.
    static constexpr int upper = is_float16 ? -6 : -10, lower = is_float16 ? -24 : -32;
    static constexpr std::uint16_t above = is_float16 ? infinity_bits<T> : (127 + 12) << 7, least = is_float16 ? 0 : (127 - 25) << 7;
    static constexpr std::uint16_t negative_zero = 0x8000;
    __host__ __device__ static constexpr float magic(int unit) {
        return 1.5F * __builtin_bit_cast(float, static_cast<std::uint32_t>(127 + 23 + unit) << 23);
    }
    using bins = exponent_bins<first_limb>;

  public:
    using shortcut = sums_shortcut<T, true, false, Absolute>;
    struct partial {
        wide_integer<4> total;     ///< in units of 2^lower
        sum_marks marks;
    };
    static constexpr int spill_words = first_limb + limbs::limbs, private_words = is_float16 ? 0 : bins::bins;
    static constexpr lane_needs needs{};
    /// −0: it changes no sum, nor whether all items are −0.
    __device__ static T padding() { return {negative_zero}; }

    __device__ __forceinline__ lane(gather const&, thread_memory memory) : bins_(memory) {}

    template <int U, int V>
    __device__ __forceinline__ void take(T const (&x)[U][V], index_t, index_t, spill_area) {
        constexpr int words = U * ((V + 1) / 2);
        std::uint32_t two[words];
        for (int i = 0; i < words; ++i) {
            constexpr int row = (V + 1) / 2;
            two[i] = two_halves(x[i / row], 2 * (i % row), negative_zero);
        }
        std::uint32_t signs = signs_;
        if (fit(outline_of(two, signs))) signs_ = signs;
        else set_aside(two);
        add(two);
    }

    template <class Input>
    __device__ __forceinline__ partial settle(Input const&, spill_area area) {
        partial p{};
        bool spilled = false;
        special_.settle(area, spilled);
        if constexpr (!is_float16) {
            bins_.template settle<limbs::low>(
                [&](int exponent, std::int64_t value) {
                    if (exponent < lower || exponent > lower + 60) return false;
                    total_ += static_cast<int128>(value) << (exponent - lower);
                    return true;
                },
                area, spilled);
        }
        p.total += total_;
        p.marks = {signs_, spilled};
        return p;
    }
    __device__ __forceinline__ static partial identity(gather const&) { return {}; }
    __device__ __forceinline__ static void merge(gather const&, partial& p, partial const& later) {
        p.total += later.total.value();
        p.marks.merge(later.marks);
    }
    __device__ __forceinline__ static void merge_warp(gather const&, partial& p) {
        p.total = sum_warp(p.total);
        p.marks.merge_warp();
    }
    __device__ static bool fits(partial const& p) { return !p.marks.spilled(); }
    __device__ static auto brief(gather const&, partial const& p, index_t items, spill_area) {
        sums_state<exact::short_sum<lower>, no_sum> s{};
        s.items = items;
        s.first.value = p.total.value();
        s.only_negative_zeros = !Absolute && s.first.value == 0 && p.marks.signs(half_signs);
        return s;
    }
    __device__ static auto full(gather const&, partial const& p, index_t items, spill_area area) {
        sums_state<limbs, no_sum> s{};
        s.items = items;
        s.special = special_counts::read(area);
        read_limbs(area, first_limb, s.first);
        s.first.add(p.total.value(), lower);
        s.first.carry();
        bool zero = true;
        for (std::int64_t const limb : s.first.limb) zero = zero && limb == 0;
        s.only_negative_zeros = !Absolute && zero && p.marks.signs(half_signs);
        return s;
    }

  private:
    /// Adds items that fit the windows.
    template <int Words>
    __device__ __forceinline__ void add(std::uint32_t const (&two)[Words]) {
        static_assert(Words <= 128);  // 2^8 multiples below 2^22 fit 31 bits
        std::uint32_t high = 0, low = 0;
#pragma unroll
        for (int i = 0; i < Words; ++i) {
#pragma unroll
            for (int which = 0; which < 2; ++which) {
                float const x = widen(half_of<T>(two[i], which)), v = Absolute ? fabsf(x) : x;
                float const multiple = v + magic(upper);
                high += bits_as<std::uint32_t>(multiple);
                low += bits_as<std::uint32_t>((v - (multiple - magic(upper))) + magic(lower));
            }
        }
        auto const sum_of = [](std::uint32_t sum, int unit) {
            return static_cast<std::int32_t>(sum - 2U * Words * bits_as<std::uint32_t>(magic(unit)));
        };
        total_ += (static_cast<std::int64_t>(sum_of(high, upper)) << (upper - lower)) + sum_of(low, lower);
    }

    /// The greatest magnitude, and the least but 0, less 1, of lower and of upper halves; puts what all signs have in common in `signs`.
    struct extent {
        std::uint32_t most, fewest;
    };
    template <int Words>
    __device__ __forceinline__ static extent outline_of(std::uint32_t const (&two)[Words], std::uint32_t& signs) {
        extent e{0, ~0U};
#pragma unroll
        for (int i = 0; i < Words; ++i) {
            signs &= two[i];
            std::uint32_t const magnitudes = two[i] & half_magnitudes;
            e.most = max_signed_halves(e.most, magnitudes);
            if constexpr (!is_float16) e.fewest = min_of_decremented_halves(magnitudes, e.fewest);
        }
        return e;
    }
    /// Whether the windows hold all items.
    __device__ __forceinline__ static bool fit(extent const& e) {
        bool const below = (e.most & 0xffffU) < above && e.most >> 16 < above;
        return below && (is_float16 || ((e.fewest & 0xffffU) >= least - 1U && e.fewest >> 16 >= least - 1U));
    }
    /// Takes the items that the windows do not hold, and leaves −0 in their places. Items of a vector that are no more than 37 binades apart
    /// have 48 bits together: two floats, exactly, which the bins take instead of eight. (Rolled, so that this is there once.)
    template <int Words>
    __device__ __forceinline__ void set_aside(std::uint32_t (&two)[Words]) {
        constexpr int group = Words % 4 == 0 ? 4 : 1;
#pragma unroll 1
        for (int i = 0; i < Words; i += group) {
            std::uint32_t vector[group], signs = signs_;
            for (int g = 0; g < group; ++g) vector[g] = two[g];
            extent const e = outline_of(vector, signs);
            bool together = false;
            if constexpr (!is_float16) {
                std::uint32_t const most = max_signed_halves(e.most, e.most >> 16) & 0xffffU;
                std::uint32_t const fewest = lesser_half(e.fewest);
                together = most < (127U + 124) << 7 && most <= fewest + (37U << 7);
                if (together) signs_ = signs;
                if (together && !fit(e)) add_to_bins(vector);
            }
            if (!together) {
#pragma unroll 1
                for (int g = 0; g < group; ++g) {
                    take_alone(vector[0]);
                    move_round<1, group>(vector);
                }
            }
            for (int g = 0; g < group; ++g) two[g] = vector[g];
            move_round<group, Words>(two);
        }
    }
    /// Adds the items of a vector, whose sum is exact in a double, to the bins, and leaves −0 in their places.
    template <int Words>
    __device__ __forceinline__ void add_to_bins(std::uint32_t (&two)[Words]) {
        double sum = 0;
#pragma unroll
        for (int i = 0; i < Words; ++i) {
            float const x = widen(half_of<T>(two[i], 0)), y = widen(half_of<T>(two[i], 1));
            sum += double{Absolute ? fabsf(x) : x} + double{Absolute ? fabsf(y) : y};
            two[i] = half_signs;
        }
        auto const first = static_cast<float>(sum);
        float const both[2] = {first, static_cast<float>(sum - double{first})};
        bins_.add(both, false);
    }
    /// Takes those of two items that the windows do not hold, and leaves −0 in their places.
    __device__ __forceinline__ void take_alone(std::uint32_t& two) {
#pragma unroll
        for (int which = 0; which < 2; ++which) {
            T const x = half_of<T>(two, which);
            auto const magnitude = magnitude_bits(x);
            std::uint32_t const other = which ? 0x0000ffffU : 0xffff0000U;
            if (!is_nan(x)) signs_ &= two | other;
            if (magnitude < above && (static_cast<int>(magnitude) >= least || magnitude == 0)) continue;
            if (magnitude >= infinity_bits<T>) {
                special_.add(x, Absolute);
            } else if constexpr (!is_float16) {
                T const one[1] = {x};
                bins_.add(one, Absolute);
            }
            two = (two & other) | (static_cast<std::uint32_t>(negative_zero) << (which ? 16 : 0));
        }
    }

    sum_if<!is_float16, bins> bins_;
    int128 total_ = 0;
    special_counts special_;
    std::uint32_t signs_ = ~0U;
};

}  // namespace warpfold::device
