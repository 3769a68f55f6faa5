// Results of estimated sums, where the errors cannot matter (Ziv's rounding test, as in exact/round_near.hpp). A result
// is the exact value, rounded once; so wherever all that it may be rounds to the same bits, these are the result's.
#pragma once

#include <cmath>
#include <optional>

#include "../folds/moments.hpp"
#include "engine.hpp"

namespace warpfold::host {

/// Folds that finish sums that are known to within an error, and whose result is no finer than the estimate is made
/// for.
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

/// A sum of fewer doubles is not worth an estimate (of 1024 items 0.50 instead of 0.37 µs, of 2048 0.57 and 0.56;
/// variance of 2048 doubles 1.3 instead of 3.3).
inline constexpr index_t least_estimated = 1 << 11;

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

/// What folds of estimated sums finish: each of them as two doubles, within an error.
struct near_sums {
    index_t items;
    folds::exceptions special;
    bool only_negative_zeros;
    exact::near_double first, second, sum;
};

/// A sum as two doubles; NaN, which decides nothing, where they cannot be of its size.
template <int Low, int High>
exact::near_double near(exact::fixed_point<Low, High> const& sum) {
    if (sum.pending == 0) return {0, 0, 0};
    bool negative;
    auto const magnitude = exact::magnitude<0>(sum, negative);
    if (magnitude.is_zero()) return {0, 0, 0};
    exact::leading_bits const lead = exact::leading(magnitude);
    // Of the last of 53 bits; as many follow, and what follows these is less than 2^-105 of the sum.
    int const exponent = Low + lead.exponent + 75;
    if (exponent < -900 || exponent > 900) return {nan_of<double>, 0, 0};
    auto const high = static_cast<double>(static_cast<std::uint64_t>(lead.bits >> 75));
    auto const low = static_cast<double>(static_cast<std::uint64_t>(lead.bits >> 22) & ((std::uint64_t{1} << 53) - 1));
    double const unit = std::ldexp(negative ? -1.0 : 1.0, exponent), first = high * unit;
    return exact::near_double::of(first, low * unit * 0x1p-53, exact::near_double::loss * std::abs(first));
}
/// What was summed exactly and what was estimated. NaN where their low part might not be a normal double, or the sum
/// might be infinite. (Its square may underflow: a sum of squares that was estimated with it is at least 2^-870, and
/// has a larger error than what is lost then.)
template <int Low, int High>
exact::near_double near(exact::fixed_point<Low, High> const& sum, exact::near_double const& estimated) {
    exact::near_double all = near(sum) + estimated;
    all.error *= 1 + 0x1p-10;  // it was rounded, fewer than 2^40 times
    double const size = std::abs(all.high);
    if (size != 0 && !(size >= 0x1p-848 && size <= 0x1p953)) return {nan_of<double>, 0, 0};
    return all;
}

/// The value that `f` finishes of a state, where nothing that an estimate leaves open changes it, and it is no error.
template <class F, class State>
auto decided(F const& f, State const& s) -> std::optional<result_of<F>> {
    auto const result = detail::as_outcome(f.finish(s));
    if (result.state != status::ok) return {};
    return result.value;
}
template <class F, class State>
    requires requires(State const& s) { s.first_estimate; }
auto decided(F const& f, State const& s) -> std::optional<result_of<F>> {
    constexpr bool first = !requires { requires !F::has_first; }, second = requires { requires F::has_second; };
    if ((!first || s.first_estimate.error == 0) && (!second || s.second_estimate.error == 0))
        return detail::as_outcome(f.finish(s)).value;
    near_sums n{s.items, s.special, s.only_negative_zeros, {}, {}, {}};
    if constexpr (requires { s.sum; }) {
        n.sum = near(s.sum, s.first_estimate);
    } else {
        if constexpr (first) n.first = near(s.first, s.first_estimate);
        if constexpr (second) n.second = near(s.second, s.second_estimate);
    }
    auto const value = detail::as_outcome(f.finish(n)).value;
    if (!is_nan(value)) return value;
    // Some are NaN whatever the sums are: of zeros too, of which exact sums decide the result.
    typename F::state zeros = f.identity();
    zeros.items = s.items;
    zeros.special = s.special;
    if (is_nan(detail::as_outcome(f.finish(zeros)).value)) return value;
    return {};
}
/// The state of a product lies below the true one; now it says too how far it may be below.
template <class T, fold_options O, class State>
    requires requires(State const& s) { s.error; }
auto decided(folds::product<T, O> const& f, State const& s) -> std::optional<result_of<folds::product<T, O>>> {
    if (!(s.error < 0x1p-65)) return {};
    typename folds::products<T>::state below = s;
    if (s.error > 0) {
        auto const units = static_cast<std::uint64_t>(s.error * 0x1p127) + 2;
        f.merge(below, {.significand = uint128{0} - 2 * units, .exponent = -128});
        below.truncations += 2 * units + 2;
    }
    return decided(f, below);
}
template <class List, class Places, class... Fs, class State>
auto decided(together_fold<List, Places, Fs...> const& f, State const& s)
    -> std::optional<result_of<together_fold<List, Places, Fs...>>> {
    result_of<together_fold<List, Places, Fs...>> all{};
    auto const take = [](auto const& part, auto& value) {
        if (part) value = *part;
        return part.has_value();
    };
    bool const every = [&]<std::size_t... Is>(std::index_sequence<Is...>) {
        return (take(decided(get<Is>(f.folds), get<Places::of[Is]>(s)), get<Is>(all)) && ...);
    }(std::index_sequence_for<Fs...>{});
    if (!every) return {};
    return all;
}

/// What `f` yields over every item of `in`, where estimates decide it.
template <class F, class Input>
auto estimated_result(F const& f, Input const& in, options const& how) -> std::optional<result_of<F>> {
    typename gather_of<F>::type const& exact = f;
    auto const reader = estimating(exact);
    return decided(f, host::gather(reader, in, how));
}

}  // namespace warpfold::host
