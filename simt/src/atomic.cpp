// The atomic operations of the checked flavour: the compiler's hooks do not see inside.
#define SIMT_CHECKED
#include "simt/cuda/atomic.hpp"

#include "monitor.hpp"

namespace simt::detail {

namespace {

void note(void const* address, std::size_t bytes, void const* code) {
    block const* const active = active_block();
    if (active == nullptr || active->watch() == nullptr) return;
    active->watch()->access(reinterpret_cast<std::uintptr_t>(address), bytes, access_kind::atomic, code);
}

}  // namespace

template <atomic_op op, class T>
T checked_atomic(T* address, T operand) {
    note(address, sizeof(T), __builtin_return_address(0));
    return atomic_apply<op, T>(address, operand);
}

template <class T>
T checked_compare_exchange(T* address, T expected, T desired) {
    note(address, sizeof(T), __builtin_return_address(0));
    return atomic_compare_exchange<T>(address, expected, desired);
}

template int checked_atomic<atomic_op::add>(int*, int);
template unsigned checked_atomic<atomic_op::add>(unsigned*, unsigned);
template unsigned long long checked_atomic<atomic_op::add>(unsigned long long*, unsigned long long);
template float checked_atomic<atomic_op::add>(float*, float);
template double checked_atomic<atomic_op::add>(double*, double);
template int checked_atomic<atomic_op::subtract>(int*, int);
template unsigned checked_atomic<atomic_op::subtract>(unsigned*, unsigned);
template int checked_atomic<atomic_op::minimum>(int*, int);
template unsigned checked_atomic<atomic_op::minimum>(unsigned*, unsigned);
template long long checked_atomic<atomic_op::minimum>(long long*, long long);
template unsigned long long checked_atomic<atomic_op::minimum>(unsigned long long*, unsigned long long);
template int checked_atomic<atomic_op::maximum>(int*, int);
template unsigned checked_atomic<atomic_op::maximum>(unsigned*, unsigned);
template long long checked_atomic<atomic_op::maximum>(long long*, long long);
template unsigned long long checked_atomic<atomic_op::maximum>(unsigned long long*, unsigned long long);
template int checked_atomic<atomic_op::bit_and>(int*, int);
template unsigned checked_atomic<atomic_op::bit_and>(unsigned*, unsigned);
template unsigned long long checked_atomic<atomic_op::bit_and>(unsigned long long*, unsigned long long);
template int checked_atomic<atomic_op::bit_or>(int*, int);
template unsigned checked_atomic<atomic_op::bit_or>(unsigned*, unsigned);
template unsigned long long checked_atomic<atomic_op::bit_or>(unsigned long long*, unsigned long long);
template int checked_atomic<atomic_op::bit_xor>(int*, int);
template unsigned checked_atomic<atomic_op::bit_xor>(unsigned*, unsigned);
template unsigned long long checked_atomic<atomic_op::bit_xor>(unsigned long long*, unsigned long long);
template int checked_atomic<atomic_op::exchange>(int*, int);
template unsigned checked_atomic<atomic_op::exchange>(unsigned*, unsigned);
template unsigned long long checked_atomic<atomic_op::exchange>(unsigned long long*, unsigned long long);
template float checked_atomic<atomic_op::exchange>(float*, float);
template unsigned checked_atomic<atomic_op::increment>(unsigned*, unsigned);
template unsigned checked_atomic<atomic_op::decrement>(unsigned*, unsigned);
template int checked_compare_exchange(int*, int, int);
template unsigned checked_compare_exchange(unsigned*, unsigned, unsigned);
template unsigned long long checked_compare_exchange(unsigned long long*, unsigned long long, unsigned long long);
template unsigned short checked_compare_exchange(unsigned short*, unsigned short, unsigned short);

}  // namespace simt::detail
