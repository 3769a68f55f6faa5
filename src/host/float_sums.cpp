// Exact sums of floats and of their squares.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/float_sums.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each target

#include <hwy/highway.h>

#include <optional>
#include <utility>

#include "host/estimates-inl.h"
#include "host/rounding_watch.hpp"
#include "host/route_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::host::HWY_NAMESPACE {

/// What a loop over a tile sums.
enum class term { value, magnitude, square };

/// Adds a tile to N windows. n is a multiple of `step`.
template <term Term, int N, class T, class Set>
HWY_NOINLINE void add_tile(prefetcher prefetch, Set& set, T const* x, index_t n) {
    constexpr auto lanes = static_cast<index_t>(hn::MaxLanes(doubles{}));
    constexpr bool two_words = Term == term::square && std::is_same_v<T, double>;
    window_lanes<N> w = set.template load<N>();
    for (index_t i = 0; i < n; i += 2 * lanes) {
        prefetch_next_tile(prefetch, x + i);
        auto a = load_doubles(x + i), b = load_doubles(x + i + lanes);
        if constexpr (Term == term::magnitude) {
            a = hn::Abs(a);
            b = hn::Abs(b);
        }
        if constexpr (Term != term::square) {
            w.template add<0, false>(a);
            w.template add<0, true>(b);
        } else {
            w.template add_product<two_words, false>(a, a);
            w.template add_product<two_words, true>(b, b);
        }
    }
    int additions[N];
    for (int k = 0; k < N; ++k) additions[k] = static_cast<int>(n / lanes) * (two_words && k > 0 ? 2 : 1);
    set.store(w, additions);
}

template <term Term, int Windows, class T, class Set>
void add_tile(int needed, prefetcher prefetch, Set& set, T const* x, index_t n) {
    if constexpr (Windows > 1) {
        if (needed < Windows) return add_tile<Term, Windows - 1>(needed, prefetch, set, x, n);
    }
    add_tile<Term, Windows>(prefetch, set, x, n);
}

/// What plain additions give of a tile.
struct plain_total {
    double sum;  ///< −0 only where all items are that
    index_t nans;
};
/// The sum of a tile by plain additions, where none of them rounds, so that it is the exact one; without NaN, which it
/// counts, where these are expected. n is a multiple of `step`.
template <term Term, bool Nans>
HWY_NOINLINE std::optional<plain_total> plain_sum(prefetcher prefetch, rounding_watch const& watch, float const* x,
                                                  index_t n) {
    constexpr auto lanes = static_cast<index_t>(hn::MaxLanes(doubles{}));
    watch.start(x);
    auto numbers = hn::Zero(words{});
    auto const add = [&numbers](double_lanes& sum, float const* from) HWY_ATTR {
        auto const v = load_doubles(from);
        auto const more = hn::Add(sum, Term == term::magnitude ? hn::Abs(v) : v);
        if constexpr (Nans) {
            auto const is_number = hn::Eq(v, v);
            numbers = hn::Sub(numbers, hn::BitCast(words{}, hn::VecFromMask(doubles{}, is_number)));
            sum = hn::IfThenElse(is_number, more, sum);
        } else {
            sum = more;
        }
    };
    auto a = hn::Set(doubles{}, -0.0), b = a, c = a, d = a;
    for (index_t i = 0; i < n; i += 4 * lanes) {
        prefetch.ahead(x + i, 4 * lanes);
        add(a, x + i);
        add(b, x + i + lanes);
        add(c, x + i + 2 * lanes);
        add(d, x + i + 3 * lanes);
    }
    double sum = hn::GetLane(hn::SumOfLanes(doubles{}, hn::Add(hn::Add(a, b), hn::Add(c, d))));
    // Infinities and NaN raise no flag.
    if (watch.rounded(sum) || !std::isfinite(sum)) return {};
    return plain_total{sum, Nans ? n - static_cast<index_t>(hn::GetLane(hn::SumOfLanes(words{}, numbers))) : 0};
}

