// Counts of zeros and NaN, and the greatest magnitude.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/tallies.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each target

#include <hwy/highway.h>

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

struct tallies {
    template <class T>
    static void run(folds::tallies<T> const& gather, typename folds::tallies<T>::state& s, T const* items, index_t count,
                    index_t first) {
        using lanes = magnitude_lanes<T>;
        typename lanes::tag const d;
        index_t zeros = 0, nans = 0, i = 0;
        for (; i + lanes::width <= count; i += lanes::width) {
            auto const m = lanes::load(items + i);
            zeros += static_cast<index_t>(hn::CountTrue(d, hn::Eq(m, hn::Zero(d))));
            if constexpr (is_float<T>)
                nans += static_cast<index_t>(hn::CountTrue(d, hn::Gt(m, hn::Set(d, infinity_bits<T>))));
        }
        s.items += i;
        s.zeros += zeros;
        s.nans += nans;
        for (; i < count; ++i) gather.step(s, items[i], first + i);
    }

    template <class T>
    static void run(folds::magnitudes<T> const& gather, typename folds::magnitudes<T>::state& s, T const* items,
                    index_t count, index_t first) {
        using lanes = magnitude_lanes<T>;
        typename lanes::tag const d;
        auto max0 = hn::Zero(d), max1 = hn::Zero(d);
        index_t nans = 0, i = 0;
        for (; i + 2 * lanes::width <= count; i += 2 * lanes::width) {
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

void run_tallies(std::size_t route, void* state, void const* items, index_t count, index_t first) {
    route_table<tallies, for_numbers<routes::tallies>>::run(route, state, items, count, first);
}

}  // namespace warpfold::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpfold::host {

HWY_EXPORT(run_tallies);
void run_tallies(std::size_t route, void* state, void const* items, index_t count, index_t first) {
    HWY_DYNAMIC_DISPATCH(run_tallies)(route, state, items, count, first);
}

}  // namespace warpfold::host
#endif
