// Lanes of least and greatest items and where they are.
#pragma once

#include "../contest.hpp"
#include "../halves.hpp"
#include "../lane.hpp"
#include "../load.hpp"
#include "../warp.hpp"
#include "extrema_shortcut.hpp"

// After these: it brings the other lanes of extremes.
#include "../../folds/extrema.hpp"

namespace warpfold::device {

/// Compares tiles with the best that a warp's lanes found. Where an index is asked for, the lane remembers the tile
/// that holds its best item and looks for it there when all is read.
template <class T, bool Indexed>
class lane<folds::extrema<T, Indexed>> {
    using gather = folds::extrema<T, Indexed>;
    using order = typename gather::order;
    using key = typename order::key;
    /// Keys of one register are compared without conversions between 16 and 32 bits.
    using wide_key = std::conditional_t<(sizeof(key) < 4), int, key>;
    static constexpr index_t nowhere = gather::nowhere;
    /// Items of 64 bits are looked at by their upper words first, of which an instruction takes two.
    static constexpr bool by_words = sizeof(T) == 8 && (is_float<T> || is_integer<T>);
    using word = std::conditional_t<is_float<T>, float, std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>>;
    using mark = std::conditional_t<by_words, typename folds::ordering<word>::key, wide_key>;
    /// Whether tiles are compared with what all lanes of a warp found. Short integers tie too often for it to save
    /// anything.
    static constexpr bool by_warps = is_float<T> || sizeof(T) >= 4;
    static constexpr int rows_bits = 3;  ///< the lowest of a tile's place: its rows, none of a single item; above them where it begins

    struct places {
        index_t first_nan = nowhere;
        index_t min = nowhere;
        index_t max = nowhere;
    };
    struct no_places {};
    using where = std::conditional_t<Indexed, places, no_places>;

  public:
    using shortcut = extrema_shortcut<gather, Indexed>;
    using joint_shortcut = shortcut;
    struct partial {
        wide_key min = highest_of<key>;
        wide_key max = lowest_of<key>;
        index_t nans = 0;
        where at;
    };
    struct state {
        index_t items, nans, first_nan, min_index, max_index;
        key min, max;
    };
    static constexpr int spill_words = 0, private_words = 0;
    static constexpr lane_needs needs{};

    __device__ __forceinline__ lane(gather const&, thread_memory) {}

    template <int U, int V>
    __device__ __forceinline__ void take(T const (&x)[U][V], index_t first, index_t stride, spill_area) {
        wide_key low, high;
        if constexpr (by_words) {
            bounds_of<word> words;
#pragma unroll
            for (int u = 0; u < U; ++u) {
#pragma unroll
                for (int v = 0; v < V; ++v) words.take(bits_as<word>(static_cast<std::uint32_t>(bits_as<std::uint64_t>(x[u][v]) >> 32)), 0);
            }
            if (lies_between<U>(words.low(), words.high())) return;
        }
        bounds(x, low, high);
        if constexpr (Indexed && !by_words)
            if (lies_between<U>(low, high)) return;
        // NaN have keys beyond those of the infinities.
        if (is_float<T> && (low < order::of(infinity_of(true)) || high > order::of(infinity_of(false)))) {
            low = highest_of<key>;
            high = lowest_of<key>;
            take_numbers(x, first, stride, low, high);
        }
        if constexpr (Indexed) {
            // Tiles come in any order, so that one whose best ties with what was found has to be looked at too.
            static_assert(U < 1 << rows_bits);
            index_t const place = first << rows_bits | (U * V == 1 ? 0 : U);
            wide_key const a = tie(low), b = tie(best_.min), c = tie(high), d = tie(best_.max);
            bool const numbers = low <= high;
            if (numbers && (a < b || (a == b && place < best_.at.min))) best_.at.min = place;
            if (numbers && (c > d || (c == d && place < best_.at.max))) best_.at.max = place;
            if (U * V > 1) stride_ = stride;
        }
        best_.min = low < best_.min ? low : best_.min;
        best_.max = high > best_.max ? high : best_.max;
        if constexpr ((Indexed || by_words) && by_warps && U > 1) {
            mark const least = mark_of(best_.min), most = mark_of(best_.max);
            if (__any_sync(all_lanes, least < least_ || most > most_)) {
                least_ = min_warp(least);
                most_ = max_warp(most);
                if (is_float<T> && least_ == mark(-1)) least_ = 0;  // the two zeros tie
                if (is_float<T> && most_ == 0) most_ = mark(-1);
            }
        }
    }

