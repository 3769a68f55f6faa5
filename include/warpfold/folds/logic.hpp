// Counting and truth: count, count_if, any, all.
#pragma once

#include "family.hpp"

namespace warpfold {
namespace folds {

/// Reads items into how many there are and how many of them are NaN.
template <class T>
struct counts {
    using gather = counts;
    using item = T;

    struct state {
        index_t items = 0;
        index_t nans = 0;
    };

    WARPFOLD_HD state identity() const { return {}; }

    WARPFOLD_HD void step(state& s, T x, index_t) const {
        ++s.items;
        s.nans += is_nan(x);
    }
    WARPFOLD_HD void merge(state& s, state const& later) const {
        s.items += later.items;
        s.nans += later.nans;
    }
};

template <class T, fold_options Options>
struct count : counts<T> {
    /// The state of any gather that counts items and NaN.
    template <class State>
    WARPFOLD_HD index_t finish(State const& s) const {
        return Options.skip_nan ? s.items - s.nans : s.items;
    }
};

enum class wanted { zero, not_zero, not_zero_nor_nan };

/// Looks for an item; what follows the first one found need not be read.
template <class T, wanted Wanted>
struct search {
    using gather = search;
    using item = T;

    struct state {
        bool found = false;
    };

    WARPFOLD_HD state identity() const { return {}; }

    WARPFOLD_HD static bool matches(T x) {
        bool zero;
        if constexpr (is_float<T>) zero = magnitude_bits(x) == 0;
        else zero = x == T{};
        if constexpr (Wanted == wanted::zero) return zero;
        else return !zero && !(Wanted == wanted::not_zero_nor_nan && is_nan(x));
    }
    WARPFOLD_HD void step(state& s, T x, index_t) const { s.found = s.found || matches(x); }
    WARPFOLD_HD void merge(state& s, state const& later) const { s.found = s.found || later.found; }
    WARPFOLD_HD bool settled(state const& s) const { return s.found; }
};

template <class T, fold_options Options>
struct any : search<T, Options.skip_nan && is_float<T> ? wanted::not_zero_nor_nan : wanted::not_zero> {
    template <class State>
    WARPFOLD_HD bool finish(State const& s) const { return s.found; }
};
template <class T, fold_options>
struct all : search<T, wanted::zero> {
    template <class State>
    WARPFOLD_HD bool finish(State const& s) const { return !s.found; }
};

}  // namespace folds

/// How many items; with skip_nan, how many that are not NaN.
inline constexpr family<folds::count> count{};
/// Whether an item is not zero (NaN is not zero). Empty: false.
inline constexpr family<folds::any> any{};
/// Whether no item is zero. Empty: true.
inline constexpr family<folds::all> all{};

/// How many items satisfy `predicate`, a trivially copyable function object.
template <class Predicate>
struct count_if {
    Predicate predicate;
    using state = index_t;

    WARPFOLD_HD state identity() const { return 0; }
    template <class Item>
    WARPFOLD_HD void step(state& s, Item const& x, index_t) const {
        s += predicate(x) ? 1 : 0;
    }
    WARPFOLD_HD void merge(state& s, state const& later) const { s += later; }
    WARPFOLD_HD index_t finish(state const& s) const { return s; }
};
template <class Predicate>
count_if(Predicate) -> count_if<Predicate>;

}  // namespace warpfold

#if WARPFOLD_DEVICE
#include "../device/lanes/counting.hpp"
#include "../device/lanes/search.hpp"
#endif
