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

    HWY_INLINE word_sum() : all_{hn::Zero(quads{})}, high_{hn::Zero(quads{})} {}

    HWY_INLINE void add(hn::Vec<tag> v) {
        if constexpr (sizeof(Word) == 1) {
            all_ = hn::Add(all_, hn::SumsOf8(v));
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
        return sum_of_lanes(hn::Sub(all_, hn::ShiftLeft<32>(high_))) + (sizeof(Word) == 8 ? high << 32 : high);
    }

  private:
    HWY_INLINE void add_pairs(hn::Vec<hn::ScalableTag<std::uint32_t>> v) {
        auto const q = hn::BitCast(quads{}, v);
        all_ = hn::Add(all_, q);
        high_ = hn::Add(high_, hn::ShiftRight<32>(q));
    }

    // The sum of all bits wraps around. Less that of the upper halves, it is the sum of the lower ones, below 2^64: an
    // operation less than to add these.
    quad_lanes all_, high_;
};

/// What an item is read as: integers all.
template <class T>
using bits_of = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;
template <class T>
using unsigned_word = std::make_unsigned_t<bits_of<T>>;

/// Lanes of a vector of items.
template <class T>
inline constexpr auto width = static_cast<index_t>(hn::MaxLanes(hn::ScalableTag<unsigned_word<T>>{}));

/// Sums x, or |x|, a vector of items at a time.
template <class T, bool Absolute>
class value_sum {
  public:
    HWY_INLINE value_sum() {}
    HWY_INLINE void add(T const* x) {
        hn::ScalableTag<word> const d;
        auto v = hn::LoadU(d, reinterpret_cast<word const*>(x));
        if constexpr (Absolute && std::is_signed_v<T>)
            v = hn::BitCast(d, hn::Abs(hn::BitCast(hn::RebindToSigned<decltype(d)>{}, v)));
        else if constexpr (bias != 0)
            v = hn::Xor(v, hn::Set(d, bias));
        sum_.add(v);
    }
    /// The sum of the n items that were added.
    int128 total(index_t n) const { return static_cast<int128>(sum_.total()) - static_cast<int128>(bias) * n; }

  private:
    using word = unsigned_word<T>;
    // Signed items are summed as unsigned ones, 2^(bits − 1) above themselves.
    static constexpr auto bias =
        static_cast<word>(std::is_signed_v<T> && !Absolute ? word{1} << (8 * sizeof(word) - 1) : 0);

    word_sum<word> sum_;
};

/// Sums x² for items of four bytes or, widened to that, of two; a vector of items at a time.
template <class T>
class square_sum {
  public:
    HWY_INLINE square_sum() {}
    /// Items that add takes.
    static constexpr index_t step = width<T>;
    HWY_INLINE void add(T const* x) {
        constexpr auto lanes = static_cast<index_t>(hn::MaxLanes(d));
        for (index_t i = 0; i < width<T>; i += lanes) {
            if constexpr (sizeof(T) == 4) add_lanes(hn::LoadU(d, x + i));
            else add_lanes(hn::PromoteTo(d, hn::LoadU(hn::Rebind<T, tag>{}, x + i)));
        }
    }
    /// Adds the sum of the squares of the n items that were added.
    template <class Sum>
    void put_into(Sum& sum, index_t) const {
        sum.add(static_cast<int128>(pairs_.total() + odd_.total()), 0);
    }
    /// Calls of add between those of settle, which then has to be called.
    static constexpr index_t endurance = index_t{1} << 32;
    void settle() {}

  private:
    using tag = hn::ScalableTag<std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>>;
    static constexpr tag d{};

    HWY_INLINE void add_lanes(hn::Vec<tag> x) {
        auto const o = hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(quads{}, x)));
        auto const even = hn::BitCast(quads{}, hn::MulEven(x, x)), odd = hn::BitCast(quads{}, hn::MulEven(o, o));
        if constexpr (std::is_signed_v<T>) {  // two squares up to 2^62
            pairs_.add(hn::Add(even, odd));
        } else {
            pairs_.add(even);
            odd_.add(odd);
        }
    }

    word_sum<std::uint64_t> pairs_, odd_;
};

