// Windows: exact sums of doubles in a few 64-bit registers.
//
// A window at exponent q turns x into an integer: x + M, for M = 1.5 · 2^(52 + q), rounds x to a multiple of 2^q, and
// the bits of that float, less those of M, are the multiple. What was rounded off is again a double and goes to the
// next window, 49 binades lower. A group of a few values is added to one M, one after the other, before its bits are:
// as long as their magnitudes sum up to 2^(q + 51) at most, all these sums are as exact as the first. 2^11 groups fit
// 64 bits. (The splitting is that of reproducible summation, Demmel and Nguyen, ARITH 2013; here nothing is dropped.)
#pragma once

#include "../../exact/round_near.hpp"
#include "../../folds/exceptions.hpp"
#include "../lane.hpp"
#include "../warp.hpp"

namespace warpfold::device {

inline constexpr int window_step = 49, window_endurance = 1 << 11;

/// 2^exponent, for a normal double.
__host__ __device__ constexpr double power_of_two(int exponent) {
    return __builtin_bit_cast(double, static_cast<std::uint64_t>(1023 + exponent) << 52);
}

/// The multiple of 8 that is 4 to 11 above: by so much windows move to what lies so far above them.
__device__ __forceinline__ constexpr int room_above(int binades) { return (binades + 4 + 7 + 4096) / 8 * 8 - 4096; }

/// Moves the first End values forward by so many places, and those that were there behind the others: a loop that takes
/// the first value is there once.
template <int Places, int End, class T, int K>
__device__ __forceinline__ void move_round(T (&x)[K]) {
    T first[Places];
    for (int k = 0; k < Places; ++k) first[k] = x[k];
    for (int k = 0; k < End; ++k) x[k] = k + Places < End ? x[k + Places] : first[k + Places - End];
}

/// A double of few that are added up, with its share of their error: of m, roundings are m² 2^-106 of all that is added
/// at most.
__device__ __forceinline__ exact::near_sum near_part(double value, double share) { return {value, share * fabs(value)}; }

/// Totals of windows: total[w] counts units of 2^(home − 49 w). They hold 2^44 items that the windows reached, and 2^37
/// that came from bins and have up to 2^56 units of the first (outliers.hpp).
template <int Windows>
struct window_totals {
    wide_integer<3> total[Windows];

    __device__ __forceinline__ void merge(window_totals const& other) {
        for (int w = 0; w < Windows; ++w) total[w] += other.total[w].value();
    }
    /// Adds them to a long accumulator.
    template <class Limbs>
    __device__ void add_to(Limbs& sum, int home) const {
        for (int w = 0; w < Windows; ++w) sum.add(total[w].value(), home - window_step * w);
    }
    /// Natural numbers below 2^44 that blocks add up (meeting, in grid.hpp): of each total what counts units, 2^35
    /// units and 2^57, the last of them raised to be one. (So small that 2^9 threads can add up their own in signed
    /// words of 32 bits.)
    static constexpr int pieces = 3 * Windows;
    __host__ __device__ static constexpr int place(int k) { return k == 0 ? 0 : k == 1 ? 35 : 57; }
    static constexpr std::int64_t raise = std::int64_t{1} << 43;
    /// Piece i, or 0 where there is none.
    __device__ __forceinline__ std::uint64_t piece(unsigned i) const {
        std::uint64_t low = 0, high = 0;
        for (unsigned w = 0; w < Windows; ++w) {
            int128 const value = total[w].value();
            if (i / 3 == w) low = static_cast<std::uint64_t>(value) & ((std::uint64_t{1} << place(2)) - 1);
            if (i / 3 == w) high = static_cast<std::uint64_t>(static_cast<std::int64_t>(value >> place(2)) + raise);
        }
        return i % 3 == 0 ? low & ((std::uint64_t{1} << place(1)) - 1) : i % 3 == 1 ? low >> place(1) : high;
    }
    /// What piece i counts, from what so many blocks added up.
    __device__ __forceinline__ static std::int64_t units_of(std::uint64_t const* sums, int i, int blocks) {
        return static_cast<std::int64_t>(sums[i]) - (i % 3 == 2 ? blocks * raise : 0);
    }
    /// Sets the totals to these sums.
    __device__ __forceinline__ void set_sums(std::uint64_t const* sums, int blocks) {
        auto const part = [&](int w, int k) { return int128{units_of(sums, 3 * w + k, blocks)} * (int128{1} << place(k)); };
        for (int w = 0; w < Windows; ++w) total[w].set(part(w, 0) + part(w, 1) + part(w, 2));
    }

