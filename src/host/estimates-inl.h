// Sums in a few operations an item, with a proven bound of their error: included once for each SIMD target.
//
// A total begins at M = 1.5 · 2^(52 + q) and takes items by t = total + x. While it stays in M's binade its last place
// is 2^q. Then h = t − total is exact, a multiple of 2^q within 2^(q − 1) of x; the rest r = x − h is exact (Dekker's
// fast two-sum); and the bits of the total, less those of M, count the sum of all h in units of 2^q. What a lane leaves
// out of a tile, whose items go to two totals of m additions each:
// - where rests are dropped, 2 m · 2^(q − 1) at most;
// - where they are summed: each is at most 2^(q − 1), and an addition rounds by at most 2^-53 of a sum, so by
//   k · 2^(q − 54), where k rests have come together. In a total these are 2, 3, … m, all in all m (m + 1) / 2 − 1;
//   where both are joined, 2 m; where they join those of the tiles before, all additions so far. A product enters
//   fused, and its rest is itself rounded, by at most 2^(q − 54), also where it is subnormal, since
//   q ≥ lowest_quantum: 2 m of them. Less than (m² + 5 m + all additions so far) · 2^(q − 54), by nearly two units,
//   which the rounding of rounded sums does not fill.
// A total that left the binade shows it by its sign or exponent. One of squares or magnitudes never falls, so its end
// tells; others are looked at after each item, or, where that takes two operations, Σ h² tells, which takes one: by
// Cauchy and Schwarz, no partial sum of m terms h exceeds (m Σ h²)^(1/2) in magnitude, so while that is below 2^(51 +
// q), half of M's binade, none left it, and each h was exact. (h of the first one that did is rounded, as the squares
// are, by far less than the factor of two that is asked for beside.) Where rests are dropped, a total may fall below
// the binade and come back, for it rounds more finely there. What is above shows at least one bit that M does not have:
// the leading one of those in which a greater exponent differs, or the sign.
//
// (The fast two-sum with a total of fixed exponent is the "extraction" of Demmel and Nguyen, Parallel Reproducible
// Summation, 2015.)

#if defined(WARPFOLD_ESTIMATES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_ESTIMATES_INL_H_
#undef WARPFOLD_ESTIMATES_INL_H_
#else
#define WARPFOLD_ESTIMATES_INL_H_
#endif

#include <algorithm>
#include <bit>

#include "host/register-inl.h"
#include "host/scan-inl.h"
#include "warpfold/exact/near_double.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::host::HWY_NAMESPACE {

/// Quanta of totals: their bounds, and all that is added, are normal doubles.
inline constexpr int lowest_quantum = -900, highest_quantum = 900;

/// Whether Σ h² is watched, not the totals: of those that have an h. (Zen 3, one core, from its second-level cache:
/// float64 sum 42 → 49 GB/s, where a neighbour computes 22.5 → 32; dot 68 → 72. AVX-512 looks at a total in one
/// operation, by units that have less to do than those of products.)
template <bool Rests>
inline constexpr bool watches_squares = Rests && !(HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3);

template <bool Rests>
struct running_total {
    double_lanes total, rest;
    double_lanes squares = hn::Zero(doubles{});  ///< Σ h², where watched

    HWY_INLINE void add(double_lanes x) {
        if constexpr (Rests) x = in_register(x);
        auto const t = hn::Add(total, x);
        if constexpr (Rests) {
            auto const h = difference(t, total);
            rest = hn::Add(rest, difference(x, h));
            watch(h);
        }
        total = t;
    }
    HWY_INLINE void add_product(double_lanes a, double_lanes b) {
        if constexpr (Rests) a = in_register(a), b = in_register(b);
        auto const t = hn::MulAdd(a, b, total);
        if constexpr (Rests) {
            auto const h = hn::Sub(t, total);
            rest = hn::Add(rest, hn::MulSub(a, b, h));
            watch(h);
        }
        total = t;
    }

  private:
    HWY_INLINE void watch(double_lanes h) {
        if constexpr (watches_squares<Rests>) squares = hn::MulAdd(h, h, squares);
    }
    /// a − b by the units of fused operations, which sums leave idle (AVX-512, in the cache: float64 sum 45 → 54 GB/s a
    /// core, mean with variance of float32 21 → 26).
    static HWY_INLINE double_lanes difference(double_lanes a, double_lanes b) {
        return hn::MulSub(a, hn::Set(doubles{}, 1), b);
    }
};

/// The totals of one loop: two of them, so that additions need not wait; and of all they were meanwhile, the bits that
/// differed from M, or those that were set where rests are dropped: one operation for two totals.
template <bool Rests>
struct running_totals {
    running_total<Rests> even, odd;
    word_lanes start, noted;

    HWY_INLINE void note() {
        auto const a = hn::BitCast(words{}, even.total), b = hn::BitCast(words{}, odd.total);
        noted = Rests ? hn::Or(noted, hn::Or(hn::Xor(a, start), hn::Xor(b, start))) : hn::Or3(noted, a, b);
    }
    /// Notes totals of terms of both signs, after each term.
    HWY_INLINE void watch() {
        if constexpr (!watches_squares<Rests>) note();
    }
    /// Once all items were added, and the ends noted.
    HWY_INLINE bool in_range() const {
        auto const above = hn::Set(words{}, -(std::int64_t{1} << 52));
        auto const a = hn::BitCast(words{}, even.total), b = hn::BitCast(words{}, odd.total);
        auto const wrong = Rests ? noted : hn::Or3(hn::AndNot(start, noted), hn::Xor(a, start), hn::Xor(b, start));
        return hn::AllTrue(words{}, hn::Eq(hn::And(wrong, above), hn::Zero(words{})));
    }
};