/// For items of one byte, whose squares 32-bit lanes add in pairs.
template <class T>
    requires(sizeof(T) == 1)
class square_sum<T> {
  public:
    HWY_INLINE square_sum() {}
    static constexpr index_t step = width<T>;
    HWY_INLINE void add(T const* x) {
        hn::Rebind<byte, decltype(d)> const bytes;
        constexpr auto lanes = static_cast<index_t>(hn::MaxLanes(d));
        for (index_t i = 0; i < width<T>; i += lanes) {
            auto const v = hn::PromoteTo(d, hn::LoadU(bytes, reinterpret_cast<byte const*>(x + i)));
            even_ = hn::ReorderWidenMulAccumulate(sums, v, v, even_, odd_);
        }
    }
    template <class Sum>
    void put_into(Sum& sum, index_t) const {
        sum.add(static_cast<int128>(settled_.total()), 0);
    }
    // Twice two squares below 2^16 each time: 31 bits hold 2^13 of that.
    static constexpr index_t endurance = 1 << 12;
    void settle() {
        hn::ScalableTag<std::uint32_t> const words;
        settled_.add(hn::BitCast(words, even_));
        settled_.add(hn::BitCast(words, odd_));
        even_ = odd_ = hn::Zero(sums);
    }

  private:
    using byte = std::conditional_t<std::is_signed_v<T>, std::int8_t, std::uint8_t>;
    static constexpr hn::ScalableTag<std::int16_t> d{};
    static constexpr hn::ScalableTag<std::int32_t> sums{};

    hn::Vec<hn::ScalableTag<std::int32_t>> even_ = hn::Zero(sums), odd_ = hn::Zero(sums);
    word_sum<std::uint32_t> settled_;
};

/// For items of eight bytes: x = y + c, where c is 2^31, and 2^63 more for unsigned x, and y = h · 2^32 + l, two signed
/// words; y² = h² · 2^64 + h l · 2^33 + l². No product is above 2^62 in magnitude: a word holds the sum of two items'
/// products, so that half as many have to be summed in two parts. x² = y² + 2 c x − c²; the sum of x takes h and an
/// addition more.
template <class T>
    requires(sizeof(T) == 8)
class square_sum<T> {
  public:
    HWY_INLINE square_sum() {}
    static constexpr index_t step = 2 * width<T>;
    HWY_INLINE void add(T const* x) {
        auto const a = split(x), b = split(x + width<T>);
        low_.add(hn::BitCast(quads{}, hn::Add(hn::MulEven(a.low, a.low), hn::MulEven(b.low, b.low))));
        high_.add(hn::BitCast(quads{}, hn::Add(hn::MulEven(a.high, a.high), hn::MulEven(b.high, b.high))));
        // From −2^63 + 2^32 to 2^63: 2^63 less it is a word without sign.
        auto const middle = hn::Add(hn::MulEven(a.high, a.low), hn::MulEven(b.high, b.low));
        middle_.add(hn::Sub(hn::Set(quads{}, top_bit), hn::BitCast(quads{}, middle)));
    }
    /// The sum of the n items that were added, at most 2^31.
    int128 total(index_t n) const {
        auto low = static_cast<std::uint64_t>(sum_of_lanes(all_));
        int128 high = std::is_signed_v<T> ? 0 : static_cast<int128>(n) << 31;
        HWY_ALIGN std::int64_t lane[hn::MaxLanes(signed_quads{})];
        hn::Store(highs_, signed_quads{}, lane);
        for (auto const x : lane) high += x;
        low -= static_cast<std::uint64_t>(high) << 32;  // of n lower halves, below 2^63
        return high * (int128{1} << 32) + static_cast<int128>(low);
    }
    template <class Sum>
    void put_into(Sum& sum, index_t n) const {
        sum.add(static_cast<int128>(low_.total()), 0);
        sum.add(static_cast<int128>(top_bit) * (n / 2) - static_cast<int128>(middle_.total()), 33);
        sum.add(static_cast<int128>(high_.total()), 64);
        sum.add(total(n), 32);
        sum.add(-n, 62);
        if constexpr (!std::is_signed_v<T>) {
            sum.add(total(n), 64);
            sum.add(-n, 95);
            sum.add(-n, 126);
        }
    }
    static constexpr index_t endurance = index_t{1} << 32;
    void settle() {}

