// Exact sums of integers, of their magnitudes and of their squares.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/integer_sums.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each target

#include <hwy/highway.h>

#include "host/prefetch.hpp"
#include "host/route_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::host::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using quads = hn::ScalableTag<std::uint64_t>;
using quad_lanes = hn::Vec<quads>;

HWY_INLINE uint128 sum_of_lanes(quad_lanes v) {
    HWY_ALIGN std::uint64_t lane[hn::MaxLanes(quads{})];
    hn::Store(v, quads{}, lane);
    uint128 sum = 0;
    for (auto const x : lane) sum += x;
    return sum;
}

/// Adds lanes of unsigned words of any width into 64-bit lanes. No lane overflows within 2^32 vectors.
template <class Word>
class word_sum {
  public:
    using tag = hn::ScalableTag<Word>;

    HWY_INLINE word_sum() : low_{hn::Zero(quads{})}, high_{hn::Zero(quads{})} {}

    HWY_INLINE void add(hn::Vec<tag> v) {
        if constexpr (sizeof(Word) == 1) {
            low_ = hn::Add(low_, hn::SumsOf8(v));
        } else if constexpr (sizeof(Word) == 2) {
            hn::ScalableTag<std::uint32_t> const d32;
            auto const pairs = hn::BitCast(d32, v);
            add_pairs(hn::Add(hn::And(pairs, hn::Set(d32, 0xffffU)), hn::ShiftRight<16>(pairs)));
        } else {
            add_pairs(hn::BitCast(hn::ScalableTag<std::uint32_t>{}, v));
        }
    }
    /// The sum of all words.
    uint128 total() const {
        uint128 const high = sum_of_lanes(high_);
        return sum_of_lanes(low_) + (sizeof(Word) == 8 ? high << 32 : high);
    }

  private:
    HWY_INLINE void add_pairs(hn::Vec<hn::ScalableTag<std::uint32_t>> v) {
        quads const d;
        auto const q = hn::BitCast(d, v);
        low_ = hn::Add(low_, hn::And(q, hn::Set(d, std::uint64_t{0xffffffffU})));
        high_ = hn::Add(high_, hn::ShiftRight<32>(q));
    }

    quad_lanes low_, high_;
};

template <class T>
using unsigned_word = std::make_unsigned_t<std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>>;

/// Sum of x, or of |x|, over whole vectors; n is a multiple of the vector's lanes.
template <bool Absolute, class T>
HWY_NOINLINE int128 sum_values(T const* x, index_t n) {
    using word = unsigned_word<T>;
    hn::ScalableTag<word> const d;
    constexpr auto width = static_cast<index_t>(hn::MaxLanes(d));
    // Signed items are summed as unsigned ones, 2^(bits − 1) above themselves.
    constexpr auto bias = static_cast<word>(std::is_signed_v<T> && !Absolute ? word{1} << (8 * sizeof(word) - 1) : 0);
    word_sum<word> sum;
    for (index_t i = 0; i < n; i += width) {
        prefetch_ahead(x + i, width);
        auto v = hn::LoadU(d, reinterpret_cast<word const*>(x + i));
        if constexpr (Absolute && std::is_signed_v<T>)
            v = hn::BitCast(d, hn::Abs(hn::BitCast(hn::RebindToSigned<decltype(d)>{}, v)));
        else if constexpr (bias != 0)
            v = hn::Xor(v, hn::Set(d, bias));
        sum.add(v);
    }
    return static_cast<int128>(sum.total()) - static_cast<int128>(bias) * n;
}

/// Sum of x² over whole vectors of 32-bit lanes; n is a multiple of those.
template <class T>
HWY_NOINLINE uint128 sum_squares(T const* x, index_t n) {
    using wide = std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>;
    hn::ScalableTag<wide> const d;
    hn::ScalableTag<std::uint32_t> const du;
    constexpr auto width = static_cast<index_t>(hn::MaxLanes(d));
    word_sum<std::uint64_t> even, odd;
    for (index_t i = 0; i < n; i += width) {
        hn::Vec<hn::ScalableTag<std::uint32_t>> v;
        if constexpr (sizeof(T) == 4) {
            v = hn::BitCast(du, hn::LoadU(d, x + i));
        } else {
            using narrow = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;
            hn::Rebind<narrow, decltype(d)> const dn;
            v = hn::BitCast(du, hn::PromoteTo(d, hn::LoadU(dn, reinterpret_cast<narrow const*>(x + i))));
        }
        if constexpr (std::is_signed_v<T>) v = hn::BitCast(du, hn::Abs(hn::BitCast(d, v)));
        even.add(hn::MulEven(v, v));
        auto const o = hn::BitCast(du, hn::ShiftRight<32>(hn::BitCast(quads{}, v)));
        odd.add(hn::MulEven(o, o));
    }
    return even.total() + odd.total();
}