    /// Their sum, from two doubles of each: ten additions at most. Where they cancel, the second may be the larger;
    /// what near_double::of then rounds off is less than 2^-101, and the error has room for it.
    __device__ __forceinline__ exact::near_sum near(int home) const {
        constexpr int parts = 2, bits = 43;
        exact::near_sum sum{};
        for (int k = 0; k < parts * Windows; ++k) {
            int const shift = bits * (parts - 1 - k % parts);
            auto const piece = static_cast<std::int64_t>(total[k / parts].value() >> shift);
            std::int64_t const units = k % parts == 0 ? piece : piece & ((std::int64_t{1} << bits) - 1);
            sum = sum + near_part(static_cast<double>(units) * power_of_two(home - window_step * (k / parts) + shift), 0x1p-97);
        }
        return sum;
    }
    /// The sum of the first Used windows in units of the last of them; false where it may not fit 127 bits or other
    /// windows hold something.
    template <int Used>
    __device__ bool sum(int128& result) const {
        result = 0;
        bool fits = true;
        for (int w = 0; w < Windows; ++w) {
            int128 const value = total[w].value();
            int const shift = window_step * (Used - 1 - w);
            bool const used = w < Used && shift <= 120;
            fits = fits && (used ? (static_cast<uint128>(value) + (uint128{1} << (125 - shift))) >> (126 - shift) == 0 : value == 0);
            if (used) result += static_cast<int128>(static_cast<uint128>(value) << shift);
        }
        return fits;
    }
};
template <>
struct window_totals<0> {
    static constexpr int pieces = 0;
    __device__ __forceinline__ static std::uint64_t piece(int) { return 0; }
    __device__ __forceinline__ static void set_sums(std::uint64_t const*, int) {}
};

/// Windows that begin at exponent Home and that a thread moves to where its items lie. The first Fast of them are
/// registers; the rest, and what the registers hold no more, are private words of shared memory. Only totals at Home
/// become partials; others are spilled into the limbs of a fixed_point<Low, …> at word Limbs of the spill area. A value
/// has Words doubles: one; two, a product and its rest, at least 52 binades below; or four, of which the second and
/// third are so far below the first, and the last below them. Group: how many words a window takes between two
/// additions of its bits, 8 at most: that many rests of one window fit the next.
template <int Windows, int Fast, int Words, int Home, int Low, int Limbs, int Group>
class windows {
  public:
    static constexpr int reach_binades = 51 - __builtin_ctz(Group);
    using totals = window_totals<Windows>;
    static constexpr int private_words = 2 * Windows;
    static constexpr int last = Home - window_step * (Windows - 1), last_fast = Home - window_step * (Fast - 1);

    __device__ __forceinline__ explicit windows(thread_memory memory) : memory_{memory} {}

    /// Adds K values whose first words are below 2^(q + reach_binades) in magnitude and whose bits no fast window
    /// misses, or, Deep, no window. A value is a double, or what can be added to one; Each of them make a group.
    template <bool Deep = false, int Each = Group / Words, int K, class Value>
    __device__ __forceinline__ void add(Value const (&v)[Words][K]) {
        constexpr int groups = (K + Each - 1) / Each, depth = Deep ? Windows : Fast;
        std::uint64_t bits[depth] = {};
        for (int g = 0; g < groups; ++g) {
            double sum[depth];
            for (int w = 0; w < depth; ++w) sum[w] = magic(w);
            for (int k = g * Each; k < (g + 1) * Each && k < K; ++k) {
                cascade<0, depth - (Words == 2)>(sum, v[0][k]);  // of a product, its rest has the last bits
                if constexpr (Words > 1) cascade<1, depth>(sum, v[1][k]);
                if constexpr (Words > 2) cascade<1, depth>(sum, v[2][k]);
                if constexpr (Words > 2) cascade<2, depth>(sum, v[3][k]);
            }
            for (int w = 0; w < depth; ++w) bits[w] += bits_as<std::uint64_t>(sum[w]);
        }
        for (int w = 0; w < Fast; ++w) total_[w] += bits[w];
        if constexpr (Deep) {
            use_kept();
            for (int w = Fast; w < depth; ++w) keep(w, static_cast<std::int64_t>(bits[w] - groups * bits_as<std::uint64_t>(magic(w))));
        }
        groups_ += groups;
        if (groups_ > window_endurance - groups) keep();
    }
    /// Where the first window is.
    __device__ __forceinline__ int q() const { return static_cast<int>(top_ >> 20) - 1023 - 52; }

    /// Moves the windows, the first to q: so far as doubles go.
    static constexpr int highest = 960, lowest = (Low > -960 ? Low : -960) + window_step * (Windows - 1);
    __device__ __forceinline__ void move(int q, spill_area area) {
        if (q == this->q()) return;
        keep();
#pragma unroll 1
        for (int w = 0; w < Windows; ++w) {
            if (kept(w) != 0) spill(kept(w), this->q() - window_step * w, area);
            set_kept(w, 0);
        }
        top_ = top_of(q);
    }
    /// Adds value · 2^exponent, of |value| < 2^Bits, to the limbs.
    template <int Bits = 112, class Integer>
    __device__ __forceinline__ void spill(Integer value, int exponent, spill_area area) {
        area.template add_scaled<Low, Bits>(Limbs, value, exponent);
        spilled_ = true;
    }

    /// The totals at Home; `spilled` becomes true where this thread spilled; moves: whether any thread may have moved
    /// windows. All threads of a warp call it together.
    __device__ __forceinline__ totals settle(spill_area area, bool& spilled, bool moves = true) {
        if (moves && __any_sync(all_lanes, q() != Home)) spill_warp(area);
        spilled = spilled || spilled_;
        totals result;
        for (int w = 0; w < Windows; ++w) result.total[w].set((w < Fast ? added(w) : 0) + (kept_ ? kept(w) : int128{0}));
        return result;
    }

