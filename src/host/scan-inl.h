// What a tile of floats holds, before it is summed: included once for each SIMD target.

#if defined(WARPFOLD_SCAN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_SCAN_INL_H_
#undef WARPFOLD_SCAN_INL_H_
#else
#define WARPFOLD_SCAN_INL_H_
#endif

#include <algorithm>

#include "host/prefetch.hpp"
#include "host/windows-inl.h"
#include "warpfold/folds/sums.hpp"
#include "warpfold/host/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::host::HWY_NAMESPACE {

/// Items of a tile, floats or doubles: 16 KiB, so that this tile and the one that is being fetched fit the first-level
/// cache; fewer where a lane takes so many that two additions for each would be more than it endures.
template <class Lane>
inline constexpr index_t tile = hn::MaxLanes(doubles{}) > 1 ? (1 << 14) / sizeof(Lane) : window_endurance / 2;
/// Loops take so many items at a time, and tiles are padded to a multiple of it.
inline constexpr index_t step = 64;

/// Calls take(begin, n) for tiles of `count` items, of at most `most`, a multiple of `step`: first for those that begin
/// at a 64-byte boundary, as whole steps, which need no padding; then for what is left of the last one; and at last,
/// when totals have their place, for the few items before the boundary.
template <class T, class Take>
HWY_INLINE void for_each_tile(T const* items, index_t count, index_t most, Take const& take) {
    index_t const start = unaligned_items(items, count);
    for (index_t begin = start, n; begin < count; begin += n) {
        index_t const left = count - begin;
        n = left >= most ? most : left < step ? left : left / step * step;
        take(begin, n);
    }
    if (start > 0) take(0, start);
}

/// The greatest magnitude of a tile, and the least that is not zero, as bits.
template <class T>
struct magnitude_range {
    typename float_format<T>::bits most;
    typename float_format<T>::bits least;

    bool finite() const { return most < infinity_bits<T>; }
    bool zero() const { return most == 0; }

    bit_range bits() const {
        constexpr int bias = (1 << (float_format<T>::exponent_bits - 1)) - 1;
        constexpr int significand = float_format<T>::significand_bits;
        int const high = static_cast<int>(most >> significand), low = static_cast<int>(least >> significand);
        return {(high ? high : 1) - bias + 1, (low ? low : 1) - bias - significand};
    }
};

/// n is a multiple of `step`.
template <class T>
HWY_NOINLINE magnitude_range<T> scan(T const* x, index_t n) {
    using bits = typename float_format<T>::bits;
    hn::ScalableTag<bits> const d;
    auto const magnitude = hn::Set(d, static_cast<bits>(~(bits{1} << (8 * sizeof(bits) - 1))));
    auto const one = hn::Set(d, bits{1});
    auto most0 = hn::Zero(d), most1 = hn::Zero(d);
    auto least0 = hn::Not(hn::Zero(d)), least1 = least0;
    auto const* from = reinterpret_cast<bits const*>(x);
    auto const lanes = static_cast<index_t>(hn::Lanes(d));
    for (index_t i = 0; i < n; i += 2 * lanes) {
        auto const a = hn::And(hn::LoadU(d, from + i), magnitude);
        auto const b = hn::And(hn::LoadU(d, from + i + lanes), magnitude);
        most0 = hn::Max(most0, a);
        most1 = hn::Max(most1, b);
        // Zero wraps to the largest word, so that it never is the least.
        least0 = hn::Min(least0, hn::Sub(a, one));
        least1 = hn::Min(least1, hn::Sub(b, one));
    }
    return {hn::GetLane(hn::MaxOfLanes(d, hn::Max(most0, most1))),
            static_cast<bits>(hn::GetLane(hn::MinOfLanes(d, hn::Min(least0, least1))) + 1)};
}

/// The items as float or double, padded with −0, which changes no sum, to `padded` of them: in place where that is so
/// already.
template <class T, class Lane>
HWY_INLINE Lane const* as_lanes(T const* items, Lane* buffer, index_t n, index_t padded) {
    if constexpr (std::is_same_v<T, Lane>) {
        if (n == padded) return items;
    }
    for (index_t i = 0; i < n; ++i) buffer[i] = static_cast<Lane>(items[i]);
    for (index_t i = n; i < padded; ++i) buffer[i] = Lane{-0.0};
    return buffer;
}

/// decompose(x) for a multiple of 2^Low, at an exponent of at least Low: below the lowest bit of its own type, a
/// converted item has zeros.
template <int Low, class T>
auto decompose_above(T x) {
    auto v = decompose(x);
    if (v.significand != 0 && v.exponent < Low) {
        v.significand >>= Low - v.exponent;
        v.exponent = Low;
    }
    return v;
}

/// Copies a tile with −0, which changes no sum, in place of NaN and infinities, which it counts. n is a multiple of
/// `step`.
template <class T>
HWY_NOINLINE void take_exceptions(prefetcher prefetch, folds::exceptions& special, T const* x, T* finite, index_t n) {
    hn::ScalableTag<T> const d;
    auto const lanes = static_cast<index_t>(hn::Lanes(d));
    auto const infinity = hn::Set(d, std::numeric_limits<T>::infinity());
    auto infinite = hn::FirstN(d, 0);
    std::size_t numbers = 0;
    for (index_t i = 0; i < n; i += lanes) {
        prefetch.ahead(x + i, lanes);
        auto const v = hn::LoadU(d, x + i), magnitude = hn::Abs(v);
        auto const is_finite = hn::Lt(magnitude, infinity);
        hn::StoreU(hn::IfThenElse(is_finite, v, hn::Set(d, T{-0.0})), d, finite + i);
        numbers += hn::CountTrue(d, is_finite);
        infinite = hn::Or(infinite, hn::Eq(magnitude, infinity));
    }
    index_t const exceptions = n - static_cast<index_t>(numbers);
    index_t positive = 0, negative = 0;
    if (!hn::AllFalse(d, infinite)) {
        positive = std::count(x, x + n, std::numeric_limits<T>::infinity());
        negative = std::count(x, x + n, -std::numeric_limits<T>::infinity());
    }
    special.positive_infinities += positive;
    special.negative_infinities += negative;
    special.nans += exceptions - positive - negative;
}

/// Asks for the items that lie a tile ahead of two vectors of doubles: while one tile is summed, the next one arrives.
/// Without it the scan of a tile waits for memory and the sum does not (float32 sum: 16 instead of 22 GB/s a core).
template <class T>
HWY_INLINE void prefetch_next_tile(prefetcher prefetch, T const* x) {
    prefetch.ahead(x, 2 * hn::MaxLanes(doubles{}), tile<T> * sizeof(T));
}

/// Lanes of doubles from items.
HWY_INLINE double_lanes load_doubles(float const* x) {
    return hn::PromoteTo(doubles{}, hn::LoadU(hn::Rebind<float, doubles>{}, x));
}
HWY_INLINE double_lanes load_doubles(double const* x) { return hn::LoadU(doubles{}, x); }

}  // namespace warpfold::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