/// An estimate of a sum, which empties into two doubles. A tile has at most TileItems items.
template <bool Rests, index_t TileItems>
class estimated_sum {
    static constexpr auto lanes = static_cast<index_t>(hn::MaxLanes(doubles{}));

  public:
    static constexpr bool by_squares = watches_squares<Rests>;

    explicit estimated_sum(exact::near_double& sum) : sum_{sum} {}
    ~estimated_sum() { flush(); }
    estimated_sum(estimated_sum const&) = delete;
    estimated_sum& operator=(estimated_sum const&) = delete;

    /// Carries out of a tile's items, in one total, if all of them are as large as can be.
    static constexpr int most_carries = std::bit_width(static_cast<std::uint64_t>(TileItems / (2 * lanes)) - 1);

    /// Places totals for items below 2^top, of which a tile moves one by less than 2^(top + carries) = 2^(50 + q), half
    /// of what it may. Says whether doubles can.
    bool place(int top, int carries = most_carries) {
        flush();
        quantum_ = top + carries - 50;
        return quantum_ >= lowest_quantum && quantum_ <= highest_quantum;
    }

    HWY_INLINE running_totals<Rests> begin() const {
        auto const m = hn::Set(words{}, static_cast<std::int64_t>(start_bits()));
        running_total<Rests> const none{hn::BitCast(doubles{}, m), hn::Zero(doubles{})};
        return {none, none, m, hn::Zero(words{})};
    }
    /// Whether totals of terms of both signs, watched after each of them, stayed in range.
    HWY_INLINE bool held(running_totals<Rests> const& t) const {
        if constexpr (!by_squares) return t.in_range();
        auto const most = hn::Set(doubles{}, most_squares());
        return hn::AllTrue(doubles{}, hn::And(hn::Lt(t.even.squares, most), hn::Lt(t.odd.squares, most)));
    }
    /// Takes over what a tile of n items added. (Inlined, so that totals need not lie in memory: GCC 12 would leave
    /// them there in the loop too, L2 norm of doubles 85 → 50 GB/s a core.)
    HWY_INLINE void end(running_totals<Rests> const& t, index_t n) {
        auto const even = hn::Sub(hn::BitCast(words{}, t.even.total), t.start);
        auto const odd = hn::Sub(hn::BitCast(words{}, t.odd.total), t.start);
        total_ = hn::Add(total_, hn::Add(even, odd));
        rest_ = hn::Add(rest_, hn::Add(t.even.rest, t.odd.rest));
        index_t const m = n / (2 * lanes);
        additions_ += 2 * m;
        roundings_ += m * m + 5 * m + additions_;
        // A tile moves a lane by less than 2^52.
        if (++tiles_ == 64) flush();
    }

  private:
    HWY_NOINLINE void flush() {
        if (tiles_ == 0) return;
        // The counts together are less than 2^58 a lane: a double, and what it rounds off.
        static_assert(lanes <= 16);
        std::int64_t const count = hn::GetLane(hn::SumOfLanes(words{}, total_));
        auto const high = static_cast<double>(count), low = static_cast<double>(count - static_cast<std::int64_t>(high));
        double const unit = power_of_two(quantum_), of_lanes = static_cast<double>(lanes) * unit;
        sum_ = sum_ + exact::near_double{high * unit, low * unit, 0};
        if constexpr (Rests) {
            // Additions of lanes, fewer than eight one after the other, each round by 2^-53 of all rests at most.
            double const rest = hn::GetLane(hn::SumOfLanes(doubles{}, rest_));
            sum_ = sum_ + exact::near_double{rest, 0, static_cast<double>(roundings_ + 8 * additions_) * 0x1p-54 * of_lanes};
        } else {
            sum_.error += static_cast<double>(additions_) * 0.5 * of_lanes;
        }
        total_ = hn::Zero(words{});
        rest_ = hn::Zero(doubles{});
        additions_ = roundings_ = tiles_ = 0;
    }
    std::uint64_t start_bits() const { return exponent_field(52 + quantum_) | std::uint64_t{1} << 51; }
    /// What Σ h² of a total stays below. Squares lose what is subnormal, up to 2^-1075 each: where that may be much of
    /// a sum, none is small enough.
    double most_squares() const {
        int const exponent = 2 * (51 + quantum_) - 1 - most_carries;
        return exponent < -1000 ? 0 : power_of_two(std::min(exponent, 1023));
    }
    static double power_of_two(int exponent) { return std::bit_cast<double>(exponent_field(exponent)); }
    static std::uint64_t exponent_field(int exponent) { return static_cast<std::uint64_t>(1023 + exponent) << 52; }

    exact::near_double& sum_;
    int quantum_ = 0;
    index_t additions_ = 0, roundings_ = 0, tiles_ = 0;  ///< roundings in units of 2^(quantum − 54)
    word_lanes total_ = hn::Zero(words{});
    double_lanes rest_ = hn::Zero(doubles{});
};

}  // namespace warpfold::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
