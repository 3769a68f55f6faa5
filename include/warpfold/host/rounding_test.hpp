// Results of estimated sums, where the errors cannot matter: Ziv's rounding test (A. Ziv, Fast evaluation of elementary
// mathematical functions with correctly rounded last bit, ACM TOMS 17 (1991), 410-423). A result is the exact value,
// rounded once; so wherever both ends of what the true sums may be round to the same bits, these are the result's.
#pragma once

#include <optional>

#include "engine.hpp"

namespace warpfold::host {

/// Folds whose result is monotone in each sum they read, as long as the first one keeps its sign, and no finer than the
/// estimate is made for.
template <class F>
inline constexpr bool rounding_testable = false;
template <class T, fold_options O>
inline constexpr bool narrow_result = std::is_same_v<folds::result_float<T, O>, float_result<T>>;
template <class T, fold_options O>
inline constexpr bool rounding_testable<folds::sum<T, O>> = narrow_result<T, O>;
template <class T, fold_options O>
inline constexpr bool rounding_testable<folds::norm_l1<T, O>> = narrow_result<T, O>;
template <class T, fold_options O>
inline constexpr bool rounding_testable<folds::mean<T, O>> = narrow_result<T, O>;
template <class T, fold_options O>
inline constexpr bool rounding_testable<folds::norm_l2<T, O>> = narrow_result<T, O>;
template <class T, fold_options O, folds::dispersion Kind>
inline constexpr bool rounding_testable<folds::spread<T, O, Kind>> = narrow_result<T, O>;
template <class T, fold_options O, bool Distance>
inline constexpr bool rounding_testable<folds::pair_sum<pair<T, T>, O, Distance>> = narrow_result<T, O>;
template <class T, fold_options O>
inline constexpr bool rounding_testable<folds::product<T, O>> = is_float<T>;

/// Fewer items are not worth an estimate, whose result is evaluated twice (variance of 8192 doubles: 8.7 µs both ways).
inline constexpr index_t least_estimated = 1 << 13;

/// Whether sums of a fold over an input may be estimated first, and whether any are worth it. The input is read again
/// where that does not decide the result.
template <class F, class Input>
struct estimates {
    using gather = typename gather_of<F>::type;
    static constexpr bool value = estimable<gather> && rounding_testable<F> && reads_in_place<gather, Input>;
};
template <class... Gathers, class Places, class... Fs, class Input>
struct estimates<together_fold<detail::gather_list<Gathers...>, Places, Fs...>, Input> {
    static constexpr bool gains[] = {estimable<Gathers>..., false};
    static constexpr bool all_testable = []<std::size_t... Is>(std::index_sequence<Is...>) {
        return ((!gains[Places::of[Is]] || rounding_testable<Fs>) && ...);
    }(std::index_sequence_for<Fs...>{});
    static constexpr bool value = is_contiguous<Input> && (estimable<Gathers> || ...) && all_testable;
};

/// The gather that estimates what `g` sums, as far as that is estimable.
template <class Gather>
auto estimating(Gather const& g) {
    if constexpr (estimable<Gather>) return estimate<Gather>{};
    else return g;
}
template <class... Gathers>
auto estimating(gathers<Gathers...> const& g) {
    return [&]<std::size_t... Is>(std::index_sequence<Is...>) {
        using estimating_all = gathers<decltype(estimating(get<Is>(g.members)))...>;
        return estimating_all{detail::make_pack(estimating(get<Is>(g.members))...)};
    }(std::index_sequence_for<Gathers...>{});
}

/// Adds `bound` or its negative, and a little more: sums of bounds were rounded, fewer than 2^40 times.
template <int Low, int High>
void widen(exact::fixed_point<Low, High>& sum, double bound, bool negative) {
    auto const v = decompose(bound * (1 + 0x1p-10));
    int const below = v.exponent < Low ? Low - v.exponent : 0;
    std::int64_t const units = (below < 63 ? v.significand >> below : 0) + 1;
    sum.add(negative ? -units : units, v.exponent + below);
}

/// The states at the ends of what the true sums may be, between whose results the true one lies; false where there are
/// none. In `outer` the first sum is as far from zero as it may be, and the second as small.
template <class T, folds::powers P, bool Absolute, class State = typename folds::power_sums<T, P, Absolute>::state>
bool ends(estimate<folds::power_sums<T, P, Absolute>> const&, auto const& s, State& outer, State& inner) {
    using gather = folds::power_sums<T, P, Absolute>;
    outer = inner = s;
    if (s.first_error == 0 && s.second_error == 0) return true;
    double most = 0;
    bool kept = true;
    if constexpr (gather::has_first) {
        bool const negative = is_negative(exact::round<double>(s.first));
        widen(outer.first, s.first_error, negative);
        widen(inner.first, s.first_error, !negative);
        if constexpr (gather::has_second) {
            most = exact::round<double>(outer.first);
            kept = is_negative(exact::round<double>(inner.first)) == negative;
        }
    }
    if constexpr (gather::has_second) {
        widen(outer.second, s.second_error, true);
        widen(inner.second, s.second_error, false);
        // The variance of the outer end must be positive, with more than these roundings to spare.
        double const least = exact::round<double>(outer.second);
        kept = kept && !is_negative(least);
        if constexpr (gather::has_first)
            kept = kept && least > 0 &&
                   most / least * most < static_cast<double>(s.items - s.special.nans) * (1 - 0x1p-48);
    }
    return kept;
}
template <class T, bool Distance, class State = typename folds::pair_sums<T, Distance>::state>
bool ends(estimate<folds::pair_sums<T, Distance>> const&, auto const& s, State& outer, State& inner) {
    outer = inner = s;
    if (s.first_error == 0) return true;
    widen(outer.sum, s.first_error, false);
    widen(inner.sum, s.first_error, true);
    return true;
}
/// One state, below the true one, that says how far it may be below; a product is undecided where that is too far.
template <class T, class State = typename folds::products<T>::state>
bool ends(estimate<folds::products<T>> const&, auto const& s, State& outer, State& inner) {
    outer = s;
    bool const few = s.first_error < 0x1p-65;
    if (few && s.first_error > 0) {
        auto const units = static_cast<std::uint64_t>(s.first_error * 0x1p127) + 2;
        folds::products<T>{}.merge(outer, {.significand = uint128{0} - 2 * units, .exponent = -128});
        outer.truncations += 2 * units + 2;
    }
    inner = outer;
    return few;
}
template <class Gather, class State>
bool ends(Gather const&, State const& s, State& outer, State& inner) {
    outer = inner = s;
    return true;
}
template <class... Gathers>
bool ends(gathers<Gathers...> const& g, auto const& s, auto& outer, auto& inner) {
    bool all = true;
    auto const add = [&](auto const& member, auto const& part, auto& a, auto& b) {
        all = ends(member, part, a, b) && all;
    };
    g.each(add, s, outer, inner);
    return all;
}

/// Whether two results have the same bits, as far as estimates entered them.
template <class F, class Result>
bool agree(F const&, Result const& a, Result const& b) {
    if constexpr (rounding_testable<F>) {
        using bits = typename float_format<Result>::bits;
        return bits_as<bits>(a) == bits_as<bits>(b);
    } else {
        return true;
    }
}
template <class List, class Places, class... Fs, class Results>
bool agree(together_fold<List, Places, Fs...> const& f, Results const& a, Results const& b) {
    return [&]<std::size_t... Is>(std::index_sequence<Is...>) {
        return (agree(get<Is>(f.folds), get<Is>(a), get<Is>(b)) && ...);
    }(std::index_sequence_for<Fs...>{});
}

/// What `f` yields over every item of `in`, where estimates decide it.
template <class F, class Input>
auto estimated_result(F const& f, Input const& in, options const& how) -> std::optional<outcome<result_of<F>>> {
    typename gather_of<F>::type const& exact = f;
    auto const reader = estimating(exact);
    typename gather_of<F>::type::state outer, inner;
    if (!ends(reader, host::gather(reader, in, how), outer, inner)) return {};
    outcome<result_of<F>> const one = detail::as_outcome(f.finish(outer)), other = detail::as_outcome(f.finish(inner));
    if (one.state != status::ok || !agree(f, one.value, other.value)) return {};
    return one;
}

}  // namespace warpfold::host
