// Minimum and maximum of a tile, and where they are.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/extrema.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each target

#include <hwy/highway.h>

#include <optional>

#include "host/prefetch.hpp"
#include "host/processor.hpp"
#include "host/route_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::host::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// How the extremes of a tile are found: by the order of the processor's floats, which sees no sign of a zero; by keys,
/// which do; by keys, and without NaN.
enum class tile_way { by_value, by_keys, without_nans };

/// Keys of a tile, as lanes.
template <class T>
struct tile_keys {
    /// Whether the processor has an order of them that takes fewer operations than that of their keys.
    static constexpr bool has_values = std::is_same_v<T, float> || std::is_same_v<T, double>;
    using item = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;
    using order = folds::ordering<item>;
    using key = typename order::key;
    using tag = hn::ScalableTag<key>;
    using lanes = hn::Vec<tag>;
    static constexpr auto width = static_cast<index_t>(hn::MaxLanes(tag{}));
    static constexpr key infinity = [] {
        if constexpr (is_float<T>) return static_cast<key>(infinity_bits<T>);
        else return std::numeric_limits<key>::max();
    }();
    static constexpr key minus_infinity = static_cast<key>(~infinity);

    lanes min, max;
    index_t nans = 0;

    static HWY_INLINE lanes load(T const* x) { return key_of(hn::LoadU(tag{}, reinterpret_cast<key const*>(x))); }
    static HWY_INLINE lanes key_of(lanes k) {
        if constexpr (is_float<T>) {
            auto const negative = hn::BroadcastSignBit(k);
            return hn::Xor(k, hn::And(negative, hn::Set(tag{}, order::all_but_sign)));
        } else {
            return k;
        }
    }

    /// n is a multiple of two vectors. Where a NaN is met, keys beyond the infinities show it unless Skip.
    template <bool Skip>
    static HWY_NOINLINE tile_keys of(prefetcher prefetch, T const* x, index_t n) {
        tag const d;
        auto const highest = hn::Set(d, std::numeric_limits<key>::max());
        auto const lowest = hn::Set(d, std::numeric_limits<key>::lowest());
        auto min0 = highest, min1 = highest, max0 = lowest, max1 = lowest;
        index_t nans = 0;
        for (index_t i = 0; i < n; i += 2 * width) {
            prefetch.ahead(x + i, 2 * width);
            auto const a = load(x + i), b = load(x + i + width);
            if constexpr (Skip) {
                auto const nan_a = is_nan_key(a), nan_b = is_nan_key(b);
                nans += static_cast<index_t>(hn::CountTrue(d, nan_a) + hn::CountTrue(d, nan_b));
                min0 = hn::Min(min0, hn::IfThenElse(nan_a, highest, a));
                max0 = hn::Max(max0, hn::IfThenElse(nan_a, lowest, a));
                min1 = hn::Min(min1, hn::IfThenElse(nan_b, highest, b));
                max1 = hn::Max(max1, hn::IfThenElse(nan_b, lowest, b));
            } else {
                min0 = hn::Min(min0, a);
                max0 = hn::Max(max0, a);
                min1 = hn::Min(min1, b);
                max1 = hn::Max(max1, b);
            }
        }
        return {hn::Min(min0, min1), hn::Max(max0, max1), nans};
    }