    template <class Input>
    __device__ __forceinline__ partial settle(Input const& in, spill_area) {
        if constexpr (Indexed) {
            wide_key const min = tie(best_.min), max = tie(best_.max), least = min_warp(min), most = max_warp(max);
            best_.at.min = find(in, min == least ? best_.at.min : nowhere, stride_, least);
            best_.at.max = find(in, max == most ? best_.at.max : nowhere, stride_, most);
        }
        return best_;
    }

    __device__ __forceinline__ static partial identity(gather const&) { return {}; }
    __device__ __forceinline__ static void merge(gather const&, partial& p, partial const& later) {
        if constexpr (Indexed) {
            auto const a = tie(p.min), b = tie(later.min), c = tie(p.max), d = tie(later.max);
            if (b < a || (b == a && later.at.min < p.at.min)) p.at.min = later.at.min;
            if (d > c || (d == c && later.at.max < p.at.max)) p.at.max = later.at.max;
            if (later.at.first_nan < p.at.first_nan) p.at.first_nan = later.at.first_nan;
        }
        p.min = later.min < p.min ? later.min : p.min;
        p.max = later.max > p.max ? later.max : p.max;
        p.nans += later.nans;
    }
    __device__ __forceinline__ static void merge_warp(gather const&, partial& p) {
        if constexpr (Indexed) {
            wide_key const min = tie(p.min), max = tie(p.max);
            p.at.min = min_warp(min == min_warp(min) ? p.at.min : nowhere);
            p.at.max = min_warp(max == max_warp(max) ? p.at.max : nowhere);
            if (__any_sync(all_lanes, p.nans != 0)) p.at.first_nan = min_warp(p.at.first_nan);
        }
        p.min = min_warp(p.min);
        p.max = max_warp(p.max);
        wide_integer<2> nans;
        nans.set(p.nans);
        p.nans = static_cast<index_t>(sum_warp(nans).value());
    }
    /// Keys that leave room for a count in a word.
    static constexpr bool has_contest = !Indexed && sizeof(key) <= 4;
    /// Blocks meet by the extremes that Fold needs; NaN as marks.
    template <class Fold>
    __device__ __forceinline__ static bool meet(std::uint64_t* words, partial& p, int blocks, index_t items) {
        constexpr bool low = Fold::extreme != folds::side::high, high = Fold::extreme != folds::side::low;
        // Adding it makes keys naturals in their order; complements turn the order round.
        constexpr std::uint32_t offset = std::is_signed_v<wide_key> ? 1U << 31 : 0;
        bool const lowest = low && (!high || threadIdx.x == 0);
        std::uint64_t result[low && high ? 2 : 1];
        if (!contest::join(words, static_cast<std::uint32_t>(lowest ? ~p.min : p.max) + offset, p.nans != 0, blocks, result)) return false;
        auto const key_of = [](std::uint64_t word) { return static_cast<wide_key>(contest::number_of(word) - offset); };
        if constexpr (low) p.min = ~key_of(result[0]);
        if constexpr (high) p.max = key_of(result[low && high ? 1 : 0]);
        // Whether all items are NaN is all that matters of how many.
        bool const none = low ? p.min == highest_of<key> : p.max == lowest_of<key>;
        p.nans = !contest::is_marked(result[0]) ? 0 : none ? items : 1;
        return true;
    }
    __device__ static bool fits(partial const&) { return true; }
    __device__ static state brief(gather const&, partial const& p, index_t items, spill_area) {
        state s{items, p.nans, nowhere, nowhere, nowhere, static_cast<key>(p.min), static_cast<key>(p.max)};
        if constexpr (Indexed) {
            s.first_nan = p.at.first_nan;
            s.min_index = p.at.min;
            s.max_index = p.at.max;
        }
        return s;
    }
    __device__ static state full(gather const& g, partial const& p, index_t items, spill_area area) {
        return brief(g, p, items, area);
    }

  private:
    static constexpr bool halves = is_float<T> && sizeof(T) == 2;

