// Loads of inputs other than memory as it lies.
#pragma once

#include "../composite.hpp"
#include "load.hpp"

namespace warpfold::device {

template <class T>
struct access<strided<T>> {
    static constexpr int vector = 1, ranges = 1;
    static constexpr bool copies = false, may_straddle = false;

    template <class Visit>
    static void each_address(strided<T> const&, Visit const&) {}
    template <bool, int N>
    __device__ __forceinline__ static void load(strided<T> const& in, index_t i, T (&out)[N]) {
        for (int k = 0; k < N; ++k) out[k] = in.items[(i + k) * in.step];
    }
    __device__ __forceinline__ static void prefetch(strided<T> const&, index_t) {}
};

template <class Function, class Input>
struct access<mapped<Function, Input>> {
    static constexpr int vector = vector_items<Input>, ranges = access<Input>::ranges;
    static constexpr bool copies = access<Input>::copies, may_straddle = access<Input>::may_straddle;

    template <class Visit>
    static void each_address(mapped<Function, Input> const& in, Visit const& visit) {
        access<Input>::each_address(in.source, visit);
    }
    template <bool Vectors, int N>
    __device__ __forceinline__ static void load(mapped<Function, Input> const& in, index_t i,
                                                typename mapped<Function, Input>::value_type (&out)[N]) {
        typename Input::value_type source[N];
        device::load<Vectors>(in.source, i, source);
        for (int k = 0; k < N; ++k) out[k] = in.function(source[k]);
    }
    __device__ __forceinline__ static void prefetch(mapped<Function, Input> const& in, index_t i) {
        access<Input>::prefetch(in.source, i);
    }
    __device__ __forceinline__ static void copy(mapped<Function, Input> const& in, index_t i, uint4* to, int step) {
        access<Input>::copy(in.source, i, to, step);
    }
    __device__ __forceinline__ static mapped<Function, Input> copied(mapped<Function, Input> const& in, uint4 const* from,
                                                                     int step) {
        return {in.function, access<Input>::copied(in.source, from, step)};
    }
};

template <class A, class B>
struct access<zipped<A, B>> {
    static constexpr int vector = vector_items<A> < vector_items<B> ? vector_items<A> : vector_items<B>;
    static constexpr int ranges = access<A>::ranges + access<B>::ranges;
    static constexpr bool copies = access<A>::copies && access<B>::copies && vector_items<A> == vector_items<B>, may_straddle = true;

    template <class Visit>
    static void each_address(zipped<A, B> const& in, Visit const& visit) {
        access<A>::each_address(in.first, visit);
        access<B>::each_address(in.second, visit);
    }
    template <bool Vectors, int N>
    __device__ __forceinline__ static void load(zipped<A, B> const& in, index_t i, typename zipped<A, B>::value_type (&out)[N]) {
        typename A::value_type a[N];
        typename B::value_type b[N];
        device::load<Vectors>(in.first, i, a);
        device::load<Vectors>(in.second, i, b);
        for (int k = 0; k < N; ++k) out[k] = {a[k], b[k]};
    }
    __device__ __forceinline__ static void prefetch(zipped<A, B> const& in, index_t i) {
        access<A>::prefetch(in.first, i);
        access<B>::prefetch(in.second, i);
    }
    __device__ __forceinline__ static void copy(zipped<A, B> const& in, index_t i, uint4* to, int step) {
        access<A>::copy(in.first, i, to, step);
        access<B>::copy(in.second, i, to + access<A>::ranges * step, step);
    }
    __device__ __forceinline__ static zipped<A, B> copied(zipped<A, B> const& in, uint4 const* from, int step) {
        return {access<A>::copied(in.first, from, step), access<B>::copied(in.second, from + access<A>::ranges * step, step)};
    }
};

/// Loads items whether masked or not.
template <class A, class B>
struct access<masked_input<A, B>> {
    static constexpr int vector = vector_items<zipped<A, B>>, ranges = access<zipped<A, B>>::ranges;
    static constexpr bool copies = false, may_straddle = true;

    template <class Visit>
    static void each_address(masked_input<A, B> const& in, Visit const& visit) {
        access<A>::each_address(in.source, visit);
        access<B>::each_address(in.mask, visit);
    }
    template <bool Vectors, int N>
    __device__ __forceinline__ static void load(masked_input<A, B> const& in, index_t i, typename A::value_type (&out)[N]) {
        device::load<Vectors>(in.source, i, out);
    }
    __device__ __forceinline__ static void prefetch(masked_input<A, B> const& in, index_t i) {
        access<A>::prefetch(in.source, i);
    }
};

}  // namespace warpfold::device
