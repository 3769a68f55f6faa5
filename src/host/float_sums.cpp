// Exact sums of floats and of their squares.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/float_sums.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each target

#include <hwy/highway.h>

#include <optional>

#include "host/route_table.hpp"
#include "host/scan-inl.h"

HWY_BEFORE_NAMESPACE();
namespace warpfold::host::HWY_NAMESPACE {

/// What a loop over a tile sums.
enum class term { value, magnitude, square };

/// Adds a tile to N windows. n is a multiple of `step`.
template <term Term, int N, class T, class Set>
HWY_NOINLINE void add_tile(Set& set, T const* x, index_t n) {
    constexpr auto lanes = static_cast<index_t>(hn::MaxLanes(doubles{}));
    constexpr bool two_words = Term == term::square && std::is_same_v<T, double>;
    window_lanes<N> w = set.template load<N>();
    for (index_t i = 0; i < n; i += 2 * lanes) {
        prefetch_next_tile(x + i);
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
void add_tile(int needed, Set& set, T const* x, index_t n) {
    if constexpr (Windows > 1) {
        if (needed < Windows) return add_tile<Term, Windows - 1>(needed, set, x, n);
    }
    add_tile<Term, Windows>(set, x, n);
}

template <class T>
inline constexpr int square_windows = std::is_same_v<T, double> ? 4 : 3;
inline constexpr int value_windows = 3;

/// The state of one call: windows over the sums that the fold keeps.
template <class State, class T, bool First, bool Second, bool Absolute>
class float_summer {
  public:
    explicit float_summer(State& s) : state_{s} {
        if constexpr (First) first_.emplace(s.first);
        if constexpr (Second) second_.emplace(s.second);
    }
    ~float_summer() {
        if constexpr (First) first_->flush();
        if constexpr (Second) second_->flush();
    }
    float_summer(float_summer const&) = delete;
    float_summer& operator=(float_summer const&) = delete;

    /// Takes n items; n is a multiple of `step`, at most `tile<T>`. `items` of them are not padding.
    void add(T const* x, index_t n, index_t items) {
        T buffer[tile<T>];
        auto range = scan(x, n);
        T const* const given = x;
        if (!range.finite()) {
            take_exceptions(state_.special, x, buffer, n);
            if (Absolute) {  // |−inf|
                state_.special.positive_infinities += state_.special.negative_infinities;
                state_.special.negative_infinities = 0;
            }
            x = buffer;
            range = scan(x, n);
        }
        note_zeros(range, given, items);
        if (range.zero()) return;
        bit_range const bits = range.bits();
        if constexpr (First) {
            constexpr auto lanes = static_cast<index_t>(hn::MaxLanes(doubles{}));
            if (int const needed = first_->prepare(bits, static_cast<int>(n / lanes)))
                add_tile<first_term, value_windows>(needed, *first_, x, n);
            else
                add_slowly<first_term>(state_.first, x, n);
        }
        if constexpr (Second) add_squares(bits, x, n);
    }

  private:
    static constexpr term first_term = Absolute ? term::magnitude : term::value;
    struct nothing {};
    template <bool Used, int Windows, class Sum>
    using windows = std::conditional_t<Used, std::optional<window_set<Windows, Sum>>, nothing>;

    void add_squares(bit_range bits, T const* x, index_t n) {
        constexpr auto lanes = static_cast<index_t>(hn::MaxLanes(doubles{}));
        bit_range const squares{2 * bits.top, 2 * bits.bottom};
        // Both words of a product must be doubles, and the second one takes a fused operation.
        bool const exact = !std::is_same_v<T, double> || (HWY_NATIVE_FMA && squares.bottom >= -1074);
        int const needed = exact ? second_->prepare(squares, 2 * static_cast<int>(n / lanes)) : 0;
        if (needed) add_tile<term::square, square_windows<T>>(needed, *second_, x, n);
        else add_slowly<term::square>(state_.second, x, n);
    }

    /// For tiles that hold too many binades, or too high ones.
    template <term Term, class Sum>
    HWY_NOINLINE static void add_slowly(Sum& sum, T const* x, index_t n) {
        for (index_t i = 0; i < n; ++i) {
            auto v = decompose(x[i]);
            if (v.significand == 0) continue;
            // Items of a narrower type were converted, and have zeros below the lowest bit of that type.
            constexpr int low = Term == term::square ? Sum::low / 2 : Sum::low;
            if (v.exponent < low) {
                v.significand >>= low - v.exponent;
                v.exponent = low;
            }
            if constexpr (Term == term::value) sum.add(v.significand, v.exponent);
            else if constexpr (Term == term::magnitude) sum.add(v.significand < 0 ? -v.significand : v.significand, v.exponent);
            else sum.add_product(v.significand, v.significand, 2 * v.exponent);
        }
    }

    void note_zeros(magnitude_range<T> range, T const* x, index_t items) {
        if (!range.zero()) state_.only_negative_zeros = false;
        for (index_t i = 0; i < items && state_.only_negative_zeros; ++i)
            if (magnitude_bits(x[i]) < infinity_bits<T>) state_.only_negative_zeros = !Absolute && is_negative(x[i]);
    }

    State& state_;
    windows<First, value_windows, std::remove_reference_t<decltype(std::declval<State&>().first)>> first_;
    windows<Second, square_windows<T>, std::remove_reference_t<decltype(std::declval<State&>().second)>> second_;
};

struct float_sums {
    template <class T, folds::powers P, bool Absolute>
    static void run(folds::power_sums<T, P, Absolute> const&, typename folds::power_sums<T, P, Absolute>::state& s,
                    T const* items, index_t count, index_t) {
        using gather = folds::power_sums<T, P, Absolute>;
        using lane = std::conditional_t<std::is_same_v<T, double>, double, float>;
        float_summer<typename gather::state, lane, gather::has_first, gather::has_second, Absolute> summer{s};
        s.items += count;
        lane buffer[tile<lane>];
        for (index_t first = 0; first < count; first += tile<lane>) {
            index_t const n = count - first < tile<lane> ? count - first : tile<lane>;
            index_t const padded = (n + step - 1) / step * step;
            lane const* x = as_lanes(items + first, buffer, n, padded);
            summer.add(x, padded, n);
        }
    }
};

void run_float_sums(std::size_t route, void* state, void const* items, index_t count, index_t first) {
    route_table<float_sums, for_floats<routes::power_sums>>::run(route, state, items, count, first);
}

}  // namespace warpfold::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpfold::host {

HWY_EXPORT(run_float_sums);
void run_float_sums(std::size_t route, void* state, void const* items, index_t count, index_t first) {
    HWY_DYNAMIC_DISPATCH(run_float_sums)(route, state, items, count, first);
}

}  // namespace warpfold::host
#endif
