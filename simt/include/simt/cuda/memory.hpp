// Loads and stores with a cache hint: the hint changes no value here.
#pragma once

#include <type_traits>

#include "simt/cuda/keywords.hpp"
#include "simt/detail/runtime.hpp"

template <class T>
__forceinline__ T __ldg(T const* address) {
    return *address;
}
template <class T>
__forceinline__ T __ldca(T const* address) {
    return *address;
}
template <class T>
__forceinline__ T __ldcg(T const* address) {
    return *address;
}
template <class T>
__forceinline__ T __ldcs(T const* address) {
    return *address;
}
template <class T>
__forceinline__ T __ldcv(T const* address) {
    return *address;
}
template <class T>
__forceinline__ T __ldlu(T const* address) {
    return *address;
}

template <class T>
__forceinline__ void __stwb(T* address, std::type_identity_t<T> value) {
    *address = value;
}
template <class T>
__forceinline__ void __stcg(T* address, std::type_identity_t<T> value) {
    *address = value;
}
template <class T>
__forceinline__ void __stcs(T* address, std::type_identity_t<T> value) {
    *address = value;
}
template <class T>
__forceinline__ void __stwt(T* address, std::type_identity_t<T> value) {
    *address = value;
}
