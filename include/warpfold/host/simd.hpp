// The SIMD routes of the built-in folds: `count` items at once, with the instructions of the machine that runs.
// Each family of routes is a list of gathers here and one function in src/host/, compiled for every target.
#pragma once

#include "../folds/dot.hpp"
#include "../folds/extrema.hpp"
#include "../folds/logic.hpp"
#include "../folds/logsumexp.hpp"
#include "../folds/products.hpp"
#include "../folds/moments.hpp"
#include "../half.hpp"
#include "estimate.hpp"

namespace warpfold::host {

template <class... Ts>
struct types {
    /// The place of T, or how many there are.
    template <class T>
    static constexpr std::size_t position = [] {
        std::size_t at = 0;
        (void)((std::is_same_v<T, Ts> || (++at, false)) || ...);
        return at;
    }();
    template <class T>
    static constexpr bool contains = (std::is_same_v<T, Ts> || ...);
};

/// Takes `count` items from `items` into `state`; `route` is the gather's place in its list, `first` the position of
/// the first item. `items` points to the first item, or to `columns` for gathers of pairs.
using route_function = void(std::size_t route, void* state, void const* items, index_t count, index_t first);

/// Pairs that lie apart: where the first and the second of each begin.
template <class T>
struct columns {
    T const* first;
    T const* second;
};

/// Of `count` items, those before the first one at a 64-byte boundary.
template <class T>
index_t unaligned_items(T const* items, index_t count) {
    auto const beyond = reinterpret_cast<std::uintptr_t>(items) % 64;
    auto const unaligned = static_cast<index_t>((64 - beyond) % 64 / sizeof(T));
    return unaligned < count ? unaligned : count;
}

/// A list of gathers made from item types.
template <template <class...> class Gathers>
using for_floats = Gathers<float, double, float16, bfloat16>;
template <template <class...> class Gathers>
using for_integers = Gathers<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                             std::uint32_t, std::uint64_t>;
template <template <class...> class Gathers>
using for_numbers = Gathers<float, double, float16, bfloat16, bool, std::int8_t, std::int16_t, std::int32_t,
                            std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;

namespace routes {

template <class... Ts>
using power_sums =
    types<folds::power_sums<Ts, folds::powers::first>..., folds::power_sums<Ts, folds::powers::first, true>...,
          folds::power_sums<Ts, folds::powers::second>..., folds::power_sums<Ts, folds::powers::both>...>;
template <class... Ts>
using pair_sums = types<folds::pair_sums<Ts, false>..., folds::pair_sums<Ts, true>...>;
template <class... Ts>
using extrema = types<folds::extrema<Ts, false>..., folds::extrema<Ts, true>...>;
template <class... Ts>
using searches = types<folds::search<Ts, folds::wanted::zero>..., folds::search<Ts, folds::wanted::not_zero>...,
                       folds::search<Ts, folds::wanted::not_zero_nor_nan>..., folds::counts<Ts>...,
                       folds::magnitudes<Ts>...>;
template <class... Ts>
using products = types<folds::products<Ts>...>;
using exponentials = types<folds::exponentials<float, float>, folds::exponentials<double, double>>;
template <class T, folds::powers P, bool Absolute = false>
using power_estimate = estimate<folds::power_sums<T, P, Absolute>>;
using power_estimates =
    types<power_estimate<float, folds::powers::second>, power_estimate<float, folds::powers::both>,
          power_estimate<double, folds::powers::first>, power_estimate<double, folds::powers::first, true>,
          power_estimate<double, folds::powers::second>, power_estimate<double, folds::powers::both>>;
using pair_estimates = types<estimate<folds::pair_sums<float, false>>, estimate<folds::pair_sums<double, false>>,
                             estimate<folds::pair_sums<float, true>>, estimate<folds::pair_sums<double, true>>>;
using product_estimates = types<estimate<folds::products<float>>, estimate<folds::products<double>>>;

}  // namespace routes

route_function run_float_sums, run_float_estimates, run_integer_sums, run_pair_sums, run_pair_estimates, run_extrema,
    run_searches, run_products, run_product_estimates, run_exponentials;

/// The route of a gather: its list and its function; none for a user's own fold.
template <class Gather>
struct route_of {
    using list = types<>;
};
template <class T, folds::powers P, bool Absolute>
struct route_of<folds::power_sums<T, P, Absolute>> {
    using list = std::conditional_t<is_float<T>, for_floats<routes::power_sums>, for_integers<routes::power_sums>>;
    static constexpr route_function& function = is_float<T> ? run_float_sums : run_integer_sums;
};
template <class T, bool Distance>
struct route_of<folds::pair_sums<T, Distance>> {
    using list = for_floats<routes::pair_sums>;
    static constexpr route_function& function = run_pair_sums;
};
template <class T, folds::powers P, bool Absolute>
struct route_of<estimate<folds::power_sums<T, P, Absolute>>> {
    using list = routes::power_estimates;
    static constexpr route_function& function = run_float_estimates;
};
template <class T, bool Distance>
struct route_of<estimate<folds::pair_sums<T, Distance>>> {
    using list = routes::pair_estimates;
    static constexpr route_function& function = run_pair_estimates;
};
template <class T, bool Indexed>
struct route_of<folds::extrema<T, Indexed>> {
    using list = for_numbers<routes::extrema>;
    static constexpr route_function& function = run_extrema;
};
template <class T, folds::wanted Wanted>
struct route_of<folds::search<T, Wanted>> {
    using list = for_numbers<routes::searches>;
    static constexpr route_function& function = run_searches;
};
template <class T>
struct route_of<folds::counts<T>> : route_of<folds::search<T, folds::wanted::zero>> {};
template <class T>
struct route_of<folds::magnitudes<T>> : route_of<folds::counts<T>> {};
template <class T>
struct route_of<folds::products<T>> {
    using list = for_numbers<routes::products>;
    static constexpr route_function& function = run_products;
};
template <class T>
struct route_of<estimate<folds::products<T>>> {
    using list = routes::product_estimates;
    static constexpr route_function& function = run_product_estimates;
};
template <class T, class Float>
struct route_of<folds::exponentials<T, Float>> {
    using list = routes::exponentials;
    static constexpr route_function& function = run_exponentials;
};

template <class Gather>
concept routed = route_of<Gather>::list::template contains<Gather>;
template <class Gather>
inline constexpr bool takes_columns = false;
template <class T, bool Distance>
inline constexpr bool takes_columns<folds::pair_sums<T, Distance>> = true;
template <class T, bool Distance>
inline constexpr bool takes_columns<estimate<folds::pair_sums<T, Distance>>> = true;
/// Whether a route takes items before a 64-byte boundary by vectors too, which costs less than by steps of a long
/// accumulator.
template <class Gather>
inline constexpr bool takes_unaligned = false;
template <class T, folds::powers P, bool Absolute>
inline constexpr bool takes_unaligned<estimate<folds::power_sums<T, P, Absolute>>> = true;
template <class T, bool Distance>
inline constexpr bool takes_unaligned<estimate<folds::pair_sums<T, Distance>>> = true;

}  // namespace warpfold::host
