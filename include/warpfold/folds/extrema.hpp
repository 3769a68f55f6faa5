// Minimum, maximum, where they are, and the Linf norm.
#pragma once

#include "family.hpp"

namespace warpfold {

/// Results of wf::minmax and wf::argminmax.
template <class T>
struct minimum_maximum {
    T min;
    T max;
    friend bool operator==(minimum_maximum const&, minimum_maximum const&) = default;
};
struct argmin_argmax {
    index_t argmin;
    index_t argmax;
    friend bool operator==(argmin_argmax const&, argmin_argmax const&) = default;
};

namespace folds {

/// An integer that orders items as their values do, with −0 below +0. Integers are their own key.
template <class T>
struct ordering {
    static_assert(sizeof(T) <= 8 && (is_integer<T> || std::is_enum_v<T>), "not an item: bool, integers to 64 bits, float16, bfloat16, float, double");
    using key = T;
    WARPFOLD_HD static key of(T x) { return x; }
    WARPFOLD_HD static T item(key k) { return k; }
    /// Equal for items that tie.
    WARPFOLD_HD static key tie(key k) { return k; }
};

template <class T>
    requires is_float<T>
struct ordering<T> {
    using bits = typename float_format<T>::bits;
    using key = std::make_signed_t<bits>;
    static constexpr key all_but_sign = highest_of<key>;

    /// Negative floats reverse their magnitude; the map is its own inverse.
    WARPFOLD_HD static key of(T x) {
        key const k = bits_as<key>(x);
        return k < 0 ? static_cast<key>(k ^ all_but_sign) : k;
    }
    WARPFOLD_HD static T item(key k) { return bits_as<T>(k < 0 ? static_cast<key>(k ^ all_but_sign) : k); }
    WARPFOLD_HD static key tie(key k) { return k == key{-1} ? key{0} : k; }
};

/// Reads items into their least and greatest, with the lowest index of each where Indexed. NaN are kept apart.
template <class T, bool Indexed>
struct extrema {
    using gather = extrema;
    using item = T;
    using order = ordering<T>;
    using key = typename order::key;
    static constexpr index_t nowhere = highest_of<index_t>;

    struct state {
        index_t items = 0;
        index_t nans = 0;
        index_t first_nan = nowhere;
        index_t min_index = nowhere;
        index_t max_index = nowhere;
        key min = highest_of<key>;
        key max = lowest_of<key>;
    };

    WARPFOLD_HD state identity() const { return {}; }

    WARPFOLD_HD void step(state& s, T x, index_t i) const {
        ++s.items;
        if (is_nan(x)) {
            ++s.nans;
            if (i < s.first_nan) s.first_nan = i;
            return;
        }
        key const k = order::of(x);
        lower(s, k, i);
        raise(s, k, i);
    }

    WARPFOLD_HD void merge(state& s, state const& later) const {
        s.items += later.items;
        s.nans += later.nans;
        if (later.first_nan < s.first_nan) s.first_nan = later.first_nan;
        lower(s, later.min, later.min_index);
        raise(s, later.max, later.max_index);
    }

    /// Lets `k` at index `i` compete for the minimum; raise does so for the maximum.
    WARPFOLD_HD static void lower(state& s, key k, index_t i) {
        if constexpr (Indexed) {
            key const a = order::tie(k), b = order::tie(s.min);
            if (a < b || (a == b && i < s.min_index)) s.min_index = i;
        }
        if (k < s.min) s.min = k;
    }
    WARPFOLD_HD static void raise(state& s, key k, index_t i) {
        if constexpr (Indexed) {
            key const a = order::tie(k), b = order::tie(s.max);
            if (a > b || (a == b && i < s.max_index)) s.max_index = i;
        }
        if (k > s.max) s.max = k;
    }
};

enum class side { low, high, both };

/// The least item, the greatest, or both. NaN where an item is NaN, unless skipped.
template <class T, fold_options Options, side Side>
struct extreme_value : extrema<T, false> {
    using order = ordering<T>;
    static constexpr side extreme = Side;
    static constexpr bool rounds_last = true;  // it has nothing to round

