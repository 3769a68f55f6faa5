// Lanes of exact sums of floats and of their squares.
#pragma once

#include "sums_shortcut.hpp"
#include "windows.hpp"

// After these: it brings the other lanes of sums, which need them too.
#include "../../folds/sums.hpp"

namespace warpfold::device {

/// Where the items of a tile lie: by the top bit of `signs`, what all signs have in common; the greatest key, and the least but 0, less
/// 1. A key grows with an item's magnitude, and is 0 for zeros alone.
struct outline {
    std::uint32_t signs, most, fewest;
};

/// What lanes of sums ask of items; of 16 bits: half_sums.hpp.
template <class T>
struct item_view {
    static constexpr bool narrow = std::is_same_v<T, float>;
    static constexpr int key_bits = narrow ? 23 : 20;                        ///< below the exponent of a key
    static constexpr int home = narrow ? -38 : -28, group = narrow ? 4 : 8;  ///< of the windows of sums
    static constexpr bool all_fit = false;                                   ///< whether they hold every finite item

    __device__ __forceinline__ static double exact(T x) { return x; }
    __device__ __forceinline__ static std::uint32_t high_word(T x) {
        if constexpr (narrow) return bits_as<std::uint32_t>(x);
        else return static_cast<std::uint32_t>(bits_as<std::uint64_t>(x) >> 32);
    }
    /// The upper word of |x|, or, where that is even, the next if x has more bits.
    __device__ __forceinline__ static std::uint32_t key(T x) {
        std::uint32_t low = 0;
        if constexpr (!narrow) low = static_cast<std::uint32_t>(bits_as<std::uint64_t>(x));
        return (high_word(x) & 0x7fffffffU) | (low < 1 ? low : 1);
    }
    template <bool Signs, int K>
    __device__ __forceinline__ static outline look(T const (&x)[K], std::uint32_t signs) {
        outline o{signs, 0, ~0U};
#pragma unroll
        for (int k = 0; k < K; ++k) {
            std::uint32_t const one = key(x[k]);
            if constexpr (Signs) o.signs &= high_word(x[k]);
            o.most = one > o.most ? one : o.most;
            o.fewest = one - 1 < o.fewest ? one - 1 : o.fewest;  // 0 is no small item
        }
        return o;
    }
};

/// How squares are added, of a tile and of one item: float_squares.hpp, which folds/moments.hpp brings.
template <class View>
struct squares_of;

template <class T, folds::powers Powers, bool Absolute>
    requires is_float<T>
class lane<folds::power_sums<T, Powers, Absolute>> {
    using gather = folds::power_sums<T, Powers, Absolute>;
    using value = widened<T>;
    using view = item_view<T>;
    static constexpr bool narrow = std::is_same_v<value, float>;
    static constexpr bool has_first = gather::has_first, has_second = gather::has_second, has_bins = has_first && narrow && !view::all_fit;
    using first_limbs = exact::sum_of<value>;
    using second_limbs = exact::sum_of_products<value>;
    static constexpr int first_word = special_counts::words, second_word = first_word + (has_first ? first_limbs::limbs : 0);
    // The homes: floats 2^-38 … 2^11 in one fast window, doubles 2^-77 … 2^20 in two. An item whose bits lie there has a square whose bits
    // the fast windows of squares hold. (Groups of eight floats cost a binade, and of normal items in that one the slow way: eight folds
    // of 2^14 floats 11 → 13 µs, H200.)
    static constexpr int first_home = view::home, second_home = narrow ? 2 * first_home + window_step : -7;
    static constexpr int first_size = narrow ? 2 : 3, second_size = narrow ? 3 : 5;
    using first_windows = windows<first_size, narrow ? 1 : 2, 1, false, first_home, first_limbs::low, first_word, view::group>;
    using second_windows = windows<second_size, narrow ? 2 : 4, narrow ? 1 : 2, false, second_home, second_limbs::low, second_word, view::group>;
    static constexpr int bin_words = has_bins ? exponent_bins<0>::bins : 0,
                         first_words = bin_words + (has_first ? first_windows::private_words : 0);
    static_assert(!(has_first && has_second) || 2 * first_windows::last_fast == second_windows::last_fast);
    static_assert(2 * first_windows::last <= second_windows::last);

