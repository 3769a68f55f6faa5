// Counting and truth: count, count_if, any, all.
#pragma once

#include "family.hpp"

namespace warpfold {
namespace folds {

/// Reads items into how many there are, how many are NaN and how many are zero.
template <class T>
struct tallies {
    using gather = tallies;
    using item = T;

    struct state {
        index_t items = 0;
        index_t nans = 0;
        index_t zeros = 0;
    };

    WARPFOLD_HD state identity() const { return {}; }

    WARPFOLD_HD void step(state& s, T x, index_t) const {
        ++s.items;
        if constexpr (is_float<T>) {
            s.nans += is_nan(x);
            s.zeros += magnitude_bits(x) == 0;
        } else {
            s.zeros += x == T{};
        }
    }
    WARPFOLD_HD void merge(state& s, state const& later) const {
        s.items += later.items;
        s.nans += later.nans;
        s.zeros += later.zeros;
    }
};

template <class T, fold_options Options>
struct count : tallies<T> {
    WARPFOLD_HD index_t finish(typename count::state const& s) const {
        return Options.skip_nan ? s.items - s.nans : s.items;
    }
};
template <class T, fold_options Options>
struct any : tallies<T> {
    WARPFOLD_HD bool finish(typename any::state const& s) const {
        return s.items - s.zeros > (Options.skip_nan ? s.nans : 0);
    }
};
template <class T, fold_options>
struct all : tallies<T> {
    WARPFOLD_HD bool finish(typename all::state const& s) const { return s.zeros == 0; }
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