    template <class State>
    WARPFOLD_HD auto finish(State const& s) const {
        status const ending = s.items == (Options.skip_nan ? s.nans : 0) ? status::empty : status::ok;
        bool const nan = s.nans && !Options.skip_nan;
        T const low = nan ? not_a_number() : order::item(s.min);
        T const high = nan ? not_a_number() : order::item(s.max);
        if constexpr (Side == side::low) return outcome<T>{low, ending};
        else if constexpr (Side == side::high) return outcome<T>{high, ending};
        else return outcome<minimum_maximum<T>>{{low, high}, ending};
    }

    WARPFOLD_HD static T not_a_number() {
        if constexpr (is_float<T>) {
            using bits = typename float_format<T>::bits;
            constexpr bits quiet = static_cast<bits>(bits{1} << (float_format<T>::significand_bits - 1));
            return bits_as<T>(static_cast<bits>(infinity_bits<T> | quiet));
        } else {
            return T{};
        }
    }
};

/// The lowest index of the least item, of the greatest, or both; of the first NaN where there is one, unless skipped.
template <class T, fold_options Options, side Side>
struct extreme_index : extrema<T, true> {
    static constexpr bool only_places = true;  ///< what items are makes no difference to the result

    template <class State>
    WARPFOLD_HD auto finish(State const& s) const {
        status const ending = s.items == (Options.skip_nan ? s.nans : 0) ? status::empty : status::ok;
        bool const nan = s.nans && !Options.skip_nan;
        index_t const low = nan ? s.first_nan : s.min_index;
        index_t const high = nan ? s.first_nan : s.max_index;
        if constexpr (Side == side::low) return outcome<index_t>{low, ending};
        else if constexpr (Side == side::high) return outcome<index_t>{high, ending};
        else return outcome<argmin_argmax>{{low, high}, ending};
    }
};

template <class T, fold_options O>
using min = extreme_value<T, O, side::low>;
template <class T, fold_options O>
using max = extreme_value<T, O, side::high>;
template <class T, fold_options O>
using minmax = extreme_value<T, O, side::both>;
template <class T, fold_options O>
using argmin = extreme_index<T, O, side::low>;
template <class T, fold_options O>
using argmax = extreme_index<T, O, side::high>;
template <class T, fold_options O>
using argminmax = extreme_index<T, O, side::both>;

/// Reads items into the greatest |x|.
template <class T>
struct magnitudes {
    using gather = magnitudes;
    using item = T;
    using key = decltype(magnitude_of(T{}));

    struct state {
        index_t items = 0;
        index_t nans = 0;
        key max = 0;
    };

    WARPFOLD_HD state identity() const { return {}; }

    WARPFOLD_HD void step(state& s, T x, index_t) const {
        ++s.items;
        if (is_nan(x)) ++s.nans;
        else if (magnitude_of(x) > s.max) s.max = magnitude_of(x);
    }
    WARPFOLD_HD void merge(state& s, state const& later) const {
        s.items += later.items;
        s.nans += later.nans;
        if (later.max > s.max) s.max = later.max;
    }
};

template <class T, fold_options Options>
struct norm_linf : magnitudes<T> {
    using result = std::conditional_t<is_float<T>, result_float<T, Options>, std::uint64_t>;

    WARPFOLD_HD result finish(typename norm_linf::state const& s) const {
        if constexpr (is_float<T>)
            return s.nans && !Options.skip_nan ? nan_of<result> : static_cast<result>(static_cast<float_result<T>>(bits_as<T>(s.max)));
        else
            return s.max;
    }
};

}  // namespace folds

/// The least item. min(−0, +0) is −0. Empty: an error.
inline constexpr family<folds::min> min{};
/// The greatest item. max(−0, +0) is +0. Empty: an error.
inline constexpr family<folds::max> max{};
/// Both, in one read.
inline constexpr family<folds::minmax> minmax{};
/// The lowest index of the least item, or of the first NaN; −0 ties with +0. Empty: an error.
inline constexpr family<folds::argmin> argmin{};
/// The lowest index of the greatest item, or of the first NaN; −0 ties with +0. Empty: an error.
inline constexpr family<folds::argmax> argmax{};
/// Both, in one read.
inline constexpr family<folds::argminmax> argminmax{};
/// The greatest |x|; uint64 for integers. Empty: 0.
inline constexpr family<folds::norm_linf> norm_linf{};

}  // namespace warpfold

#if WARPFOLD_DEVICE
#include "../device/lanes/extrema.hpp"
#endif
