// Lanes of exact sums of floats and of their squares.
#pragma once

#include "sums_shortcut.hpp"
#include "windows.hpp"

// After these: it brings the other lanes of sums, which need them too.
#include "../../folds/sums.hpp"

namespace warpfold::device {

/// Where the items of a tile lie: by the top bit of `signs`, what all signs have in common; the greatest key (of
/// doubles, its upper word), and the least but 0, less 1. A key grows with an item's magnitude, and is 0 for zeros
/// alone.
struct outline {
    std::uint32_t signs, most, fewest;
};

/// What lanes of sums ask of items; of 16 bits: half_views.hpp.
template <class T>
struct item_view {
    static constexpr bool narrow = std::is_same_v<T, float>;
    static constexpr int key_bits = narrow ? 23 : 20;                        ///< below the exponent of a key
    static constexpr int home = narrow ? -38 : -28, group = narrow ? 4 : 8;  ///< of the windows of sums
    static constexpr bool all_fit = false;                                   ///< whether they hold every finite item

    __device__ __forceinline__ static double exact(T x) { return x; }
    __device__ __forceinline__ static std::uint32_t high_word(T x) {
        return static_cast<std::uint32_t>(bits_as<typename float_format<T>::bits>(x) >> (narrow ? 0 : 32));
    }
    /// The upper word of |x|, or, where that is even, the next if x has more bits.
    __device__ __forceinline__ static std::uint32_t key(T x) {
        return (high_word(x) & 0x7fffffffU) | (!narrow && static_cast<std::uint32_t>(bits_as<typename float_format<T>::bits>(x)) != 0);
    }
    template <bool Signs, int K>
    __device__ __forceinline__ static outline look(T const (&x)[K], std::uint32_t signs) {
        // Words as signed and as natural numbers: an instruction takes two items to each greatest, and extremes need
        // both.
        outline o{signs, 0, ~0U};
        std::int32_t top = lowest_of<std::int32_t>;
        for (int k = 0; k < K; ++k) {
            std::uint32_t const word = high_word(x[k]), twice = 2 * word - narrow;  // 0 is no small item
            top = static_cast<std::int32_t>(word) > top ? static_cast<std::int32_t>(word) : top;
            o.most = word > o.most ? word : o.most;
            o.fewest = twice < o.fewest ? twice : o.fewest;
        }
        auto const negative = static_cast<std::int32_t>(o.most & 0x7fffffffU);
        bool const unclear = !narrow && o.fewest == 0;  // a zero, or what the lower word tells from it
        o = {Signs ? signs & static_cast<std::uint32_t>(top) : signs, static_cast<std::uint32_t>(top > negative ? top : negative), (o.fewest >> 1) - !narrow};
        for (int k = 0; unclear && k < K; ++k) o.fewest = key(x[k]) - 1 < o.fewest ? key(x[k]) - 1 : o.fewest;
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
    static constexpr bool has_first = gather::has_first, has_second = gather::has_second, has_bins = narrow && !has_second && !view::all_fit;
    // Whether windows leave home. Bins of floats are as fast as windows elsewhere, and end sooner; of 16-bit floats
    // twice as many items come at a time.
    static constexpr bool moves = !view::all_fit && (!has_bins || sizeof(T) == 2);
    using first_limbs = exact::sum_of<value>;
    using second_limbs = exact::sum_of_products<value>;
    static constexpr int first_word = special_counts::words, second_word = first_word + (has_first ? first_limbs::limbs : 0);
    // The homes: floats 2^-38 … 2^11 in one fast window, doubles 2^-77 … 2^20 in two. An item whose bits lie there has
    // a square whose bits the fast windows of squares hold. (Groups of eight floats cost a binade, and of normal items
    // in that one the slow way: eight folds of 2^14 floats 11 → 13 µs, H200.)
    static constexpr int first_home = view::home, second_home = narrow ? 2 * first_home + window_step : -7;
    static constexpr int first_size = narrow ? 2 : 3, second_size = narrow ? 3 : 5;
    using first_windows = windows<first_size, narrow ? 1 : 2, 1, first_home, first_limbs::low, first_word, view::group>;
    using second_windows = windows<second_size, narrow ? 2 : 4, narrow ? 1 : 2, second_home, second_limbs::low, second_word, view::group>;
    static constexpr int bin_words = has_bins ? exponent_bins<0>::bins : 0,
                         first_words = bin_words + (has_first ? first_windows::private_words : 0);
    static_assert(2 * first_windows::last_fast == second_windows::last_fast && 2 * first_windows::last <= second_windows::last);

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
        outline o = view::template look<has_first && !Absolute>(x, signs_);
        bool const held = lies(o, fast_least, up());
        // A warp goes one way, whatever one of its threads needs: threads that part do not meet again by themselves
        // (device-kernels.md, "Windows that move").
        if constexpr (view::all_fit) {
            if (!held) o = without_special(x);
        } else if (!(U > 1 ? __all_sync(all_lanes, held) : held)) {
            return take_widely<(U > 1)>(x, o, area);
        }
        if (held) signs_ = o.signs;
        double v[1][K];
        for (int k = 0; k < K; ++k) v[0][k] = Absolute ? fabs(view::exact(x[k])) : view::exact(x[k]);
        if constexpr (has_first) first_.add(v);
        if constexpr (has_second) squares_of<view>::add(second_, v[0], o);
    }