/// Adds a tile to the totals of an estimate, or says that one of them left its range, and adds nothing. (Watched
/// squares want four totals: by two they wait for one another, Zen 3, one core, from its second-level cache, 42 instead
/// of 48 GB/s.)
template <term Term, class T, class Sum>
HWY_NOINLINE bool estimate_tile(prefetcher prefetch, Sum& sum, T const* x, index_t n) {
    constexpr auto lanes = static_cast<index_t>(hn::MaxLanes(doubles{}));
    constexpr index_t sets = Sum::by_squares && Term == term::value ? 2 : 1;
    auto first = sum.begin(), second = first;
    auto const add = [prefetch, x](auto& totals, index_t i) HWY_ATTR {
        prefetch.ahead(x + i, 2 * lanes);
        auto const a = load_doubles(x + i), b = load_doubles(x + i + lanes);
        totals.even.add(Term == term::magnitude ? hn::Abs(a) : a);
        totals.odd.add(Term == term::magnitude ? hn::Abs(b) : b);
        if constexpr (Term == term::value) totals.watch();
    };
    for (index_t i = 0; i < n; i += sets * 2 * lanes) {
        add(first, i);
        if constexpr (sets == 2) add(second, i + 2 * lanes);
    }
    if constexpr (Term == term::magnitude) {
        first.note();
        if (!first.in_range()) return false;
    } else {
        if (!sum.held(first) || !sum.held(second)) return false;
    }
    sum.end(first, n / sets);
    if constexpr (sets == 2) sum.end(second, n / sets);
    return true;
}
/// The same of squares, which take so few operations that two totals would wait for their additions.
template <class T, class Sum>
HWY_NOINLINE bool estimate_squares(prefetcher prefetch, Sum& sum, T const* x, index_t n) {
    constexpr auto lanes = static_cast<index_t>(hn::MaxLanes(doubles{}));
    auto first = sum.begin(), second = first;
    auto const add = [prefetch, x](auto& totals, index_t i) HWY_ATTR {
        prefetch.ahead(x + i, 2 * lanes);
        auto const a = load_doubles(x + i), b = load_doubles(x + i + lanes);
        totals.even.add_product(a, a);
        totals.odd.add_product(b, b);
    };
    for (index_t i = 0; i < n; i += 4 * lanes) {
        add(first, i);
        add(second, i + 2 * lanes);
    }
    first.note();
    second.note();
    if (!first.in_range() || !second.in_range()) return false;
    sum.end(first, n / 2);
    sum.end(second, n / 2);
    return true;
}
/// Adds a tile to the totals of values and of squares, placed for items below one 2^top: what keeps squares in their
/// range keeps values in theirs. In a total of at most 2^l items, Σ x² < 2^(51 + q) = 2^(2 top + l + 1), for
/// q = 2 top + l − 50; so |Σ x| < 2^(top + l + 1/2), by Cauchy and Schwarz, and there is room for 2^(top + l + 1).
/// (What the totals leave out is less than 2^-40 of that.)
/// With two totals of each, floats waited for their additions (Zen 3, one core, from its second-level cache: 16 → 20
/// GB/s, where nobody else runs 24 → 26); of doubles, four of each and their rests are more than the registers of AVX2.
/// Squares come first, so that values need no copy there: with one too many, a rest lay in memory, and each turn waited
/// for it (15 GB/s).
template <class T, class Values, class Squares>
HWY_NOINLINE bool estimate_tile(prefetcher prefetch, Values& values, Squares& squares, T const* x, index_t n) {
    constexpr auto lanes = static_cast<index_t>(hn::MaxLanes(doubles{}));
    constexpr index_t sets = std::is_same_v<T, double> ? 1 : 2;
    auto v = values.begin(), w = v;
    auto s = squares.begin(), t = s;
    auto const add = [x](auto& of_values, auto& of_squares, index_t i) HWY_ATTR {
        auto const a = in_register(load_doubles(x + i)), b = in_register(load_doubles(x + i + lanes));
        of_squares.even.add_product(a, a);
        of_squares.odd.add_product(b, b);
        of_values.even.add(a);
        of_values.odd.add(b);
    };
    for (index_t i = 0; i < n; i += sets * 2 * lanes) {
        prefetch.ahead(x + i, sets * 2 * lanes);
        add(v, s, i);
        if constexpr (sets == 2) add(w, t, i + 2 * lanes);
    }
    s.note();
    t.note();
    if (!s.in_range() || !t.in_range()) return false;
    values.end(v, n / sets);
    squares.end(s, n / sets);
    if constexpr (sets == 2) {
        values.end(w, n / sets);
        squares.end(t, n / sets);
    }
    return true;
}

template <class T>
inline constexpr int square_windows = std::is_same_v<T, double> ? 4 : 3;
inline constexpr int value_windows = 3;