/// The same for items of one byte, whose squares 32-bit lanes add in pairs; n is a multiple of a vector of them.
template <class T>
HWY_NOINLINE uint128 sum_squares_of_bytes(T const* x, index_t n) {
    using byte = std::conditional_t<std::is_signed_v<T>, std::int8_t, std::uint8_t>;
    hn::ScalableTag<std::int16_t> const d;
    hn::ScalableTag<std::int32_t> const sums;
    hn::Rebind<byte, decltype(d)> const bytes;
    constexpr auto width = static_cast<index_t>(hn::MaxLanes(d));
    constexpr index_t endurance = 1 << 13;  // two squares below 2^16 each time: 31 bits hold 2^14 of them
    word_sum<std::uint32_t> sum;
    for (index_t i = 0; i < n;) {
        index_t const stop = n - i < endurance * width ? n : i + endurance * width;
        auto even = hn::Zero(sums), odd = hn::Zero(sums);
        for (; i < stop; i += width) {
            prefetch_ahead(x + i, width);
            auto const v = hn::PromoteTo(d, hn::LoadU(bytes, reinterpret_cast<byte const*>(x + i)));
            even = hn::ReorderWidenMulAccumulate(sums, v, v, even, odd);
        }
        hn::ScalableTag<std::uint32_t> const unsigned_sums;
        sum.add(hn::BitCast(unsigned_sums, even));
        sum.add(hn::BitCast(unsigned_sums, odd));
    }
    return sum.total();
}

struct integer_sums {
    /// Items of one stretch: few enough for the lanes of word_sum, and for 128 bits of squares.
    static constexpr index_t stretch = index_t{1} << 24;

    template <class T, folds::powers P, bool Absolute>
    static void run(folds::power_sums<T, P, Absolute> const& gather,
                    typename folds::power_sums<T, P, Absolute>::state& s, T const* items, index_t count,
                    index_t first) {
        if constexpr (HWY_TARGET == HWY_SCALAR) {  // whose one lane has no halves
            for (index_t i = 0; i < count; ++i) gather.step(s, items[i], first + i);
        } else {
            take_stretches(gather, s, items, count, first);
        }
    }

    template <class T, folds::powers P, bool Absolute>
    static void take_stretches(folds::power_sums<T, P, Absolute> const& gather,
                               typename folds::power_sums<T, P, Absolute>::state& s, T const* items, index_t count,
                               index_t first) {
        using g = folds::power_sums<T, P, Absolute>;
        constexpr auto width = static_cast<index_t>(hn::MaxLanes(hn::ScalableTag<unsigned_word<T>>{}));
        for (index_t begin = 0; begin < count; begin += stretch) {
            T const* x = items + begin;
            index_t const n = count - begin < stretch ? count - begin : stretch;
            index_t const whole = n / width * width;
            s.items += whole;
            s.only_negative_zeros = false;
            if constexpr (g::has_first) s.first.add(sum_values<Absolute>(x, whole), 0);
            if constexpr (g::has_second) add_squares(s, x, whole);
            for (index_t i = whole; i < n; ++i) gather.step(s, x[i], first + begin + i);
        }
    }

    template <class State, class T>
    static void add_squares(State& s, T const* x, index_t n) {
        if constexpr (sizeof(T) == 1) {
            s.second.add(static_cast<int128>(sum_squares_of_bytes(x, n)), 0);
        } else if constexpr (sizeof(T) < 8) {
            s.second.add(static_cast<int128>(sum_squares(x, n)), 0);
        } else {
            // 128-bit squares, their halves summed apart.
            uint128 low = 0, high = 0;
            for (index_t i = 0; i < n; ++i) {
                auto const m = folds::magnitude_of(x[i]);
                auto const square = static_cast<uint128>(m) * m;
                low += static_cast<std::uint64_t>(square);
                high += static_cast<std::uint64_t>(square >> 64);
            }
            s.second.add(static_cast<int128>(low), 0);
            s.second.add(static_cast<int128>(high), 64);
        }
    }
};

void run_integer_sums(std::size_t route, void* state, void const* items, index_t count, index_t first) {
    route_table<integer_sums, for_integers<routes::power_sums>>::run(route, state, items, count, first);
}

}  // namespace warpfold::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpfold::host {

HWY_EXPORT(run_integer_sums);
void run_integer_sums(std::size_t route, void* state, void const* items, index_t count, index_t first) {
    HWY_DYNAMIC_DISPATCH(run_integer_sums)(route, state, items, count, first);
}

}  // namespace warpfold::host
#endif