  public:
    using shortcut = sums_shortcut<T, has_first, has_second, Absolute>;
    using joint_shortcut = std::conditional_t<std::is_same_v<T, float> && !has_second, windows_shortcut<Absolute, first_home>, void>;
    struct partial {
        [[no_unique_address]] window_totals<has_first ? first_size : 0> first;
        [[no_unique_address]] window_totals<has_second ? second_size : 0> second;
        sum_marks marks;
    };
    static constexpr int spill_words = second_word + (has_second ? second_limbs::limbs : 0);
    static constexpr int first_pieces = window_totals<has_first ? first_size : 0>::pieces;
    static constexpr int pieces = first_pieces + window_totals<has_second ? second_size : 0>::pieces + 1;
    static constexpr lane_needs needs{.tiles_ahead = true};
    static constexpr bool approximates = has_second || !narrow;
    using near = std::conditional_t<has_second, exact::near_double, exact::near_sum>;
    using near_state = sums_state<sum_if<has_first, near>, sum_if<has_second, near>>;
    static constexpr int private_words = first_words + (has_second ? second_windows::private_words : 0);
    /// −0: it changes no sum, nor whether all items are −0.
    __device__ static T padding() {
        return bits_as<T>(static_cast<typename float_format<T>::bits>(std::uint64_t{1} << (8 * sizeof(T) - 1)));
    }

    __device__ __forceinline__ lane(gather const&, thread_memory memory)
        : first_(memory.from(bin_words)), second_(memory.from(first_words)), bins_(memory) {}

    template <int U, int V>
    __device__ __forceinline__ void take(T const (&given)[U][V], index_t, index_t, spill_area area) {
        constexpr int K = U * V;
        T x[K];
        for (int k = 0; k < K; ++k) x[k] = given[k / V][k % V];
        // The fast windows hold no more than `above`, nor all bits of what is less than `least`: of floats, 2^11 and 2^-15.
        std::uint32_t const above = narrow || has_second ? key_of(narrow ? first_home + first_windows::reach_binades : 20)
                                                         : item_view<double>::high_word(first_.limit());
        std::uint32_t const least = narrow ? key_of(first_home + float_format<T>::significand_bits)
                                           : above - (static_cast<std::uint32_t>(first_windows::held_binades) << view::key_bits);
        outline const o = view::template look<has_first && !Absolute>(x, signs_);
        bool slow = o.most >= above || !(second_.at_home() && (narrow || !has_second || first_.at_home()));
        // Windows of small doubles are moved down to them.
        if constexpr (!narrow && !has_second) slow = slow || (o.most < least && o.most > 0 && first_.at_home());
        if (slow) {
            if (o.most < key_of(1 << (float_format<T>::exponent_bits - 1))) signs_ = o.signs;
            else set_special_aside(x);
            if constexpr (!view::all_fit) return take_slowly(x, area);
        } else signs_ = o.signs;
        if (least > 0 && o.fewest < least - 1) take_one_by_one<has_first>(x, least, area);
        double v[1][K];
#pragma unroll
        for (int k = 0; k < K; ++k) v[0][k] = view::exact(x[k]);
        for (int k = 0; Absolute && k < K; ++k) v[0][k] = fabs(v[0][k]);
        if constexpr (has_first) first_.add(v);
        if constexpr (has_second) squares_of<view>::add(second_, v[0], o);
    }

    template <class Input>
    __device__ __forceinline__ partial settle(Input const&, spill_area area) {
        partial p{};
        bool spilled = false;
        special_.settle(area, spilled);
        if constexpr (has_first) p.first = first_.settle(area, spilled);
        if constexpr (has_bins) settle_bins(p.first, area, spilled);
        if constexpr (has_second) p.second = second_.settle(area, spilled);
        p.marks = {signs_, spilled};
        return p;
    }

