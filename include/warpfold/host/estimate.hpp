// Estimates: exact sums but for an error with a proven bound, for a part of the operations (src/host/estimates-inl.h).
#pragma once

#include "../folds/dot.hpp"
#include "../folds/products.hpp"

namespace warpfold::host {

/// Reads as Gather does. Its sums lie within `first_error` and `second_error` of the true ones; that of a pair_sums
/// within `first_error`; a product lies within that fraction of the true one, beside what its state says was dropped.
template <class Gather>
struct estimate : Gather {
    using gather = estimate;
    struct state : Gather::state {
        double first_error = 0, second_error = 0;
    };

    state identity() const { return {}; }
    void merge(state& s, state const& later) const {
        Gather::merge(s, later);
        s.first_error += later.first_error;
        s.second_error += later.second_error;
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
