// Squares of floats in the windows of a lane.
#pragma once

#include "float_sums.hpp"

namespace warpfold::device {

/// The square of x, added to a double and rounded once.
struct squared {
    double x;
    __device__ __forceinline__ friend double operator+(double sum, squared s) { return fma(s.x, s.x, sum); }
};

/// Squares of exact items, each by itself: of floats, Narrow, with its addition rounded once; of doubles as two
/// doubles.
template <bool Narrow>
struct squares_by_ones {
    template <class Windows, int K>
    __device__ __forceinline__ static void add(Windows& to, double const (&x)[K], outline const&) {
        add_each<false>(to, x);
    }
    /// Deep: to all windows, not to the fast ones alone.
    template <bool Deep, class Windows, int K>
    __device__ __forceinline__ static void add_each(Windows& to, double const (&x)[K]) {
        std::conditional_t<Narrow, squared, double> v[Narrow ? 1 : 2][K];
#pragma unroll
        for (int k = 0; k < K; ++k) {
            if constexpr (Narrow) v[0][k] = {x[k]};
            else v[0][k] = exact::rounded_product(x[k], x[k]);
            if constexpr (!Narrow) v[1][k] = fma(x[k], x[k], -v[0][k]);
        }
        to.template add<Deep>(v);
    }
};

template <class T>
struct squares_of<item_view<T>> : squares_by_ones<item_view<T>::narrow> {};

}  // namespace warpfold::device