    __device__ __forceinline__ static partial identity(gather const&) { return {}; }
    __device__ __forceinline__ static void merge(gather const&, partial& p, partial const& later) {
        if constexpr (has_first) p.first.merge(later.first);
        if constexpr (has_second) p.second.merge(later.second);
        p.marks.merge(later.marks);
    }
    __device__ __forceinline__ static void merge_warp(gather const&, partial& p) {
        if constexpr (has_first)
            for (auto& total : p.first.total) total = sum_warp(total);
        if constexpr (has_second)
            for (auto& total : p.second.total) total = sum_warp(total);
        p.marks.merge_warp();
    }

    __device__ __forceinline__ static std::uint64_t piece(partial const& p, int i) {
        return i == pieces - 1 ? p.marks.piece() : p.first.piece(i) | p.second.piece(i - first_pieces);
    }
    __device__ __forceinline__ static partial sum_of(std::uint64_t const (&sums)[pieces], int blocks) {
        partial p{};
        p.first.set_sums(sums, blocks);
        p.second.set_sums(sums + first_pieces, blocks);
        p.marks = sum_marks::of_sum(sums[pieces - 1], blocks);
        return p;
    }

    __device__ static bool spilled(partial const& p) { return p.marks.spilled(); }
    __device__ static bool fits(partial const& p) {
        int128 ignored;
        bool fit = !p.marks.spilled();
        if constexpr (has_first) fit = fit && p.first.template sum<first_brief>(ignored);
        if constexpr (has_second) fit = fit && p.second.template sum<second_brief>(ignored);
        return fit;
    }
    __device__ static auto brief(gather const&, partial const& p, index_t items, spill_area) {
        sums_state<sum_if<has_first, exact::short_sum<first_home - window_step * (first_brief - 1)>>,
                   sum_if<has_second, exact::short_sum<second_home - window_step * (second_brief - 1)>>>
            s{};
        s.items = items;
        if constexpr (has_first) {
            p.first.template sum<first_brief>(s.first.value);
            s.only_negative_zeros = !Absolute && s.first.value == 0 && p.marks.signs(1U << 31);
        }
        if constexpr (has_second) p.second.template sum<second_brief>(s.second.value);
        return s;
    }
    /// Where a few items lie below the windows of a brief state, as of 2^19 normally distributed floats or 2^25 doubles.
    __device__ static bool approximate(gather const&, partial const& p, index_t items, spill_area, near_state& s) {
        s.items = items;
        if constexpr (!has_second) s.first = p.first.near(first_home);
        else if constexpr (has_first) s.first = near::of(p.first.near(first_home));
        if constexpr (has_second) s.second = near::of(p.second.near(second_home));
        return !p.marks.spilled();
    }
    __device__ static auto full(gather const&, partial const& p, index_t items, spill_area area) {
        sums_state<sum_if<has_first, first_limbs>, sum_if<has_second, second_limbs>> s{};
        s.items = items;
        s.special = special_counts::read(area);
        if constexpr (has_first) {
            read_limbs(area, first_word, s.first);
            p.first.add_to(s.first, first_home);
            s.first.carry();
            bool zero = true;
#pragma unroll first_limbs::at_once
            for (std::int64_t const limb : s.first.limb) zero = zero && limb == 0;
            s.only_negative_zeros = !Absolute && zero && p.marks.signs(1U << 31);
        }
        if constexpr (has_second) {
            read_limbs(area, second_word, s.second);
            p.second.add_to(s.second, second_home);
        }
        return s;
    }

