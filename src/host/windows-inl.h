// Exact sums of doubles in a few integers: included once for each SIMD target.
//
// A window at exponent q turns x into an integer: x + M, for M = 1.5 · 2^(52 + q), rounds x to a multiple of 2^q, and
// the bits of that float, less those of M, are the multiple. What was rounded off is again a double and goes to the
// next window, 51 binades lower. As long as |x| ≤ 2^(q + 50), 2^12 additions fit a 64-bit lane; nothing is ever lost if
// the lowest bit of x is at or above the last window's exponent.

#if defined(WARPFOLD_WINDOWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_WINDOWS_INL_H_
#undef WARPFOLD_WINDOWS_INL_H_
#else
#define WARPFOLD_WINDOWS_INL_H_
#endif

#include <hwy/highway.h>

#include "warpfold/exact/fixed_point.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::host::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using doubles = hn::ScalableTag<double>;
using words = hn::RebindToSigned<doubles>;
using double_lanes = hn::Vec<doubles>;
using word_lanes = hn::Vec<words>;

/// Where the bits of the items of a tile lie: every item is below 2^top in magnitude and a multiple of 2^bottom.
struct bit_range {
    int top;
    int bottom;
};

/// Binades between windows, and above a window's exponent.
inline constexpr int window_step = 51, window_reach = 50;
/// Additions that a lane holds, both totals together.
inline constexpr int window_endurance = 1 << 12;

/// Windows in registers, for the length of one loop. Two sets of totals, so that additions need not wait. Not arrays:
/// GCC 12 kept those on the stack (squares of doubles, AVX-512: 26 instead of 37 GB/s a core).
template <int Windows>
struct window_lanes {
    double_lanes magic;
    word_lanes even, odd;
    window_lanes<Windows - 1> below;

    /// Adds v to one of the totals of the windows from First on.
    template <int First, bool Odd>
    HWY_INLINE void add(double_lanes v) {
        if constexpr (First > 0) {
            below.template add<First - 1, Odd>(v);
        } else {
            auto const t = hn::Add(v, magic);
            count<Odd>(t);
            if constexpr (Windows > 1) below.template add<0, Odd>(hn::Sub(v, hn::Sub(t, magic)));
        }
    }
    /// Adds a · b to all windows. Of floats it is one double, and enters fused, an operation less. Of doubles it is
    /// two: the rest lies at least 52 binades below, and begins at the second window.
    template <bool TwoWords, bool Odd>
    HWY_INLINE void add_product(double_lanes a, double_lanes b) {
        if constexpr (TwoWords) {
            auto const product = hn::Mul(a, b);
            add<0, Odd>(product);
            if constexpr (Windows > 1) add<1, Odd>(hn::MulSub(a, b, product));
        } else {
            auto const t = hn::MulAdd(a, b, magic);
            count<Odd>(t);
            if constexpr (Windows > 1) below.template add<0, Odd>(hn::MulSub(a, b, hn::Sub(t, magic)));
        }
    }

    template <bool Odd>
    HWY_INLINE void count(double_lanes t) {
        auto& total = Odd ? odd : even;
        total = hn::Add(total, hn::BitCast(words{}, t));
    }
};
template <>
struct window_lanes<0> {};

/// A few windows, from exponent q downwards, and the long accumulator that they empty into.
template <int Windows, class Accumulator>
class window_set {
  public:
    explicit window_set(Accumulator& sum) : sum_{sum} {
        for (auto& window : total_) window[0] = window[1] = hn::Zero(words{});
    }

    /// Places the windows for items in `range` and `additions` of them a lane; says how many windows the items need, or
    /// 0 where they need more than there are, or lie too high for doubles.
    int prepare(bit_range range, int additions) {
        // Items of a narrower type were converted: below the lowest bit of that type they are zeros.
        if (range.bottom < Accumulator::low) range.bottom = Accumulator::low;
        int const best = lowest_exponent(range.top);
        if (best + 52 > 1022) return 0;
        int needed = windows_for(q_, range);
        if (needed == 0 || needed > windows_for(best, range)) {
            needed = windows_for(best, range);
            if (needed == 0) return 0;
            flush();
            q_ = best;
        }
        if (used_ + additions > window_endurance) flush();
        used_ += additions;
        return needed;
    }

    /// Windows that items in `range` need where they are placed for these alone; 0: more than there are.
    static int needed_for(bit_range range) {
        if (range.bottom < Accumulator::low) range.bottom = Accumulator::low;
        return windows_for(lowest_exponent(range.top), range);
    }

    /// The windows from W on.
    template <int N, int W = 0>
    HWY_INLINE window_lanes<N> load() const {
        if constexpr (N == 0) return {};
        else return {hn::Set(doubles{}, bits_as<double>(magic_bits(W))), total_[W][0], total_[W][1], load<N - 1, W + 1>()};
    }
    /// Takes the totals back; each window from W on had additions[w] additions a lane, both totals together.
    template <int W = 0, int N, std::size_t All>
    HWY_INLINE void store(window_lanes<N> const& lanes, int const (&additions)[All]) {
        total_[W][0] = lanes.even;
        total_[W][1] = lanes.odd;
        additions_[W] += static_cast<std::uint64_t>(additions[W]);
        if constexpr (N > 1) store<W + 1>(lanes.below, additions);
    }

    /// Empties the windows into the long accumulator.
    void flush() {
        if (used_ == 0) return;
        HWY_ALIGN std::int64_t lane[hn::MaxLanes(words{})];
        for (int w = 0; w < Windows; ++w) {
            // Every addition brought the bits of M along. A lane holds the truth mod 2^64, and only the sum of the two
            // totals knows how many additions it had; their true sum fits too.
            hn::Store(hn::Add(total_[w][0], total_[w][1]), words{}, lane);
            std::uint64_t const excess = additions_[w] * magic_bits(w);
            int128 total = 0;
            for (std::size_t i = 0; i < hn::Lanes(words{}); ++i)
                total += static_cast<std::int64_t>(static_cast<std::uint64_t>(lane[i]) - excess);
            sum_.add(total, exponent_below(q_, w));
            total_[w][0] = total_[w][1] = hn::Zero(words{});
            additions_[w] = 0;
        }
        used_ = 0;
    }

  private:
    static constexpr int unset = 1 << 20;
    static constexpr int lowest = Accumulator::low < -1074 ? -1074 : Accumulator::low;

    /// A multiple of 8 that reaches `top`, so that tiles of alike magnitude share windows.
    static int lowest_exponent(int top) {
        constexpr int positive = 1 << 13;
        int const q = (top - window_reach + 7 + positive) / 8 * 8 - positive;
        return q < lowest ? lowest : q;
    }
    static int exponent_below(int q, int w) {
        int const e = q - window_step * w;
        return e < lowest ? lowest : e;
    }
    static int windows_for(int q, bit_range range) {
        if (q == unset || range.top > q + window_reach) return 0;
        for (int w = 0; w < Windows; ++w)
            if (range.bottom >= exponent_below(q, w)) return w + 1;
        return 0;
    }
    std::uint64_t magic_bits(int w) const {
        return (static_cast<std::uint64_t>(1023 + 52 + exponent_below(q_, w)) << 52) | (std::uint64_t{1} << 51);
    }

    Accumulator& sum_;
    int q_ = unset;
    int used_ = 0;
    std::uint64_t additions_[Windows] = {};
    word_lanes total_[Windows][2];
};

}  // namespace warpfold::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
