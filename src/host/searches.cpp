// Searches for a zero or a nonzero item, counts of NaN, and the greatest magnitude.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/searches.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each target

#include <hwy/highway.h>

#include "host/prefetch.hpp"
#include "host/route_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::host::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// |items| as lanes of unsigned words: the bits of a float, the absolute value of an integer.
template <class T>
struct magnitude_lanes {
    using word = std::make_unsigned_t<decltype([] {
        if constexpr (is_float<T>) return typename float_format<T>::bits{};
        else if constexpr (std::is_same_v<T, bool>) return std::uint8_t{};
        else return T{};
    }())>;
    using tag = hn::ScalableTag<word>;
    static constexpr auto width = static_cast<index_t>(hn::MaxLanes(tag{}));

    static HWY_INLINE hn::Vec<tag> load(T const* x) {
        tag const d;
        if constexpr (is_float<T>) {
            constexpr auto mask = static_cast<word>(std::numeric_limits<word>::max() >> 1);
            return hn::And(hn::LoadU(d, reinterpret_cast<word const*>(x)), hn::Set(d, mask));
        } else if constexpr (std::is_signed_v<T>) {
            hn::RebindToSigned<tag> const di;
            return hn::BitCast(d, hn::Abs(hn::LoadU(di, x)));
        } else {
            return hn::LoadU(d, reinterpret_cast<word const*>(x));
        }
    }
};

struct searches {
    template <class T, folds::wanted Wanted>
    static void run(folds::search<T, Wanted> const& gather, typename folds::search<T, Wanted>::state& s, T const* items,
                    index_t count, index_t first) {
        using lanes = magnitude_lanes<T>;
        typename lanes::tag const d;
        prefetcher const prefetch{count, sizeof(T)};
        index_t i = 0;
        for (; i + 4 * lanes::width <= count && !s.found; i += 4 * lanes::width) {
            prefetch.ahead(items + i, 4 * lanes::width);
            auto const in = [&](index_t k) HWY_ATTR { return matches<T, Wanted>(lanes::load(items + i + k * lanes::width)); };
            s.found = !hn::AllFalse(d, hn::Or(hn::Or(in(0), in(1)), hn::Or(in(2), in(3))));
        }
        for (; i < count && !s.found; ++i) gather.step(s, items[i], first + i);
    }

    template <class T, folds::wanted Wanted>
    static HWY_INLINE auto matches(hn::Vec<typename magnitude_lanes<T>::tag> m) {
        typename magnitude_lanes<T>::tag const d;
        auto const zero = hn::Eq(m, hn::Zero(d));
        if constexpr (Wanted == folds::wanted::zero) {
            return zero;
        } else if constexpr (Wanted == folds::wanted::not_zero || !is_float<T>) {
            return hn::Not(zero);
        } else {
            return hn::Not(hn::Or(zero, hn::Gt(m, hn::Set(d, infinity_bits<T>))));
        }
    }

    template <class T>
    static void run(folds::counts<T> const& gather, typename folds::counts<T>::state& s, T const* items, index_t count,
                    index_t first) {
        index_t i = 0;
        if constexpr (is_float<T>) {
            using lanes = magnitude_lanes<T>;
            typename lanes::tag const d;
            auto const infinity = hn::Set(d, infinity_bits<T>);
            prefetcher const prefetch{count, sizeof(T)};
            for (; i + lanes::width <= count; i += lanes::width) {
                prefetch.ahead(items + i, lanes::width);
                s.nans += static_cast<index_t>(hn::CountTrue(d, hn::Gt(lanes::load(items + i), infinity)));
            }
            s.items += i;
            for (; i < count; ++i) gather.step(s, items[i], first + i);
        } else {
            s.items += count;
        }
    }

    template <class T>
    static void run(folds::magnitudes<T> const& gather, typename folds::magnitudes<T>::state& s, T const* items,
                    index_t count, index_t first) {
        using lanes = magnitude_lanes<T>;
        typename lanes::tag const d;
        auto max0 = hn::Zero(d), max1 = hn::Zero(d);
        prefetcher const prefetch{count, sizeof(T)};
        index_t nans = 0, i = 0;
        for (; i + 2 * lanes::width <= count; i += 2 * lanes::width) {
            prefetch.ahead(items + i, 2 * lanes::width);
            auto a = lanes::load(items + i), b = lanes::load(items + i + lanes::width);
            if constexpr (is_float<T>) {
                auto const infinity = hn::Set(d, infinity_bits<T>);
                auto const nan_a = hn::Gt(a, infinity), nan_b = hn::Gt(b, infinity);
                nans += static_cast<index_t>(hn::CountTrue(d, nan_a) + hn::CountTrue(d, nan_b));
                a = hn::IfThenZeroElse(nan_a, a);
                b = hn::IfThenZeroElse(nan_b, b);
            }
            max0 = hn::Max(max0, a);
            max1 = hn::Max(max1, b);
        }
        HWY_ALIGN typename lanes::word lane[lanes::width];
        hn::Store(hn::Max(max0, max1), d, lane);
        for (auto const m : lane)
            if (m > s.max) s.max = m;
        s.items += i;
        s.nans += nans;
        for (; i < count; ++i) gather.step(s, items[i], first + i);
    }
};

void run_searches(std::size_t route, void* state, void const* items, index_t count, index_t first) {
    route_table<searches, for_numbers<routes::searches>>::run(route, state, items, count, first);
}

}  // namespace warpfold::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpfold::host {

HWY_EXPORT(run_searches);
void run_searches(std::size_t route, void* state, void const* items, index_t count, index_t first) {
    HWY_DYNAMIC_DISPATCH(run_searches)(route, state, items, count, first);
}

}  // namespace warpfold::host
#endif
