// A value and where it stands: what argmax carries.
#pragma once

#include "lab/kernels/device.cuh"

namespace warpfold::lab {

constexpr std::uint64_t no_index = ~std::uint64_t{0};

template <class T>
struct indexed {
    T value;
    std::uint64_t index;
};

/// The identity of argmax: no item at all.
template <class T>
__device__ indexed<T> nothing() {
    return {maximum::identity<T>(), no_index};
}

/// The item of a first pass: the value at i, with i.
template <class T>
__device__ indexed<T> indexed_load(T const* in, std::uint64_t i) {
    return {in[i], i};
}

/// The item of a second pass: a first pass found its index already.
template <class T>
__device__ indexed<T> indexed_load(indexed<T> const* in, std::uint64_t i) {
    return in[i];
}

/// The greater of two, as NumPy has it: a NaN is greater than every number, and of equals the lowest index wins.
template <class T>
__device__ indexed<T> greater(indexed<T> a, indexed<T> b) {
    bool const a_nan = a.value != a.value;
    bool const b_nan = b.value != b.value;
    if (a_nan || b_nan) {
        if (a_nan && b_nan) return a.index < b.index ? a : b;
        return a_nan ? a : b;
    }
    if (a.value == b.value) return a.index < b.index ? a : b;
    return a.value > b.value ? a : b;
}

/// greater() as an operator.
struct as_numpy {
    template <class T>
    __device__ indexed<T> operator()(indexed<T> a, indexed<T> b) const {
        return greater(a, b);
    }
};

/// The greater of two as it was published: by value alone, with no word of ties and NaN.
struct by_value_alone {
    template <class T>
    __device__ indexed<T> operator()(indexed<T> a, indexed<T> b) const {
        return b.value > a.value ? b : a;
    }
};

}  // namespace warpfold::lab
