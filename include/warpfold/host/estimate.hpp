// Estimates: exact sums but for an error with a proven bound, for a part of the operations (src/host/estimates-inl.h).
#pragma once

#include "../exact/near_double.hpp"
#include "../folds/dot.hpp"
#include "../folds/products.hpp"

namespace warpfold::host {

/// Reads as Gather does, into exact sums and beside each of them, `first_estimate` or `second_estimate`, what was
/// estimated and how far that may be off; that of a pair_sums is a first one. Mostly nothing is in the exact ones.
template <class Gather>
struct estimate : Gather {
    using gather = estimate;
    struct state : Gather::state {
        exact::near_double first_estimate{0, 0, 0}, second_estimate{0, 0, 0};
    };

    state identity() const { return {}; }
    void merge(state& s, state const& later) const {
        Gather::merge(s, later);
        s.first_estimate = s.first_estimate + later.first_estimate;
        s.second_estimate = s.second_estimate + later.second_estimate;
    }
};
/// The product lies within the fraction `error` of the true one, beside what its state says was dropped.
template <class T>
struct estimate<folds::products<T>> : folds::products<T> {
    using gather = estimate;
    struct state : folds::products<T>::state {
        double error = 0;
    };

    state identity() const { return {}; }
    void merge(state& s, state const& later) const {
        folds::products<T>::merge(s, later);
        s.error += later.error;
    }
};

/// Gathers that gain by being estimated. Sums of floats mostly fit one window, which is as fast.
template <class Gather>
inline constexpr bool estimable = false;
template <folds::powers P, bool Absolute>
inline constexpr bool estimable<folds::power_sums<double, P, Absolute>> = true;
template <folds::powers P, bool Absolute>
inline constexpr bool estimable<folds::power_sums<float, P, Absolute>> = P != folds::powers::first;
template <bool Distance>
inline constexpr bool estimable<folds::pair_sums<double, Distance>> = true;
template <bool Distance>
inline constexpr bool estimable<folds::pair_sums<float, Distance>> = true;
template <>
inline constexpr bool estimable<folds::products<double>> = true;
template <>
inline constexpr bool estimable<folds::products<float>> = true;

}  // namespace warpfold::host
