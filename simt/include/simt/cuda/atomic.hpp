// Atomic functions on the types that CUDA has them for. The scopes _block and _system are as atomic as the device's.
#pragma once

#include <type_traits>

#include "simt/cuda/keywords.hpp"
#include "simt/detail/atomic_operation.hpp"
#include "simt/detail/runtime.hpp"

namespace simt::detail {

template <class T, class... Others>
concept one_of = (std::is_same_v<T, Others> || ...);

template <class T>
concept atomic_word = one_of<T, int, unsigned, unsigned long long>;
template <class T>
concept atomic_ordered = one_of<T, int, unsigned, long long, unsigned long long>;
template <class T>
concept atomic_addable = one_of<T, int, unsigned, unsigned long long, float, double>;

#if defined(SIMT_CHECKED)
template <atomic_op op, class T>
T checked_atomic(T* address, T operand);
template <class T>
T checked_compare_exchange(T* address, T expected, T desired);
#endif

template <atomic_op op, class T>
__forceinline__ T atomic(T* address, std::type_identity_t<T> operand) {
#if defined(SIMT_CHECKED)
    return checked_atomic<op, T>(address, operand);
#else
    return atomic_apply<op, T>(address, operand);
#endif
}

template <class T>
__forceinline__ T compare_exchange(T* address, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
#if defined(SIMT_CHECKED)
    return checked_compare_exchange<T>(address, expected, desired);
#else
    return atomic_compare_exchange<T>(address, expected, desired);
#endif
}

}  // namespace simt::detail

template <simt::detail::atomic_addable T>
__forceinline__ T atomicAdd(T* address, std::type_identity_t<T> operand) {
    return simt::detail::atomic<simt::detail::atomic_op::add>(address, operand);
}
template <simt::detail::atomic_addable T>
__forceinline__ T atomicAdd_block(T* address, std::type_identity_t<T> operand) {
    return simt::detail::atomic<simt::detail::atomic_op::add>(address, operand);
}
template <simt::detail::atomic_addable T>
__forceinline__ T atomicAdd_system(T* address, std::type_identity_t<T> operand) {
    return simt::detail::atomic<simt::detail::atomic_op::add>(address, operand);
}

template <simt::detail::one_of<int, unsigned> T>
__forceinline__ T atomicSub(T* address, std::type_identity_t<T> operand) {
    return simt::detail::atomic<simt::detail::atomic_op::subtract>(address, operand);
}
template <simt::detail::one_of<int, unsigned> T>
__forceinline__ T atomicSub_block(T* address, std::type_identity_t<T> operand) {
    return simt::detail::atomic<simt::detail::atomic_op::subtract>(address, operand);
}
template <simt::detail::one_of<int, unsigned> T>
__forceinline__ T atomicSub_system(T* address, std::type_identity_t<T> operand) {
    return simt::detail::atomic<simt::detail::atomic_op::subtract>(address, operand);
}

template <simt::detail::atomic_ordered T>
__forceinline__ T atomicMin(T* address, std::type_identity_t<T> operand) {
    return simt::detail::atomic<simt::detail::atomic_op::minimum>(address, operand);
}
template <simt::detail::atomic_ordered T>
__forceinline__ T atomicMin_block(T* address, std::type_identity_t<T> operand) {
    return simt::detail::atomic<simt::detail::atomic_op::minimum>(address, operand);
}
template <simt::detail::atomic_ordered T>
__forceinline__ T atomicMin_system(T* address, std::type_identity_t<T> operand) {
    return simt::detail::atomic<simt::detail::atomic_op::minimum>(address, operand);
}

template <simt::detail::atomic_ordered T>
__forceinline__ T atomicMax(T* address, std::type_identity_t<T> operand) {
    return simt::detail::atomic<simt::detail::atomic_op::maximum>(address, operand);
}
template <simt::detail::atomic_ordered T>
__forceinline__ T atomicMax_block(T* address, std::type_identity_t<T> operand) {
    return simt::detail::atomic<simt::detail::atomic_op::maximum>(address, operand);
}
template <simt::detail::atomic_ordered T>
__forceinline__ T atomicMax_system(T* address, std::type_identity_t<T> operand) {
    return simt::detail::atomic<simt::detail::atomic_op::maximum>(address, operand);
}