  private:
    /// _brief: how many windows a brief state holds; those of squares have the square of the unit of those of first powers.
    static constexpr int first_brief = narrow && has_second ? 1 : 2, second_brief = narrow ? 2 : 4;
    /// The key of 2^exponent, or 0 if items end above that.
    __host__ __device__ static constexpr std::uint32_t key_of(int exponent) {
        int const field = exponent + (1 << (float_format<T>::exponent_bits - 1)) - 1;
        return field > 0 ? static_cast<std::uint32_t>(field) << view::key_bits : 0;
    }
    /// Adds the items whose keys are less than the bound, or all, if that is 0, one by one, and leaves zeros in their places. Sums of
    /// first powers only if First. Items move round, so that this is there once, and by fours where none of those is to be added.
    template <bool First, class Item, int K>
    __device__ __forceinline__ void take_one_by_one(Item (&x)[K], std::uint32_t bound, spill_area area) {
        constexpr int group = K % 4 == 0 ? 4 : 1;
        auto const chosen = [bound](Item v) { return item_view<Item>::key(v) - 1 < bound - 1; };
#pragma unroll 1
        for (int k = 0; k < K; k += group) {
            bool const any = chosen(x[0]) || chosen(x[1 % K]) || chosen(x[2 % K]) || chosen(x[3 % K]);
#pragma unroll 1
            for (int g = 0; any && g < group; ++g) {
                if (chosen(x[0])) {
                    if constexpr (First) take_alone(widen(x[0]), area);
                    if constexpr (has_second) squares_of<view>::add_one(second_, widen(x[0]), area);
                    x[0] = Item{};
                }
                move_round<1, group>(x);
            }
            move_round<group, K>(x);
        }
    }
    __device__ __forceinline__ void take_alone(value x, spill_area area) {
        double const rest = first_.add_one(Absolute ? fabs(x) : x);
        if constexpr (!narrow) first_.spill(rest, area);
        if constexpr (has_bins)
            if (rest != 0) bins_.add({static_cast<float>(rest)});
    }

    /// Adds the bins of floats below 2^18 that are multiples of the second unit to the totals: 2^37 of them leave 2^95 first units.
    __device__ __forceinline__ void settle_bins(window_totals<first_size>& totals, spill_area area, bool& spilled) {
        bins_.template settle<first_limbs::low>(
            [&](int exponent, std::int64_t value) {
                int const up = exponent - first_home;
                if (up < -window_step || up >= 32) return false;
                int128 const units = static_cast<int128>(value) << (up < 0 ? up + window_step : up);
                totals.total[0] += up < 0 ? units >> window_step : units;
                if (up < 0) totals.total[1] += units & ((int128{1} << window_step) - 1);
                return true;
            },
            area, spilled);
    }

    /// Counts NaN and infinities, and leaves zeros in their places.
    template <int K>
    __device__ __forceinline__ void set_special_aside(T (&x)[K]) {
#pragma unroll
        for (int k = 0; k < K; ++k) {
            if (!is_nan(x[k])) signs_ &= view::high_word(x[k]);
            if (magnitude_bits(x[k]) < infinity_bits<T>) continue;
            special_.add(x[k], Absolute);
            x[k] = T{};
        }
    }
    /// Finite items of any kind.
    template <int K>
    __device__ __forceinline__ void take_slowly(T const (&given)[K], spill_area area) {
        value x[K], most = 0, least = infinity_of<value>;
#pragma unroll
        for (int k = 0; k < K; ++k) {
            x[k] = Absolute ? fabs(widen(given[k])) : widen(given[k]);
            most = fmax(most, fabs(x[k]));
            if (x[k] != 0) least = fmin(least, fabs(x[k]));
        }
        if constexpr (has_second) second_.reach(double{most} * most, double{least} * least, area);
        if constexpr (has_bins) bins_.add(x);
        else if constexpr (has_first) first_.reach(most, least, area);
        if constexpr (has_second || !narrow) take_one_by_one<has_first && !narrow>(x, 0, area);
    }

    struct nothing {
        __device__ explicit nothing(thread_memory) {}
        __device__ static bool at_home() { return true; }
        __device__ static double limit() { return 0; }
    };
    std::conditional_t<has_first, first_windows, nothing> first_;
    std::conditional_t<has_second, second_windows, nothing> second_;
    std::conditional_t<has_bins, exponent_bins<first_word>, nothing> bins_;
    special_counts special_;
    std::uint32_t signs_ = ~0U;
};

}  // namespace warpfold::device
