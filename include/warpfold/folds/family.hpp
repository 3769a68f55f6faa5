// What the built-in folds share: options, and the call that applies them to a range.
#pragma once

#include "../fold.hpp"

namespace warpfold {

/// How a built-in fold treats NaN, and which float its result is.
struct fold_options {
    bool skip_nan = false;  ///< ignore NaN items (they are still counted as skipped)
    bool wide = false;      ///< double results for float16, bfloat16 and float items
};

namespace folds {

/// The float type of a result.
template <class Item, fold_options Options>
using result_float = std::conditional_t<Options.wide, double, float_result<Item>>;

/// |x| as an unsigned number: the bits of a float, the absolute value of an integer.
template <class T>
WARPFOLD_HD inline auto magnitude_of(T x) {
    if constexpr (is_float<T>) {
        return magnitude_bits(x);
    } else {
        auto const u = static_cast<std::uint64_t>(static_cast<std::int64_t>(x));
        return is_negative(x) ? std::uint64_t{0} - u : u;
    }
}

}  // namespace folds

/// A built-in family of folds: bind<Item>() yields Fold<Item, Options>. Folds with parameters of their own (ddof) are
/// families too, and keep them in `Parameters`.
template <template <class, fold_options> class Fold, fold_options Options = fold_options{}>
struct family {
    template <class Item>
    WARPFOLD_HD constexpr Fold<Item, Options> bind() const { return {}; }
    template <fold_options Other>
    constexpr family<Fold, Other> with() const { return {}; }
    static constexpr fold_options options = Options;

    /// reduce(range, *this, how…); see reduce.hpp.
    template <class Range, class... How>
    auto operator()(Range const& range, How const&... how) const { return reduce(range, *this, how...); }
};

/// `f` over the items that are not NaN.
template <class Family>
    requires requires { Family::options; }
constexpr auto skip_nan(Family const& f) { return f.template with<fold_options{true, Family::options.wide}>(); }
/// `f` with a result of type double where it would be a float: not of min and max, which are items, nor of exact
/// integers.
template <class R, class Family>
    requires(std::same_as<R, double> && requires { Family::options; })
constexpr auto as(Family const& f) { return f.template with<fold_options{Family::options.skip_nan, true}>(); }

}  // namespace warpfold