  private:
    /// The upper word of M for a window at q; the lower one is 0. (All that windows know of where they are: a
    /// register.)
    __host__ __device__ static constexpr std::uint32_t top_of(int q) { return (static_cast<std::uint32_t>(1023 + 52 + q) << 20) | 0x80000U; }
    __device__ __forceinline__ double magic(int w) const {
        return bits_as<double>(static_cast<std::uint64_t>(top_ - (static_cast<std::uint32_t>(window_step * w) << 20)) << 32);
    }

    /// Adds v to the windows from W on, below End.
    template <int W, int End, int Depth, class Value>
    __device__ __forceinline__ static void cascade(double (&sum)[Depth], Value v) {
        double const before = sum[W];
        sum[W] = before + v;
        if constexpr (W + 1 < End) cascade<W + 1, End>(sum, (before - sum[W]) + v);
    }
    __device__ __forceinline__ int128 kept(int w) const { return memory_.wide(2 * w); }
    __device__ __forceinline__ void set_kept(int w, int128 value) { memory_.set_wide(2 * w, value); }
    __device__ __forceinline__ void keep(int w, std::int64_t value) { set_kept(w, kept(w) + value); }
    /// What was added to a register: what it holds, less the bits of M that came with every group.
    __device__ __forceinline__ std::int64_t added(int w) const {
        return static_cast<std::int64_t>(total_[w] - static_cast<std::uint64_t>(groups_) * bits_as<std::uint64_t>(magic(w)));
    }
    __device__ __forceinline__ void use_kept() {
        for (int w = 0; w < Windows && !kept_; ++w) set_kept(w, 0);
        kept_ = true;
    }
    /// Empties the registers before they overflow.
    __device__ __forceinline__ void keep() {
        use_kept();
        for (int w = 0; w < Fast; ++w) {
            keep(w, added(w));
            total_[w] = 0;
        }
        groups_ = 0;
    }

    /// Spills the totals of threads whose windows are away from Home: one sum for a warp and a place.
    __device__ __forceinline__ void spill_warp(spill_area area) {
        keep();
        int const mine = q(), lane = own_lane();
        unsigned waiting = __ballot_sync(all_lanes, mine != Home);
        while (waiting) {
            int const q = __shfl_sync(all_lanes, mine, __ffs(static_cast<int>(waiting)) - 1);
            int128 own = 0;  // of the window that the lane spills, so that a warp spills all at once
#pragma unroll 1
            for (int w = 0; w < Windows; ++w) {
                int128 const sum = sum_warp(mine == q ? kept(w) : int128{0});
                if (lane == w) own = sum;
                if (mine == q) set_kept(w, 0);
            }
            if (own != 0) spill(own, q - window_step * lane, area);
            waiting &= ~__ballot_sync(all_lanes, mine == q);
        }
    }

    thread_memory memory_;
    std::uint64_t total_[Fast] = {};  // modulo 2^64
    std::uint32_t top_ = top_of(Home);
    int groups_ = 0;
    bool kept_ = false;  ///< the words in shared memory are in use
    bool spilled_ = false;
};

/// What partials of float sums say besides their totals: bits that stay where both partials have them.
class sum_marks {
  public:
    sum_marks() = default;
    /// The sign bits that every item of a lane had set, and whether it left something in the spill area.
    __device__ __forceinline__ sum_marks(std::uint32_t signs, bool spilled) : bits_{(signs & ~1U) | (spilled ? 0U : 1U)} {}

    __device__ __forceinline__ bool signs(std::uint32_t which) const { return (bits_ & which) == which; }
    __device__ __forceinline__ bool spilled() const { return (bits_ & 1U) == 0; }
    __device__ __forceinline__ void merge(sum_marks later) { bits_ &= later.bits_; }
    __device__ __forceinline__ void merge_warp() { bits_ = common_bits(bits_); }

    /// How many have the sign, in units of 2^place for a sixteenth of a block, and how many spilled: a natural number
    /// for atomics to add up.
    static constexpr int place = 21, unit = 16;
    __device__ __forceinline__ std::uint64_t piece() const { return (bits_ >> 31) * (unit << place) + spilled(); }
    __device__ __forceinline__ static sum_marks of_sum(std::uint64_t sum, int blocks) {
        return {sum >> place == static_cast<std::uint64_t>(blocks) * unit ? ~0U : 0U, (sum & ((1U << place) - 1)) != 0};
    }

  private:
    std::uint32_t bits_ = ~0U;
};

/// The state that a fold of sums finishes.
template <class First, class Second>
struct sums_state {
    index_t items;
    folds::exceptions special;
    bool only_negative_zeros;
    First first;
    Second second;
};
struct no_sum {
    no_sum() = default;
    __device__ explicit no_sum(thread_memory) {}
};
template <bool Has, class Sum>
using sum_if = std::conditional_t<Has, Sum, no_sum>;

}  // namespace warpfold::device
