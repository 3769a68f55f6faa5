// CUDA's atomic operations on host memory: relaxed, atomic across all host threads. The plain flavour inlines them; the
// checked flavour calls the library's instances, so that the compiler's access hooks see one operation and not its
// parts.
#pragma once

#include <atomic>
#include <type_traits>

namespace simt::detail {

enum class atomic_op { add, subtract, minimum, maximum, bit_and, bit_or, bit_xor, exchange, increment, decrement };

// The value that `op` stores where `old` was.
template <atomic_op op, class T>
T atomic_result(T old, T operand) {
    if constexpr (op == atomic_op::add) {
        if constexpr (std::is_integral_v<T>) {
            using bits = std::make_unsigned_t<T>;  // device integers wrap
            return static_cast<T>(static_cast<bits>(old) + static_cast<bits>(operand));
        } else {
            return old + operand;
        }
    } else if constexpr (op == atomic_op::subtract) {
        using bits = std::make_unsigned_t<T>;
        return static_cast<T>(static_cast<bits>(old) - static_cast<bits>(operand));
    } else if constexpr (op == atomic_op::minimum) {
        return operand < old ? operand : old;
    } else if constexpr (op == atomic_op::maximum) {
        return old < operand ? operand : old;
    } else if constexpr (op == atomic_op::bit_and) {
        return old & operand;
    } else if constexpr (op == atomic_op::bit_or) {
        return old | operand;
    } else if constexpr (op == atomic_op::bit_xor) {
        return old ^ operand;
    } else if constexpr (op == atomic_op::exchange) {
        return operand;
    } else if constexpr (op == atomic_op::increment) {
        return old >= operand ? T{0} : old + 1;
    } else {
        return old == 0 || old > operand ? operand : old - 1;
    }
}

template <atomic_op op, class T>
T atomic_apply(T* address, T operand) {
    std::atomic_ref<T> word(*address);
    if constexpr (std::is_integral_v<T> && op == atomic_op::add) {
        return word.fetch_add(operand, std::memory_order_relaxed);
    } else if constexpr (std::is_integral_v<T> && op == atomic_op::exchange) {
        return word.exchange(operand, std::memory_order_relaxed);
    } else {
        T old = word.load(std::memory_order_relaxed);
        while (!word.compare_exchange_weak(old, atomic_result<op>(old, operand), std::memory_order_relaxed)) {
        }
        return old;
    }
}

template <class T>
T atomic_compare_exchange(T* address, T expected, T desired) {
    std::atomic_ref<T>(*address).compare_exchange_strong(expected, desired, std::memory_order_relaxed);
    return expected;
}

}  // namespace simt::detail