    /// Of items that either way finds. With AVX-512 keys take four operations a vector, one more than values; on Intel's
    /// processors they are faster all the same, as if floats' operations had a lower clock (Ice Lake, one core: floats
    /// of 512 KiB 43 GB/s by values and 53 by keys, of 512 MiB, which memory limits, 13.5 and 14.1).
    static tile_way fastest_way() {
        bool const keys_win = width * sizeof(T) == 64 && is_intel();
        return has_values && !keys_win ? tile_way::by_value : tile_way::by_keys;
    }
    /// By values: three operations a vector where keys take five. n is a multiple of two vectors. Nothing where an item
    /// is NaN or infinite, or an extreme is a zero: then keys are to be looked at. (Zen 3, one core, from its
    /// second-level cache: floats 54 → 83 GB/s, doubles 47 → 79.)
    static HWY_NOINLINE std::optional<tile_keys> of_values(prefetcher prefetch, T const* x, index_t n) {
        hn::ScalableTag<T> const d;
        auto const infinity = hn::Set(d, std::numeric_limits<T>::infinity()), zero = hn::Zero(d);
        hn::Vec<decltype(d)> min[4], max[4], poison[4];  // poison: 0, or NaN once an item was not finite
        for (int k = 0; k < 4; ++k) min[k] = infinity, max[k] = hn::Neg(infinity), poison[k] = zero;
        auto const take = [&](index_t i, int k) HWY_ATTR {
            auto const v = hn::LoadU(d, x + i + k * width);
            min[k] = hn::Min(min[k], v);
            max[k] = hn::Max(max[k], v);
            poison[k] = hn::MulAdd(v, zero, poison[k]);
        };
        index_t i = 0;
        for (; i + 4 * width <= n; i += 4 * width) {
            prefetch.ahead(x + i, 4 * width);
            for (int k = 0; k < 4; ++k) take(i, k);
        }
        if (i < n) take(i, 0), take(i, 1);
        auto const least = hn::Min(hn::Min(min[0], min[1]), hn::Min(min[2], min[3]));
        auto const greatest = hn::Max(hn::Max(max[0], max[1]), hn::Max(max[2], max[3]));
        auto const added = hn::Add(hn::Add(poison[0], poison[1]), hn::Add(poison[2], poison[3]));
        bool const finite = hn::AllTrue(d, hn::Eq(added, zero));
        if (!finite || hn::GetLane(hn::MinOfLanes(d, least)) == 0 || hn::GetLane(hn::MaxOfLanes(d, greatest)) == 0) return {};
        return tile_keys{key_of(hn::BitCast(tag{}, least)), key_of(hn::BitCast(tag{}, greatest))};
    }
    /// By the way given, or by a slower one, if it must.
    static tile_keys find(prefetcher prefetch, tile_way way, T const* x, index_t n) {
        if constexpr (has_values)
            if (way == tile_way::by_value)
                if (auto const found = of_values(prefetch, x, n)) return *found;
        if constexpr (!is_float<T>) {
            return of<false>(prefetch, x, n);
        } else {
            if (way != tile_way::without_nans)
                if (auto const found = of<false>(prefetch, x, n); !found.has_nan()) return found;
            return of<true>(prefetch, x, n);
        }
    }
    /// Whether of_values would have found these.
    bool by_value() const {
        bool const zero_least = below(1) && !below(-1), zero_greatest = above(-2) && !above(0);
        return has_values && !zero_least && !zero_greatest && !below(minus_infinity + 1) && !above(infinity - 1);
    }

    static HWY_INLINE auto is_nan_key(lanes k) {
        tag const d;
        return hn::Or(hn::Gt(k, hn::Set(d, infinity)), hn::Lt(k, hn::Set(d, minus_infinity)));
    }
    bool has_nan() const {
        tag const d;
        return !hn::AllFalse(d, hn::Or(hn::Gt(max, hn::Set(d, infinity)), hn::Lt(min, hn::Set(d, minus_infinity))));
    }
    bool below(key k) const { return !hn::AllFalse(tag{}, hn::Lt(min, hn::Set(tag{}, k))); }
    bool above(key k) const { return !hn::AllFalse(tag{}, hn::Gt(max, hn::Set(tag{}, k))); }

    key least() const { return extreme(min, [](key a, key b) { return a < b; }); }
    key greatest() const { return extreme(max, [](key a, key b) { return a > b; }); }

  private:
    template <class Before>
    static key extreme(lanes v, Before before) {
        HWY_ALIGN key lane[hn::MaxLanes(tag{})];
        hn::Store(v, tag{}, lane);
        key best = lane[0];
        for (key const k : lane)
            if (before(k, best)) best = k;
        return best;
    }
};

