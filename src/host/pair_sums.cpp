// Exact sums of products of two floats.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/pair_sums.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each target

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "host/estimates-inl.h"
#include "host/processor.hpp"
#include "host/route_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::host::HWY_NAMESPACE {

inline constexpr int product_windows = 4;
/// Pairs of a tile, for each lane: six additions for each, to the second window of a distance, are within what lanes
/// endure. (Dot of doubles 1 to 3 % faster than with 256, Zen 4; totals of floats leave their fine range sooner in
/// longer tiles.)
template <class Lane>
inline constexpr index_t pairs_a_lane = std::is_same_v<Lane, double> ? 512 : 256;
static_assert(6 * pairs_a_lane<double> <= window_endurance);
template <class Lane>
inline constexpr index_t pair_tile = pairs_a_lane<Lane> * static_cast<index_t>(hn::MaxLanes(doubles{}));

/// Adds Factor · x[i] · y[i] to N windows; Factor is plus or minus a power of two, n a multiple of `step`.
template <int Factor, int N, class T, class Set>
HWY_NOINLINE void add_products(prefetcher prefetch, Set& set, T const* x, T const* y, index_t n) {
    constexpr auto lanes = static_cast<index_t>(hn::MaxLanes(doubles{}));
    constexpr bool two_words = std::is_same_v<T, double>;
    auto const scaled = [](double_lanes v) HWY_ATTR {
        if constexpr (Factor == 1) return v;
        else return hn::Mul(hn::Set(doubles{}, Factor), v);
    };
    window_lanes<N> w = set.template load<N>();
    for (index_t i = 0; i < n; i += 2 * lanes) {
        prefetch_next_tile(prefetch, x + i);
        prefetch_next_tile(prefetch, y + i);
        auto const a = scaled(load_doubles(x + i)), b = scaled(load_doubles(x + i + lanes));
        auto const c = load_doubles(y + i), d = load_doubles(y + i + lanes);
        w.template add_product<two_words, false>(a, c);
        w.template add_product<two_words, true>(b, d);
    }
    int additions[N];
    for (int k = 0; k < N; ++k) additions[k] = static_cast<int>(n / lanes) * (two_words && k > 0 ? 2 : 1);
    set.store(w, additions);
}

template <int Factor, int N = product_windows, class T, class Set>
void add_products(int needed, prefetcher prefetch, Set& set, T const* x, T const* y, index_t n) {
    if constexpr (N > 1) {
        if (needed < N) return add_products<Factor, N - 1>(needed, prefetch, set, x, y, n);
    }
    add_products<Factor, N>(prefetch, set, x, y, n);
}

/// The first of two ranges as loops over both read it: as it lies or, Copied, in blocks that are copied.
template <bool Copied, class T>
class first_range {
  public:
    /// For n items that are read beside others.
    explicit first_range(index_t n) : block_{Copied ? size : n} {}

    index_t block() const { return block_; }
    /// The n items at x, no more than a block.
    T const* read(T const* x, [[maybe_unused]] index_t n) {
        if constexpr (!Copied) return x;
#if defined(__x86_64__)
        T* to = copy_;
        auto count = static_cast<std::size_t>(n) * sizeof(T) / 8;
        asm volatile("rep movsq" : "+D"(to), "+S"(x), "+c"(count) : : "memory");
#endif  // is_zen4() says no elsewhere
        return copy_;
    }

  private:
    static constexpr index_t size = 1024 / sizeof(T);
    static_assert(size % step == 0);

    index_t block_;
    alignas(64) T copy_[Copied ? size : 1];
};

/// Whether the first of two ranges is to be copied: on a Zen 4, where they lie a multiple of 256 MiB apart, as the
/// halves of one range of 512 MiB do. Its first-level cache holds no line beside its counterpart there (earlier Zens
/// are known to look for lines by a hash of bits 12 to 27 of their addresses), and what is fetched ahead of a loop from
/// one range puts out what was fetched from the other. Dot of 1 GiB of doubles, halves of one range: 48 → 65 GB/s, in
/// minutes of 34 GB/s 32 → 35; copies by vectors put lines out as well (39 and 33), and so do longer blocks (2 KiB 58,
/// 4 KiB 43; 512 bytes 53). A Zen 5 does not mind: 84 to 85 GB/s.
template <class T>
bool collide(T const* x, T const* y) {
    // Also where the lines in flight do: give or take 2 KiB. Not where the ranges are one, or nearly.
    constexpr std::uintptr_t in_flight = 2048, apart = std::uintptr_t{1} << 28;
    auto const distance = reinterpret_cast<std::uintptr_t>(y) - reinterpret_cast<std::uintptr_t>(x) + in_flight;
    return is_zen4() && distance % apart < 2 * in_flight && distance >= 2 * in_flight;
}