/// The state of one call: windows over the sums that the fold keeps; over those that it may estimate totals too, which
/// take what would need more than one window, as long as they hold what tiles bring.
template <class State, class T, bool First, bool Second, bool Absolute>
class float_summer {
  public:
    float_summer(State& s, prefetcher prefetch)
        // Where tiles had a NaN each on average, the first one of this run probably has some.
        : state_{s}, prefetch_{prefetch},
          exceptions_{s.special.nans * tile<T> > s.items ? found::nans : found::nothing} {
        if constexpr (summing_plainly) watch_.emplace();
        if constexpr (First) first_.emplace(s.first);
        if constexpr (Second) second_.emplace(s.second);
        if constexpr (estimating && First) first_estimate_.emplace(s.first_estimate);
        if constexpr (estimating && Second) second_estimate_.emplace(s.second_estimate);
    }
    ~float_summer() {
        if constexpr (First) first_->flush();
        if constexpr (Second) second_->flush();
    }
    float_summer(float_summer const&) = delete;
    float_summer& operator=(float_summer const&) = delete;

    /// Takes n items; n is a multiple of `step`, at most `tile<T>`. `items` of them are not padding.
    void add(T const* x, index_t n, index_t items) {
        // A tile that the totals did not hold is unlike others: windows take it, and the next one places totals anew.
        bool const placed = std::exchange(placed_, false);
        T buffer[tile<T>];
        T const* const given = x;
        // Fewer items are not worth writing the processor's control word.
        bool const plainly = summing_plainly && plain_ && !placed && n >= 1024;
        // Where one tile had exceptions, the next one probably has some.
        bool const skipping = plainly && exceptions_ == found::nans;
        if (exceptions_ != found::nothing && !skipping) x = without_exceptions(given, buffer, n);
        if constexpr (estimating) {
            if (placed && (placed_ = estimate(x, n))) return;
        }
        if constexpr (summing_plainly) {
            if (plainly) {
                plain_ = skipping ? add_plainly<true>(x, n) : add_plainly<false>(x, n);
                if (plain_) return;
            }
        }
        auto range = scan(x, n);
        if (!range.finite()) {
            x = without_exceptions(given, buffer, n);
            range = scan(x, n);
        }
        note_zeros(range, given, items);
        if (range.zero()) return;
        bit_range const bits = range.bits();
        // The next tile is summed plainly if one like this can be: a double holds its bits, and a few carries.
        plain_ = bits.top + 6 - bits.bottom <= 53;
        if constexpr (estimating) {
            bool const worth = !placed && !fits_one_window(bits);
            if (worth && place(bits.top) && (placed_ = estimate(x, n))) return;
        }
        if constexpr (First) {
            constexpr auto lanes = static_cast<index_t>(hn::MaxLanes(doubles{}));
            if (int const needed = first_->prepare(bits, static_cast<int>(n / lanes)))
                add_tile<first_term, value_windows>(needed, prefetch_, *first_, x, n);
            else
                add_slowly<first_term>(state_.first, x, n);
        }
        if constexpr (Second) add_squares(bits, x, n);
    }

  private:
    static constexpr term first_term = Absolute ? term::magnitude : term::value;
    static constexpr bool estimating = HWY_NATIVE_FMA && requires(State& s) { s.first_estimate; };
    static constexpr bool summing_plainly = can_watch_rounding && !Second && std::is_same_v<T, float>;
    enum class found { nothing, nans, infinities };
    struct nothing {};
    using first_sum = decltype(State::first);
    using second_sum = decltype(State::second);
    template <bool Used, class Part>
    using part = std::conditional_t<Used, std::optional<Part>, nothing>;

    static bit_range squares_of(bit_range items) { return {2 * items.top, 2 * items.bottom}; }

    /// Where one window is all that items need, no sum of theirs costs less, and this one is exact.
    static bool fits_one_window(bit_range bits) {
        bool fits = true;
        if constexpr (First) fits = window_set<1, first_sum>::needed_for(bits) == 1;
        if constexpr (Second) fits = fits && window_set<1, second_sum>::needed_for(squares_of(bits)) == 1;
        return fits;
    }
    bool place(int top) {
        bool possible = true;
        if constexpr (First) possible = first_estimate_->place(top);
        if constexpr (Second) possible = second_estimate_->place(2 * top) && possible;
        return possible;
    }
    bool estimate(T const* x, index_t n) {
        if constexpr (First && Second) return estimate_tile(prefetch_, *first_estimate_, *second_estimate_, x, n);
        else if constexpr (First) return estimate_tile<first_term>(prefetch_, *first_estimate_, x, n);
        else return estimate_squares(prefetch_, *second_estimate_, x, n);
    }

    T const* without_exceptions(T const* x, T* buffer, index_t n) {
        folds::exceptions here;
        take_exceptions(prefetch_, here, x, buffer, n);
        if (Absolute) here.positive_infinities += std::exchange(here.negative_infinities, 0);  // |−inf|
        exceptions_ = here.positive_infinities + here.negative_infinities > 0 ? found::infinities
                      : here.nans > 0                                         ? found::nans
                                                                              : found::nothing;
        state_.special.merge(here);
        return buffer;
    }