    template <class Input>
    __device__ __forceinline__ partial settle(Input const&, spill_area area) {
        partial p{};
        bool spilled = false;
        if constexpr (has_first) p.first = first_.settle(area, spilled, moves);
        if constexpr (has_bins) settle_bins(p.first, area, spilled);
        if constexpr (has_second) p.second = second_.settle(area, spilled, moves);
        area.touch(spilled);
        special_.settle(area, spilled);
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

    static constexpr bool approximates_sums = narrow && !has_second;
    /// The state of these sums, of which p is made, by doubles. What they round off is given 2^3 times what it can be, or
    /// 0 where they are exact: multiples of the first window's unit, fewer than 2^53, or of its second piece's. (That and
    /// the third, which may cancel, are added first.)
    __device__ __forceinline__ static auto approximate_sums(partial const& p, std::uint64_t const (&sums)[pieces], int blocks, index_t items) {
        using totals = window_totals<first_size>;
        auto const unit = [](int w, int k) { return power_of_two(first_home - window_step * w + totals::place(k)); };
        auto const at = [&](int w, int k) { return static_cast<double>(totals::units_of(sums, 3 * w + k, blocks)) * unit(w, k); };
        double const high = at(0, 1) + at(0, 2), middle = at(0, 0), low = at(1, 0) + (at(1, 1) + at(1, 2)), sum = high + (middle + low);
        bool const exact = low == 0 && fabs(sum) < power_of_two(first_home + 53 + (middle == 0 ? totals::place(1) : 0));
        double const error = exact ? 0 : (fabs(high) + middle + fabs(low)) * 0x1p-48;
        return sums_state<exact::near_sum, no_sum>{items, {}, !Absolute && p.marks.signs(1U << 31), {sum, error}, {}};
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
                   sum_if<has_second, exact::short_sum<second_home - window_step * (second_brief - 1)>>> s{};
        s.items = items;
        if constexpr (has_first) {
            p.first.template sum<first_brief>(s.first.value);
            s.only_negative_zeros = !Absolute && p.marks.signs(1U << 31);
        }
        if constexpr (has_second) p.second.template sum<second_brief>(s.second.value);
        return s;
    }
    /// Where a few items lie below the windows of a brief state, as of 2^19 normally distributed floats or 2^25
    /// doubles, or something was spilled.
    __device__ static bool approximate(gather const&, partial const& p, index_t items, spill_area area, bool spilled, near_state& s) {
        s.items = items;
        if (spilled) s.special = special_counts::read(area);
        if constexpr (!has_second) s.first = near_of<first_limbs>(p.first.near(first_home), area, first_word, spilled);
        else if constexpr (has_first) s.first = near::of(near_of<first_limbs>(p.first.near(first_home), area, first_word, spilled));
        if constexpr (has_second) s.second = near::of(near_of<second_limbs>(p.second.near(second_home), area, second_word, spilled));
        return true;
    }
    __device__ static auto full(gather const&, partial const& p, index_t items, spill_area area) {
        sums_state<sum_if<has_first, first_limbs>, sum_if<has_second, second_limbs>> s{};
        s.items = items;
        s.special = special_counts::read(area);
        if constexpr (has_first) {
            read_limbs(area, first_word, s.first);
            p.first.add_to(s.first, first_home);
            s.only_negative_zeros = !Absolute && p.marks.signs(1U << 31);
        }
        if constexpr (has_second) {
            read_limbs(area, second_word, s.second);
            p.second.add_to(s.second, second_home);
        }
        return s;
    }

  private:
    /// _brief: how many windows a brief state holds; those of squares have the square of the unit of those of first
    /// powers.
    static constexpr int first_brief = narrow && has_second ? 1 : 2, second_brief = narrow ? 2 : 4;
    /// The key of 2^exponent, or 0 if items end above that.
    static constexpr int bias = (1 << (float_format<T>::exponent_bits - 1)) - 1;
    __host__ __device__ static constexpr std::uint32_t key_of(int exponent) {
        return exponent + bias > 0 ? static_cast<std::uint32_t>(exponent + bias) << view::key_bits : 0;
    }
    static constexpr std::uint32_t infinity = key_of(bias + 1);
    /// Windows at home hold less than 2^above, and, the fast ones and all, all bits of what is not less than 2^_least:
    /// of floats, 2^11, 2^-15 and 2^-39. They move by so many binades, those of squares by twice as many.
    static constexpr int above = first_home + first_windows::reach_binades, fast_least = first_windows::last_fast + float_format<T>::significand_bits;
    static constexpr int deep_least = (has_second ? second_windows::last / 2 : first_windows::last) + float_format<T>::significand_bits;
    static constexpr int first_down = has_first ? first_windows::lowest - first_home : -4096, second_down = has_second ? (second_windows::lowest - second_home) / 2 : -4096;
    static constexpr int finite = bias + 1 - above, up_most = has_second ? (second_windows::highest - second_home) / 2 : first_windows::highest - first_home;
    static constexpr int lowest_shift = first_down > second_down ? first_down : second_down, highest_shift = finite < up_most ? finite : up_most;

    /// Whether windows that hold keys by so much greater than at home hold items, to which 2^least is not too small
    /// there.
    __device__ __forceinline__ static bool lies(outline const& o, int least, std::uint32_t up) {
        return view::all_fit ? o.most < infinity : o.most < key_of(above) + up && o.fewest >= key_of(least) + up - 1;
    }
    __device__ __forceinline__ static std::uint32_t up_of(int shift) { return static_cast<std::uint32_t>(shift) << view::key_bits; }
    __device__ __forceinline__ std::uint32_t up() const {
        if constexpr (has_first) return up_of(first_.q() - first_home);
        else return up_of((second_.q() - second_home) / 2);
    }
    /// Items that the fast windows do not hold: by all windows, some at a time, or, what these do not hold either, one
    /// by one. (Rolled, so that this is there once, and items move round, as words, lest 16-bit floats take a register
    /// each.)
    template <bool Together, int K>
    __device__ __forceinline__ void take_widely(T (&x)[K], outline o, spill_area area) {
        if (o.most < infinity) signs_ = o.signs;
        else o = without_special(x);
        if constexpr (moves) place(o, Together ? max_warp(o.most) : o.most, area);
        bool const lie = lies(o, deep_least, up()), held = Together ? __all_sync(all_lanes, lie) : lie;
        if constexpr (has_bins)
            if (!held) return bins_.add(x, Absolute);
        constexpr int group = K % 8 == 0 && sizeof(T) == 2 ? 8 : K % 4 == 0 ? 4 : K % 2 == 0 ? 2 : 1, size = group * sizeof(T), words = (size + 3) / 4;
        std::uint32_t raw[words * K / group];
        for (int g = 0; g < K / group; ++g) std::memcpy(raw + g * words, x + g * group, size);
#pragma unroll 1
        for (int k = 0; k < K; k += group) {
            T part[group];
            std::memcpy(part, raw, size);
#pragma unroll 1
            for (int g = 0; !held && g < group; ++g) {
                std::uint32_t const key = view::key(part[0]);
                if (!lies({0, key, key - 1}, deep_least, up())) {
                    take_alone(part[0], area);
                    part[0] = T{};
                }
                move_round<1, group>(part);
            }
            double v[1][group];
            for (int g = 0; g < group; ++g) v[0][g] = Absolute ? fabs(view::exact(part[g])) : view::exact(part[g]);
            if constexpr (has_first) first_.template add<true>(v);
            if constexpr (has_second) squares_of<view>::template add_each<true>(second_, v[0]);
            move_round<words, words * K / group>(raw);
        }
    }
    /// Moves the windows, by multiples of 8 binades, to 4 to 12 above `most`, the greatest key of a warp, so that it
    /// moves them to one place: where they miss some items or have all near their lower end, and hold all there. Items
    /// of all magnitudes would move them to and fro.
    __device__ __forceinline__ void place(outline const& o, std::uint32_t most, spill_area area) {
        if (most == 0 || (lies(o, deep_least, up()) && most >= key_of(fast_least + 8) + up())) return;
        int const top = static_cast<int>(most >> view::key_bits) - (bias - 1), wanted = room_above(top - above);
        int const shift = wanted < lowest_shift ? lowest_shift : wanted > highest_shift ? highest_shift : wanted;
        if (!lies(o, deep_least, up_of(shift))) return;
        if constexpr (has_first) first_.move(first_home + shift, area);
        if constexpr (has_second) second_.move(second_home + 2 * shift, area);
    }
    /// A finite item that the windows do not hold.
    __device__ __forceinline__ void take_alone(T item, spill_area area) {
        constexpr int bits = float_format<T>::significand_bits + 1;
        using integer = std::conditional_t<2 * bits < 64, std::int64_t, int128>;
        auto const d = decompose(item);
        if constexpr (has_first) first_.template spill<bits>(Absolute && d.significand < 0 ? -d.significand : d.significand, d.exponent, area);
        if constexpr (has_second) second_.template spill<2 * bits>(integer{d.significand} * d.significand, 2 * d.exponent, area);
    }

    /// Adds the bins of floats below 2^18 that are multiples of the second unit to the totals: 2^37 of them leave 2^95
    /// first units.
    __device__ __forceinline__ void settle_bins(window_totals<first_size>& totals, spill_area area, bool& spilled) {
        auto const add = [&](int exponent, std::int64_t value) {
            int const up = exponent - first_home;
            if (up < -window_step || up >= 32) return false;
            int128 const units = static_cast<int128>(value) << (up < 0 ? up + window_step : up);
            totals.total[0] += up < 0 ? units >> window_step : units;
            if (up < 0) totals.total[1] += units & ((int128{1} << window_step) - 1);
            return true;
        };
        bins_.template settle<first_limbs::low>(add, area, spilled);
    }

    /// Counts NaN and infinities, and leaves zeros in their places.
    template <int K>
    __device__ __forceinline__ outline without_special(T (&x)[K]) {
        for (int k = 0; k < K; ++k) {
            if (!is_nan(x[k])) signs_ &= view::high_word(x[k]);
            if (magnitude_bits(x[k]) < infinity_bits<T>) continue;
            special_.add(x[k], Absolute);
            x[k] = T{};
        }
        return view::template look<false>(x, signs_);
    }

    sum_if<has_first, first_windows> first_;
    sum_if<has_second, second_windows> second_;
    sum_if<has_bins, exponent_bins<first_word>> bins_;
    special_counts special_;
    std::uint32_t signs_ = ~0U;
};

}  // namespace warpfold::device
