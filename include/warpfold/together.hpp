// together(a, b, c): several folds in one read. Folds that read alike (sum and variance, min and argmax) share one
// state.
#pragma once

#include <tuple>

#include "folds/extrema.hpp"
#include "folds/logic.hpp"
#include "folds/moments.hpp"

namespace warpfold {

/// Values side by side, reached by get<I> or structured bindings; usable on devices.
template <class... Ts>
struct pack;
template <>
struct pack<> {
    friend bool operator==(pack const&, pack const&) = default;
};
template <class T, class... Rest>
struct pack<T, Rest...> {
    T head;
    pack<Rest...> tail;
    friend bool operator==(pack const&, pack const&) = default;
};

/// The value at place I.
template <std::size_t I, class T, class... Rest>
WARPFOLD_HD constexpr auto& get(pack<T, Rest...>& p) {
    if constexpr (I == 0) return p.head;
    else return get<I - 1>(p.tail);
}
template <std::size_t I, class T, class... Rest>
WARPFOLD_HD constexpr auto const& get(pack<T, Rest...> const& p) {
    if constexpr (I == 0) return p.head;
    else return get<I - 1>(p.tail);
}

template <std::size_t I, class T, class... Rest>
WARPFOLD_HD constexpr auto&& get(pack<T, Rest...>&& p) {
    return static_cast<std::remove_reference_t<decltype(get<I>(p))>&&>(get<I>(p));
}

}  // namespace warpfold

template <class... Ts>
struct std::tuple_size<warpfold::pack<Ts...>> : std::integral_constant<std::size_t, sizeof...(Ts)> {};
template <std::size_t I, class... Ts>
struct std::tuple_element<I, warpfold::pack<Ts...>> {
    using type = std::tuple_element_t<I, std::tuple<Ts...>>;
};

namespace warpfold {
namespace detail {

/// The gather that serves both A and B, or void where none does.
template <class A, class B>
struct common_gather {
    using type = std::conditional_t<std::is_same_v<A, B>, A, void>;
};
template <class T, folds::powers P, folds::powers Q>
struct common_gather<folds::power_sums<T, P>, folds::power_sums<T, Q>> {
    using type = folds::power_sums<T, P == Q ? P : folds::powers::both>;
};
template <class T, bool P, bool Q>
struct common_gather<folds::extrema<T, P>, folds::extrema<T, Q>> {
    using type = folds::extrema<T, P || Q>;
};
template <class T, bool P>
struct common_gather<folds::counts<T>, folds::extrema<T, P>> {
    using type = folds::extrema<T, P>;
};
template <class T, bool P>
struct common_gather<folds::extrema<T, P>, folds::counts<T>> {
    using type = folds::extrema<T, P>;
};
/// Gathers that hold values of their own, as users' folds may, are alike in type only.
template <class A, class B>
inline constexpr bool shareable = !std::is_void_v<typename common_gather<A, B>::type> && std::is_empty_v<A> && std::is_empty_v<B>;

template <class... Gs>
struct gather_list {
    /// The list with G taken into a member that can serve it, or added at the end.
    template <class G>
    using with = std::conditional_t<(shareable<Gs, G> || ...),
                                    gather_list<std::conditional_t<shareable<Gs, G>, typename common_gather<Gs, G>::type, Gs>...>,
                                    gather_list<Gs..., G>>;
    /// The place of G in that list.
    template <class G>
    static constexpr std::size_t position = [] {
        std::size_t at = 0;
        (void)((shareable<Gs, G> || (++at, false)) || ...);
        return at;
    }();
};

/// The places in a gather_list, one a fold.
template <std::size_t... Is>
struct places {
    static constexpr std::size_t count = sizeof...(Is);
    static constexpr std::size_t of[count + 1] = {Is..., 0};
    template <std::size_t I>
    using with = places<Is..., I>;
};

template <class List, class Places, class... Fs>
struct collect {
    using list = List;
    using places = Places;
};
template <class List, class Places, class F, class... Rest>
struct collect<List, Places, F, Rest...>
    : collect<typename List::template with<typename gather_of<F>::type>,
              typename Places::template with<List::template position<typename gather_of<F>::type>>, Rest...> {};

/// Whether a NaN that a fold gives is known from an undecided one (fold.hpp).
template <class F>
inline constexpr bool rounds_last = !is_float<result_of<F>> || requires { requires F::rounds_last; };

}  // namespace detail

/// Several gathers over one read: the part of `together` that meets items.
template <class... Gathers>
struct gathers {
    using gather = gathers;
    static constexpr bool commutative = (is_commutative<Gathers> && ...);
    using state = pack<typename Gathers::state...>;
    pack<Gathers...> members;