template <simt::detail::atomic_word T>
__forceinline__ T atomicAnd(T* address, std::type_identity_t<T> operand) {
    return simt::detail::atomic<simt::detail::atomic_op::bit_and>(address, operand);
}
template <simt::detail::atomic_word T>
__forceinline__ T atomicAnd_block(T* address, std::type_identity_t<T> operand) {
    return simt::detail::atomic<simt::detail::atomic_op::bit_and>(address, operand);
}
template <simt::detail::atomic_word T>
__forceinline__ T atomicAnd_system(T* address, std::type_identity_t<T> operand) {
    return simt::detail::atomic<simt::detail::atomic_op::bit_and>(address, operand);
}

template <simt::detail::atomic_word T>
__forceinline__ T atomicOr(T* address, std::type_identity_t<T> operand) {
    return simt::detail::atomic<simt::detail::atomic_op::bit_or>(address, operand);
}
template <simt::detail::atomic_word T>
__forceinline__ T atomicOr_block(T* address, std::type_identity_t<T> operand) {
    return simt::detail::atomic<simt::detail::atomic_op::bit_or>(address, operand);
}
template <simt::detail::atomic_word T>
__forceinline__ T atomicOr_system(T* address, std::type_identity_t<T> operand) {
    return simt::detail::atomic<simt::detail::atomic_op::bit_or>(address, operand);
}

template <simt::detail::atomic_word T>
__forceinline__ T atomicXor(T* address, std::type_identity_t<T> operand) {
    return simt::detail::atomic<simt::detail::atomic_op::bit_xor>(address, operand);
}
template <simt::detail::atomic_word T>
__forceinline__ T atomicXor_block(T* address, std::type_identity_t<T> operand) {
    return simt::detail::atomic<simt::detail::atomic_op::bit_xor>(address, operand);
}
template <simt::detail::atomic_word T>
__forceinline__ T atomicXor_system(T* address, std::type_identity_t<T> operand) {
    return simt::detail::atomic<simt::detail::atomic_op::bit_xor>(address, operand);
}

template <simt::detail::one_of<int, unsigned, unsigned long long, float> T>
__forceinline__ T atomicExch(T* address, std::type_identity_t<T> operand) {
    return simt::detail::atomic<simt::detail::atomic_op::exchange>(address, operand);
}
template <simt::detail::one_of<int, unsigned, unsigned long long, float> T>
__forceinline__ T atomicExch_block(T* address, std::type_identity_t<T> operand) {
    return simt::detail::atomic<simt::detail::atomic_op::exchange>(address, operand);
}
template <simt::detail::one_of<int, unsigned, unsigned long long, float> T>
__forceinline__ T atomicExch_system(T* address, std::type_identity_t<T> operand) {
    return simt::detail::atomic<simt::detail::atomic_op::exchange>(address, operand);
}

template <simt::detail::one_of<unsigned> T>
__forceinline__ T atomicInc(T* address, std::type_identity_t<T> operand) {
    return simt::detail::atomic<simt::detail::atomic_op::increment>(address, operand);
}
template <simt::detail::one_of<unsigned> T>
__forceinline__ T atomicInc_block(T* address, std::type_identity_t<T> operand) {
    return simt::detail::atomic<simt::detail::atomic_op::increment>(address, operand);
}
template <simt::detail::one_of<unsigned> T>
__forceinline__ T atomicInc_system(T* address, std::type_identity_t<T> operand) {
    return simt::detail::atomic<simt::detail::atomic_op::increment>(address, operand);
}

template <simt::detail::one_of<unsigned> T>
__forceinline__ T atomicDec(T* address, std::type_identity_t<T> operand) {
    return simt::detail::atomic<simt::detail::atomic_op::decrement>(address, operand);
}
template <simt::detail::one_of<unsigned> T>
__forceinline__ T atomicDec_block(T* address, std::type_identity_t<T> operand) {
    return simt::detail::atomic<simt::detail::atomic_op::decrement>(address, operand);
}
template <simt::detail::one_of<unsigned> T>
__forceinline__ T atomicDec_system(T* address, std::type_identity_t<T> operand) {
    return simt::detail::atomic<simt::detail::atomic_op::decrement>(address, operand);
}

template <simt::detail::one_of<int, unsigned, unsigned long long, unsigned short> T>
__forceinline__ T atomicCAS(T* address, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
    return simt::detail::compare_exchange(address, expected, desired);
}
template <simt::detail::one_of<int, unsigned, unsigned long long, unsigned short> T>
__forceinline__ T atomicCAS_block(T* address, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
    return simt::detail::compare_exchange(address, expected, desired);
}
template <simt::detail::one_of<int, unsigned, unsigned long long, unsigned short> T>
__forceinline__ T atomicCAS_system(T* address, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
    return simt::detail::compare_exchange(address, expected, desired);
}
