// A fold: what is computed, without a word on where (engines) or over which items (shapes).
//
//     struct my_sum {
//         using state = double;                                        // trivially copyable, with a default constructor
//         state identity() const { return 0; }
//         void step(state& s, float item, wf::index_t) const { s += item; }
//         void merge(state& s, state const& later) const { s += later; }
//         double finish(state const& s) const { return s; }            // or wf::outcome<double>
//     };
//
// merge is associative, with identity() as its neutral state. A fold that does not commute says
// `static constexpr bool commutative = false;` and is merged in the order of its items. A fold whose result can be
// known early says so with `bool settled(state const&) const`; what follows may then stay unread. One over a gather of the
// library's, whose floats are what exact::round and its like return, untouched, says `static constexpr bool rounds_last =
// true;`: a result that is NaN is then told from an undecided one, and need not be worked out again.
#pragma once

#include <concepts>

#include "types.hpp"

namespace warpfold {

/// What the engines ask of a fold over items of type Item.
template <class F, class Item>
concept fold = requires(F const& f, typename F::state& s, typename F::state const& other, Item const& item) {
    requires std::is_trivially_copyable_v<typename F::state> && std::is_default_constructible_v<typename F::state>;
    { f.identity() } -> std::same_as<typename F::state>;
    f.step(s, item, index_t{});
    f.merge(s, other);
    f.finish(other);
};

/// Whether partials may be merged in any order.
template <class F>
inline constexpr bool is_commutative = !requires { requires !F::commutative; };

/// An item of a zip of two inputs.
template <class A, class B>
struct pair {
    A first;
    B second;
};

namespace detail {

template <class R>
WARPFOLD_HD constexpr outcome<R> as_outcome(outcome<R> const& o) { return o; }
template <class R>
WARPFOLD_HD constexpr outcome<R> as_outcome(R const& value) { return {value, status::ok}; }

}  // namespace detail

/// The fold that a family such as wf::sum is for items of type Item; a user's own fold is itself.
template <class Item, class F>
WARPFOLD_HD constexpr auto bind(F const& f) {
    if constexpr (requires { f.template bind<Item>(); }) return f.template bind<Item>();
    else return f;
}
/// The fold that F is for items of type Item.
template <class F, class Item>
using bound = decltype(bind<Item>(std::declval<F const&>()));

/// What a bound fold yields at the end.
template <class F>
using result_of = decltype(detail::as_outcome(std::declval<F const&>().finish(std::declval<typename F::state const&>()))
                               .value);

/// The part of a fold that reads items. Folds that differ only in how they finish (sum and mean, min and argmax) name
/// the same one, so that `together` keeps one state for them.
template <class F>
struct gather_of {
    using type = F;
};
template <class F>
    requires requires { typename F::gather; }
struct gather_of<F> {
    using type = typename F::gather;
};

}  // namespace warpfold