/// Adds all x[i] · y[i] to the totals of an estimate, or says that one of them left its range, and adds nothing. No
/// scan waits for the next tiles: both of them ahead would fill the first-level cache (float64 from the second-level
/// one: 58 instead of 75 GB/s a core).
template <bool Copied, class T, class Sum>
HWY_NOINLINE bool estimate_products(prefetcher prefetch, Sum& sum, T const* x, T const* y, index_t n) {
    constexpr auto lanes = static_cast<index_t>(hn::MaxLanes(doubles{}));
    auto first = sum.begin(), second = first;
    first_range<Copied, T> range{n};
    for (index_t begin = 0; begin < n; begin += range.block()) {
        index_t const items = std::min(range.block(), n - begin);
        T const *const a = range.read(x + begin, items), *const b = y + begin;
        auto const add = [prefetch, a, b](auto& totals, index_t i) HWY_ATTR {
            prefetch.ahead(a + i, 2 * lanes);
            prefetch.ahead(b + i, 2 * lanes);
            totals.even.add_product(load_doubles(a + i), load_doubles(b + i));
            totals.odd.add_product(load_doubles(a + i + lanes), load_doubles(b + i + lanes));
            totals.watch();
        };
        for (index_t i = 0; i < items; i += 4 * lanes) {
            add(first, i);
            add(second, i + 2 * lanes);
        }
    }
    if (!sum.held(first) || !sum.held(second)) return false;
    sum.end(first, n / 2);
    sum.end(second, n / 2);
    return true;
}

/// Adds all (x[i] − y[i])², or adds nothing, like estimate_products. A difference is d + e: what it rounds to, and what
/// is left of it (Knuth's two-difference), at most 2^-53 of d. As no total rises by 2^(51 + q), 2 d e is at most 2^(q −
/// 1), as a rest is, and all 2 d e of a total at most that. So doubles sum them with the rests, and floats leave them
/// out, and either is within the bound of twice as many additions; so is e², which both leave out: in a total at most
/// 2^(q − 55). (The loop over blocks stands here again: where it takes what it does as a function, GCC 12 keeps totals
/// in memory.)
template <bool Copied, class T, class Sum>
HWY_NOINLINE bool estimate_distances(prefetcher prefetch, Sum& sum, T const* x, T const* y, index_t n) {
    constexpr auto lanes = static_cast<index_t>(hn::MaxLanes(doubles{}));
    auto totals = sum.begin();
    auto const add = [](auto& total, double_lanes a, double_lanes b) HWY_ATTR {
        auto const d = hn::Sub(a, b);
        total.add_product(d, d);
        if constexpr (std::is_same_v<T, double>) {
            auto const of_b = hn::Sub(a, d), e = hn::Add(hn::Sub(a, hn::Add(d, of_b)), hn::Sub(of_b, b));
            total.rest = hn::MulAdd(hn::Add(d, d), e, total.rest);
        }
    };
    first_range<Copied, T> range{n};
    for (index_t begin = 0; begin < n; begin += range.block()) {
        index_t const items = std::min(range.block(), n - begin);
        T const *const a = range.read(x + begin, items), *const b = y + begin;
        for (index_t i = 0; i < items; i += 2 * lanes) {
            prefetch.ahead(a + i, 2 * lanes);
            prefetch.ahead(b + i, 2 * lanes);
            add(totals.even, load_doubles(a + i), load_doubles(b + i));
            add(totals.odd, load_doubles(a + i + lanes), load_doubles(b + i + lanes));
        }
    }
    totals.note();
    if (!totals.in_range()) return false;
    sum.end(totals, 2 * n);
    return true;
}

/// The state of one call: windows over the sum, and totals where it may be estimated.
template <class State, class T, bool Distance>
class pair_summer {
  public:
    /// Copied: pairs are read as first_range says.
    pair_summer(State& s, prefetcher prefetch, bool copied) : state_{s}, prefetch_{prefetch}, copied_{copied}, sum_{s.sum} {
        if constexpr (estimating) estimate_.emplace(s.first_estimate);
    }
    ~pair_summer() { sum_.flush(); }
    pair_summer(pair_summer const&) = delete;
    pair_summer& operator=(pair_summer const&) = delete;