    /// f(member, its state…), for each member in turn.
    template <std::size_t I = 0, class Function, class... States>
    WARPFOLD_HD void each(Function&& f, States&... states) const {
        if constexpr (I < sizeof...(Gathers)) {
            f(get<I>(members), get<I>(states)...);
            each<I + 1>(f, states...);
        }
    }

    WARPFOLD_HD state identity() const {
        state s;
        each([](auto const& member, auto& part) { part = member.identity(); }, s);
        return s;
    }
    template <class Item>
    WARPFOLD_HD void step(state& s, Item const& x, index_t i) const {
        each([&](auto const& member, auto& part) { member.step(part, x, i); }, s);
    }
    WARPFOLD_HD void merge(state& s, state const& later) const {
        each([](auto const& member, auto& part, auto const& other) { member.merge(part, other); }, s, later);
    }
};

template <class List, class Places, class... Fs>
struct together_fold;

template <class... Gathers, class Places, class... Fs>
struct together_fold<detail::gather_list<Gathers...>, Places, Fs...> : gathers<Gathers...> {
    using results = pack<result_of<Fs>...>;
    static constexpr bool rounds_last = (detail::rounds_last<Fs> && ...);
    pack<Fs...> folds;

    /// The gather that reads for fold I.
    template <std::size_t I>
    WARPFOLD_HD constexpr auto& member_of() {
        return get<Places::of[I]>(this->members);
    }

    /// `s` is a pack with a state of each gather, in whatever form its folds finish.
    template <class State>
    WARPFOLD_HD outcome<results> finish(State const& s) const {
        outcome<results> out{};
        finish_from<0>(s, out);
        return out;
    }

  private:
    template <std::size_t I, class State>
    WARPFOLD_HD void finish_from(State const& s, outcome<results>& out) const {
        if constexpr (I < sizeof...(Fs)) {
            auto const& f = get<I>(folds);
            auto const part = detail::as_outcome(f.finish(get<Places::of[I]>(s)));
            get<I>(out.value) = part.value;
            if (out.state == status::ok) out.state = part.state;
            finish_from<I + 1>(s, out);
        }
    }
};

/// What `together` makes of families and folds: bound to an item type, one fold.
template <class... Fs>
struct together_family {
    pack<Fs...> folds;

    template <class Item>
    WARPFOLD_HD constexpr auto bind() const {
        using collected = detail::collect<detail::gather_list<>, detail::places<>, bound<Fs, Item>...>;
        together_fold<typename collected::list, typename collected::places, bound<Fs, Item>...> result{};
        bind_from<0, Item>(result);
        return result;
    }

  private:
    template <std::size_t I, class Item, class Result>
    WARPFOLD_HD constexpr void bind_from(Result& result) const {
        if constexpr (I < sizeof...(Fs)) {
            get<I>(result.folds) = warpfold::bind<Item>(get<I>(folds));
            using reader = typename gather_of<bound<std::remove_cvref_t<decltype(get<I>(folds))>, Item>>::type;
            // A user's fold is its own gather and may hold values; the built-in gathers are empty.
            if constexpr (!std::is_empty_v<reader>) result.template member_of<I>() = get<I>(result.folds);
            bind_from<I + 1, Item>(result);
        }
    }
};

namespace detail {

constexpr pack<> make_pack() {
    return {};
}
template <class F, class... Rest>
constexpr pack<F, Rest...> make_pack(F const& f, Rest const&... rest) {
    return {f, make_pack(rest...)};
}

}  // namespace detail

/// All of `folds` in one read; the results in their order, for structured bindings. An error of one is an error of all.
template <class... Fs>
constexpr together_family<Fs...> together(Fs const&... folds) {
    return {detail::make_pack(folds...)};
}

namespace detail {

template <std::size_t... Is, class... Fs>
constexpr auto skip_nan_in_each(std::index_sequence<Is...>, pack<Fs...> const& folds) {
    return together(skip_nan(get<Is>(folds))...);
}

}  // namespace detail

/// Each of the folds over the items that are not NaN.
template <class... Fs>
constexpr auto skip_nan(together_family<Fs...> const& f) {
    return detail::skip_nan_in_each(std::index_sequence_for<Fs...>{}, f.folds);
}

}  // namespace warpfold

#if WARPFOLD_DEVICE
#include "device/lanes/together.hpp"
#endif