struct extrema {
    template <class T, bool Indexed>
    static void run(folds::extrema<T, Indexed> const& gather, typename folds::extrema<T, Indexed>::state& s,
                    T const* items, index_t count, index_t first) {
        constexpr index_t tile = (index_t{1} << 14) / static_cast<index_t>(sizeof(T));
        constexpr auto pair_of_vectors = static_cast<index_t>(2 * hn::MaxLanes(typename tile_keys<T>::tag{}));
        index_t const whole = count / pair_of_vectors * pair_of_vectors;
        prefetcher const prefetch{count, sizeof(T)};
        auto likely = tile_keys<T>::fastest_way();
        for (index_t i = 0; i < whole; i += tile)
            take_tile<T, Indexed>(prefetch, likely, s, items + i, whole - i < tile ? whole - i : tile, first + i);
        for (index_t i = whole; i < count; ++i) gather.step(s, items[i], first + i);
    }

    /// Goes the way that the tile before went first: where one tile had NaN, the next one probably has some.
    template <class T, bool Indexed>
    static void take_tile(prefetcher prefetch, tile_way& likely, typename folds::extrema<T, Indexed>::state& s, T const* x,
                          index_t n, index_t first) {
        using gather = folds::extrema<T, Indexed>;
        using order = folds::ordering<T>;
        auto const keys = tile_keys<T>::find(prefetch, likely, x, n);
        if constexpr (is_float<T>) {
            likely = keys.nans > 0 ? tile_way::without_nans : keys.by_value() ? keys.fastest_way() : tile_way::by_keys;
            s.nans += keys.nans;
            if (keys.nans > 0 && s.first_nan == gather::nowhere) s.first_nan = first + find_nan(x);
        }
        s.items += n;
        if (keys.nans == n) return;
        // An index is looked for only where the tile beats what came before it.
        bool const untouched = s.min_index == gather::nowhere;
        if (keys.below(s.min) || (Indexed && untouched)) {
            auto const k = static_cast<typename order::key>(keys.least());
            gather::lower(s, k, Indexed ? first + find_tie<T>(x, k) : 0);
        }
        if (keys.above(s.max) || (Indexed && untouched)) {
            auto const k = static_cast<typename order::key>(keys.greatest());
            gather::raise(s, k, Indexed ? first + find_tie<T>(x, k) : 0);
        }
    }

    /// The position of the first NaN of a tile that has one.
    template <class T>
    static index_t find_nan(T const* x) {
        index_t i = 0;
        while (!is_nan(x[i])) ++i;
        return i;
    }
    /// The position of the first item whose key is, or ties with, one that is known to be there.
    template <class T>
    static index_t find_tie(T const* x, typename folds::ordering<T>::key k) {
        using order = folds::ordering<T>;
        using keys = tile_keys<T>;
        typename keys::tag const d;
        auto const wanted = static_cast<typename keys::key>(order::tie(k));
        auto const one = hn::Set(d, wanted), other = hn::Set(d, is_float<T> && wanted == 0 ? typename keys::key(-1) : wanted);
        for (index_t i = 0;; i += keys::width) {
            auto const found = keys::load(x + i);
            auto const at = hn::FindFirstTrue(d, hn::Or(hn::Eq(found, one), hn::Eq(found, other)));
            if (at >= 0) return i + static_cast<index_t>(at);
        }
    }
};

void run_extrema(std::size_t route, void* state, void const* items, index_t count, index_t first) {
    route_table<extrema, for_numbers<routes::extrema>>::run(route, state, items, count, first);
}

}  // namespace warpfold::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpfold::host {

HWY_EXPORT(run_extrema);
void run_extrema(std::size_t route, void* state, void const* items, index_t count, index_t first) {
    HWY_DYNAMIC_DISPATCH(run_extrema)(route, state, items, count, first);
}

}  // namespace warpfold::host
#endif