    /// Takes a tile of n pairs, of which `items` are not padding, or says that it holds more than windows can.
    bool add(T const* x, T const* y, index_t n, index_t items) {
        // A tile that the totals did not hold is unlike others: windows take it, and the next one places totals anew.
        bool const placed = std::exchange(placed_, false);
        std::optional<bit_range> range;
        if constexpr (estimating) {
            if (placed && (placed_ = estimate(x, y, n))) return note(x, y, items);
            // The first items mostly say enough to place totals, and these tell where they did not.
            for (index_t const seen : {step, n}) {
                range = products_of(x, y, seen);
                bool const worth = !placed && range && window_set<1, sum>::needed_for(*range) != 1;
                if (worth && (placed_ = place_and_estimate(range->top, x, y, n, seen))) return note(x, y, items);
            }
        } else {
            range = products_of(x, y, n);
        }
        if (!range) return false;
        constexpr auto lanes = static_cast<index_t>(hn::MaxLanes(doubles{}));
        bool const exact = !std::is_same_v<T, double> || (HWY_NATIVE_FMA && range->bottom >= -1074);
        int const terms = Distance ? 3 : 1;
        int const needed = exact ? sum_.prepare(*range, terms * 2 * static_cast<int>(n / lanes)) : 0;
        if (needed == 0) return false;
        if constexpr (Distance) {
            add_products<1>(needed, prefetch_, sum_, x, x, n);
            add_products<-2>(needed, prefetch_, sum_, x, y, n);
            add_products<1>(needed, prefetch_, sum_, y, y, n);
        } else {
            add_products<1>(needed, prefetch_, sum_, x, y, n);
        }
        return note(x, y, items);
    }

  private:
    static constexpr bool estimating = HWY_NATIVE_FMA && requires(State& s) { s.first_estimate; };
    static constexpr bool rests = std::is_same_v<T, double>;
    struct nothing {};
    using sum = decltype(State::sum);

    /// What products of n items hold, or terms of their distance; nothing where an item is not finite.
    static std::optional<bit_range> products_of(T const* x, T const* y, index_t n) {
        auto const in_x = scan(x, n), in_y = scan(y, n);
        if (!in_x.finite() || !in_y.finite()) return {};
        bit_range const a = in_x.bits(), b = in_y.bits();
        if constexpr (Distance)
            return bit_range{2 * (a.top > b.top ? a.top : b.top) + 1, 2 * (a.bottom < b.bottom ? a.bottom : b.bottom)};
        else
            return bit_range{a.top + b.top, a.bottom + b.bottom};
    }

    /// Floats go without rests, which takes a fine quantum where sums nearly cancel. Products of both signs have few
    /// carries, at first of normally distributed items, then of uniform ones; where they have more, sums are large.
    bool place_and_estimate(int top, T const* x, T const* y, index_t n, index_t seen) {
        if constexpr (Distance) {
            // By the differences: they may be far smaller than the items.
            double most = 0;
            for (index_t i = 0; i < seen; ++i) most = std::max(most, std::abs(static_cast<double>(x[i]) - y[i]));
            if (most > 0 && std::isfinite(most)) top = 2 * (std::ilogb(most) + 1);
        } else {
            for (int const carries : {1, 4})
                if (!rests && estimate_->place(top, carries) && estimate(x, y, n)) return true;
        }
        return estimate_->place(top) && estimate(x, y, n);
    }
    bool estimate(T const* x, T const* y, index_t n) { return copied_ ? estimate<true>(x, y, n) : estimate<false>(x, y, n); }
    template <bool Copied>
    bool estimate(T const* x, T const* y, index_t n) {
        if constexpr (Distance) return estimate_distances<Copied>(prefetch_, *estimate_, x, y, n);
        else return estimate_products<Copied>(prefetch_, *estimate_, x, y, n);
    }

    /// Counts the pairs of a tile that was taken.
    bool note(T const* x, T const* y, index_t items) {
        state_.items += items;
        for (index_t i = 0; i < items && state_.only_negative_zeros; ++i)
            state_.only_negative_zeros =
                !Distance && (x[i] == 0 || y[i] == 0) && is_negative(x[i]) != is_negative(y[i]);
        return true;
    }

    State& state_;
    prefetcher prefetch_;
    bool copied_;
    window_set<product_windows, sum> sum_;
    std::conditional_t<estimating, std::optional<estimated_sum<rests, pair_tile<T>>>, nothing> estimate_;
    bool placed_ = false;
};