  private:
    using words = hn::ScalableTag<std::int32_t>;
    using signed_quads = hn::ScalableTag<std::int64_t>;
    struct halves {
        hn::Vec<words> low, high;
    };
    static constexpr auto top_bit = std::uint64_t{1} << 63;
    static constexpr std::uint64_t offset = (std::uint64_t{1} << 31) | (std::is_signed_v<T> ? 0 : top_bit);

    /// Splits a vector of items and adds these up.
    HWY_INLINE halves split(T const* x) {
        auto const v = hn::LoadU(quads{}, reinterpret_cast<std::uint64_t const*>(x));
        auto const y = hn::BitCast(signed_quads{}, hn::Xor(v, hn::Set(quads{}, offset)));
        auto const high = hn::ShiftRight<32>(y);
        all_ = hn::Add(all_, v);
        highs_ = hn::Add(highs_, high);
        return {hn::BitCast(words{}, y), hn::BitCast(words{}, high)};
    }

    word_sum<std::uint64_t> low_, middle_, high_;
    quad_lanes all_ = hn::Zero(quads{});  // wraps around
    hn::Vec<signed_quads> highs_ = hn::Zero(signed_quads{});
};

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

    /// Items that are taken at a time.
    template <class T, folds::powers P>
    static constexpr index_t step = P == folds::powers::first ? width<T> : square_sum<bits_of<T>>::step;

    template <class T, folds::powers P, bool Absolute>
    static void take_stretches(folds::power_sums<T, P, Absolute> const& gather,
                               typename folds::power_sums<T, P, Absolute>::state& s, T const* items, index_t count,
                               index_t first) {
        for (index_t begin = 0; begin < count; begin += stretch) {
            T const* x = items + begin;
            index_t const n = count - begin < stretch ? count - begin : stretch;
            index_t const whole = n / step<T, P> * step<T, P>;
            s.items += whole;
            s.only_negative_zeros = false;
            take_steps<P, Absolute>(s, x, whole);
            for (index_t i = whole; i < n; ++i) gather.step(s, x[i], first + begin + i);
        }
    }

    /// Takes whole steps: one loop for the sums that are wanted, which then read the items once.
    template <folds::powers P, bool Absolute, class State, class T>
    static HWY_NOINLINE void take_steps(State& s, T const* x, index_t n) {
        static_assert(P == folds::powers::first || !Absolute, "squares come with sums of x, not of |x|");
        using g = folds::power_sums<T, P, Absolute>;
        using item = bits_of<T>;
        auto const* const items = reinterpret_cast<item const*>(x);
        constexpr bool squares_sum_items = g::has_second && requires { &square_sum<item>::total; };
        prefetcher const prefetch{n, sizeof(T)};
        value_sum<item, Absolute> values;
        square_sum<item> squares;
        for (index_t i = 0; i < n;) {
            index_t const left = (n - i) / step<T, P>;
            index_t const stop = i + (left < squares.endurance ? left : squares.endurance) * step<T, P>;
            for (; i < stop; i += step<T, P>) {
                prefetch.ahead(x + i, step<T, P>);
                if constexpr (g::has_first && !squares_sum_items) values.add(items + i);
                if constexpr (g::has_second) squares.add(items + i);
            }
            squares.settle();
        }
        if constexpr (squares_sum_items && g::has_first)
            s.first.add(squares.total(n), 0);
        else if constexpr (g::has_first)
            s.first.add(values.total(n), 0);
        if constexpr (g::has_second) squares.put_into(s.second, n);
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