    template <bool Nans>
    bool add_plainly(T const* x, index_t n) {
        auto const total = plain_sum<first_term, Nans>(prefetch_, *watch_, x, n);
        if (!total) return false;
        if (Nans && total->nans == 0) exceptions_ = found::nothing;
        state_.special.nans += total->nans;
        if (total->sum != 0 || !is_negative(total->sum)) state_.only_negative_zeros = false;
        auto const v = decompose_above<first_sum::low>(total->sum);
        if (v.significand != 0) state_.first.add(v.significand, v.exponent);
        return true;
    }

    void add_squares(bit_range bits, T const* x, index_t n) {
        constexpr auto lanes = static_cast<index_t>(hn::MaxLanes(doubles{}));
        bit_range const squares = squares_of(bits);
        // Both words of a product must be doubles, and the second one takes a fused operation.
        bool const exact = !std::is_same_v<T, double> || (HWY_NATIVE_FMA && squares.bottom >= -1074);
        int const needed = exact ? second_->prepare(squares, 2 * static_cast<int>(n / lanes)) : 0;
        if (needed) add_tile<term::square, square_windows<T>>(needed, prefetch_, *second_, x, n);
        else add_slowly<term::square>(state_.second, x, n);
    }

    /// For tiles that hold too many binades, or too high ones.
    template <term Term, class Sum>
    HWY_NOINLINE static void add_slowly(Sum& sum, T const* x, index_t n) {
        for (index_t i = 0; i < n; ++i) {
            auto const v = decompose_above<Term == term::square ? Sum::low / 2 : Sum::low>(x[i]);
            if (v.significand == 0) continue;
            if constexpr (Term == term::value) sum.add(v.significand, v.exponent);
            else if constexpr (Term == term::magnitude) sum.add(v.significand < 0 ? -v.significand : v.significand, v.exponent);
            else add_product(sum, v.significand, v.significand, 2 * v.exponent);
        }
    }

    void note_zeros(magnitude_range<T> range, T const* x, index_t items) {
        if (!range.zero()) state_.only_negative_zeros = false;
        for (index_t i = 0; i < items && state_.only_negative_zeros; ++i)
            if (magnitude_bits(x[i]) < infinity_bits<T>) state_.only_negative_zeros = !Absolute && is_negative(x[i]);
    }

    State& state_;
    prefetcher prefetch_;
    part<summing_plainly, rounding_watch> watch_;
    part<First, window_set<value_windows, first_sum>> first_;
    part<Second, window_set<square_windows<T>, second_sum>> second_;
    // Squares of floats need no rests: their sum is far finer than a float, and no two of them cancel.
    part<estimating && First, estimated_sum<true, tile<T>>> first_estimate_;
    part<estimating && Second, estimated_sum<std::is_same_v<T, double>, tile<T>>> second_estimate_;
    bool placed_ = false;
    bool plain_ = true;
    found exceptions_;  ///< the worst that the last tile had
};

struct float_sums {
    template <class Gather>
    static void run(Gather const&, typename Gather::state& s, typename Gather::item const* items, index_t count,
                    index_t) {
        using lane = std::conditional_t<std::is_same_v<typename Gather::item, double>, double, float>;
        float_summer<typename Gather::state, lane, Gather::has_first, Gather::has_second, Gather::absolute> summer{
            s, prefetcher{count, sizeof(typename Gather::item)}};
        s.items += count;
        lane buffer[tile<lane>];
        for_each_tile(items, count, tile<lane>, [&](index_t begin, index_t n) HWY_ATTR {
            index_t const padded = (n + step - 1) / step * step;
            summer.add(as_lanes(items + begin, buffer, n, padded), padded, n);
        });
    }
};

void run_float_sums(std::size_t route, void* state, void const* items, index_t count, index_t first) {
    route_table<float_sums, for_floats<routes::power_sums>>::run(route, state, items, count, first);
}
void run_float_estimates(std::size_t route, void* state, void const* items, index_t count, index_t first) {
    route_table<float_sums, routes::power_estimates>::run(route, state, items, count, first);
}

}  // namespace warpfold::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpfold::host {

HWY_EXPORT(run_float_sums);
void run_float_sums(std::size_t route, void* state, void const* items, index_t count, index_t first) {
    HWY_DYNAMIC_DISPATCH(run_float_sums)(route, state, items, count, first);
}
HWY_EXPORT(run_float_estimates);
void run_float_estimates(std::size_t route, void* state, void const* items, index_t count, index_t first) {
    HWY_DYNAMIC_DISPATCH(run_float_estimates)(route, state, items, count, first);
}

}  // namespace warpfold::host
#endif