struct pair_sums {
    template <class Gather, class T>
    static void run(Gather const& gather, typename Gather::state& s, columns<T> const& items, index_t count,
                    index_t first) {
        using lane = std::conditional_t<std::is_same_v<T, double>, double, float>;
        pair_summer<typename Gather::state, lane, Gather::distance> summer{
            s, prefetcher{count, sizeof(typename Gather::item), reading::two_ranges}, std::is_same_v<T, lane> && collide(items.first, items.second)};
        lane buffer_x[pair_tile<lane>], buffer_y[pair_tile<lane>];
        bool exceptional = false;
        for_each_tile(items.first, count, pair_tile<lane>, [&](index_t begin, index_t n) HWY_ATTR {
            index_t const padded = (n + step - 1) / step * step;
            lane const* x = as_lanes(items.first + begin, buffer_x, n, padded);
            lane const* y = as_lanes(items.second + begin, buffer_y, n, padded);
            auto const step_at = [&](index_t i) {
                gather.step(s, {items.first[begin + i], items.second[begin + i]}, first + begin + i);
            };
            // Where one tile had exceptions, the next one probably has some.
            if (!exceptional && summer.add(x, y, padded, n)) return;
            index_t const exceptions = take_exceptions(x, y, buffer_x, buffer_y, padded, step_at);
            bool const without = exceptional || exceptions > 0;
            exceptional = exceptions > 0;
            if (exceptions == n) return;
            if (without && summer.add(buffer_x, buffer_y, padded, n)) {
                s.items -= exceptions;  // counted twice
                return;
            }
            auto const is_finite = [](T v) { return magnitude_bits(v) < infinity_bits<T>; };
            for (index_t i = 0; i < n; ++i)
                if (is_finite(items.first[begin + i]) && is_finite(items.second[begin + i])) step_at(i);
        });
    }

    /// Copies pairs, with (−0, 0), which changes no sum of products, in place of those that are not finite; calls
    /// take(i) for each of these, and says how many they are.
    template <class T, class Take>
    static HWY_NOINLINE index_t take_exceptions(T const* x, T const* y, T* finite_x, T* finite_y, index_t n, Take const& take) {
        hn::ScalableTag<T> const d;
        auto const lanes = static_cast<index_t>(hn::Lanes(d));
        auto const infinity = hn::Set(d, std::numeric_limits<T>::infinity());
        index_t exceptions = 0;
        for (index_t i = 0; i < n; i += lanes) {
            auto const a = hn::LoadU(d, x + i), b = hn::LoadU(d, y + i);
            auto const finite = hn::And(hn::Lt(hn::Abs(a), infinity), hn::Lt(hn::Abs(b), infinity));
            if (!hn::AllTrue(d, finite)) {
                // By the mask: to look at the items again gave 0.67 to 0.91 of the rate, with 3 % of NaN.
                std::uint8_t bits[8] = {};
                hn::StoreMaskBits(d, hn::Not(finite), bits);
                for (index_t lane = 0; lane < lanes; ++lane) {
                    if (bits[lane / 8] >> lane % 8 & 1) {
                        take(i + lane);
                        ++exceptions;
                    }
                }
            }
            hn::StoreU(hn::IfThenElse(finite, a, hn::Set(d, T{-0.0})), d, finite_x + i);
            hn::StoreU(hn::IfThenElseZero(finite, b), d, finite_y + i);
        }
        return exceptions;
    }
};

void run_pair_sums(std::size_t route, void* state, void const* items, index_t count, index_t first) {
    route_table<pair_sums, for_floats<routes::pair_sums>>::run(route, state, items, count, first);
}
void run_pair_estimates(std::size_t route, void* state, void const* items, index_t count, index_t first) {
    route_table<pair_sums, routes::pair_estimates>::run(route, state, items, count, first);
}

}  // namespace warpfold::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpfold::host {

HWY_EXPORT(run_pair_sums);
void run_pair_sums(std::size_t route, void* state, void const* items, index_t count, index_t first) {
    HWY_DYNAMIC_DISPATCH(run_pair_sums)(route, state, items, count, first);
}
HWY_EXPORT(run_pair_estimates);
void run_pair_estimates(std::size_t route, void* state, void const* items, index_t count, index_t first) {
    HWY_DYNAMIC_DISPATCH(run_pair_estimates)(route, state, items, count, first);
}

}  // namespace warpfold::host
#endif