    /// The positive infinity, or its negative; T is a float.
    __device__ __forceinline__ static T infinity_of(bool negative) {
        if constexpr (is_float<T>) {
            using bits = typename float_format<T>::bits;
            return bits_as<T>(static_cast<bits>(infinity_bits<T> | bits{negative} << (8 * sizeof(bits) - 1)));
        } else {
            return T{};
        }
    }
    /// The least and the greatest key.
    template <int U, int V>
    __device__ __forceinline__ static void bounds(T const (&x)[U][V], wide_key& low, wide_key& high) {
        if constexpr (halves && V % 2 == 0) {
            std::uint32_t least = ~0U, greatest = 0, top = half_signs;
#pragma unroll
            for (int u = 0; u < U; ++u) {
#pragma unroll
                for (int v = 0; v < V; v += 2) {
                    std::uint32_t const two = two_halves(x[u], v, 0);
                    least = min_halves(least, two);
                    greatest = max_halves(greatest, two);
                    top = max_signed_halves(top, two);
                }
            }
            bit_bounds<T> const bounds(half_of<T>(min_halves(least, least >> 16), 0), half_of<T>(max_halves(greatest, greatest >> 16), 0),
                                       half_of<T>(max_signed_halves(top, top >> 16), 0));
            low = bounds.low();
            high = bounds.high();
        } else if constexpr (is_float<T> && sizeof(T) <= 4) {
            bit_bounds<T> bounds;
#pragma unroll
            for (int u = 0; u < U; ++u) {
#pragma unroll
                for (int v = 0; v < V; ++v) bounds.take(x[u][v], 0);
            }
            low = bounds.low();
            high = bounds.high();
        } else {
            low = highest_of<key>;
            high = lowest_of<key>;
#pragma unroll
            for (int u = 0; u < U; ++u) {
#pragma unroll
                for (int v = 0; v < V; ++v) {
                    wide_key const k = order::of(x[u][v]);
                    low = k < low ? k : low;
                    high = k > high ? k : high;
                }
            }
        }
    }
    __device__ __forceinline__ static mark mark_of(wide_key k) {
        if constexpr (by_words) return static_cast<mark>(k >> 32);
        else return k;
    }
    /// Whether no tile of a warp, or not this lane's, reaches what was found. A NaN, beyond the infinities, does.
    template <int U>
    __device__ __forceinline__ bool lies_between(mark low, mark high) const {
        if constexpr (!by_warps) return low > best_.min && high < best_.max;
        bool const between = low > least_ && high < most_;
        return U > 1 ? __all_sync(all_lanes, between) : between;
    }
    __device__ __forceinline__ static wide_key tie(wide_key k) { return order::tie(static_cast<key>(k)); }

    template <int U, int V>
    __device__ __forceinline__ void take_numbers(T const (&x)[U][V], index_t first, index_t stride, wide_key& low,
                                                 wide_key& high) {
#pragma unroll
        for (int u = 0; u < U; ++u) {
#pragma unroll
            for (int v = 0; v < V; ++v) {
                if (is_nan(x[u][v])) {
                    ++best_.nans;
                    if constexpr (Indexed) {
                        index_t const i = first + u * stride + v;
                        if (i < best_.at.first_nan) best_.at.first_nan = i;
                    }
                } else {
                    wide_key const k = order::of(x[u][v]);
                    low = k < low ? k : low;
                    high = k > high ? k : high;
                }
            }
        }
    }

    /// The lowest position of an item that ties with `best`, in the tiles at `place` of each lane. The lanes of a warp
    /// look together, for all but the first load have to wait for it otherwise.
    template <class Input>
    __device__ __noinline__ static index_t find(Input const& in, index_t place, index_t stride, wide_key best) {
        constexpr int V = vector_items<Input>;
        index_t found = nowhere;
        for (unsigned waiting = __ballot_sync(all_lanes, place != nowhere); waiting != 0; waiting &= waiting - 1) {
            int const who = __ffs(static_cast<int>(waiting)) - 1;
            index_t const here = __shfl_sync(all_lanes, place, who), step = __shfl_sync(all_lanes, stride, who);
            index_t const begin = here >> rows_bits;
            int const items = static_cast<int>(here & ((1 << rows_bits) - 1)) * V;
            if (items == 0) found = begin < found ? begin : found;
            if (begin > found) continue;
            for (int base = 0; base < items; base += warp_lanes) {
                int const k = base + static_cast<int>(threadIdx.x % warp_lanes);
                typename Input::value_type x[1];
                if (k < items) load<false>(in, begin + k / V * step + k % V, x);
                unsigned const those = __ballot_sync(all_lanes, k < items && !is_nan(x[0]) && tie(order::of(x[0])) == best);
                if (those == 0) continue;
                int const first = base + __ffs(static_cast<int>(those)) - 1;
                index_t const at = begin + first / V * step + first % V;
                found = at < found ? at : found;
                break;
            }
        }
        return found;
    }

    partial best_;
    mark least_ = highest_of<mark>, most_ = lowest_of<mark>;  ///< what a warp's lanes found, or, so that zeros tie, the zero beside it
    index_t stride_ = 0;
};

}  // namespace warpfold::device
