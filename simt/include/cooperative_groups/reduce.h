// cooperative_groups::reduce and its operators.
#pragma once

#include "cooperative_groups.h"

namespace cooperative_groups {

template <class T = void>
struct plus {
    __forceinline__ T operator()(T const& a, T const& b) const { return a + b; }
};
template <class T = void>
struct less {
    __forceinline__ T operator()(T const& a, T const& b) const { return b < a ? b : a; }
};
template <class T = void>
struct greater {
    __forceinline__ T operator()(T const& a, T const& b) const { return a < b ? b : a; }
};
template <class T = void>
struct bit_and {
    __forceinline__ T operator()(T const& a, T const& b) const { return a & b; }
};
template <class T = void>
struct bit_or {
    __forceinline__ T operator()(T const& a, T const& b) const { return a | b; }
};
template <class T = void>
struct bit_xor {
    __forceinline__ T operator()(T const& a, T const& b) const { return a ^ b; }
};

// Every thread of the tile gets the result; operands meet in a butterfly.
template <unsigned Size, class Parent, class T, class Op>
__forceinline__ T reduce(thread_block_tile<Size, Parent> const& group, T value, Op op) {
    for (unsigned distance = Size / 2; distance > 0; distance /= 2) value = op(value, group.shfl_xor(value, distance));
    return value;
}

// Every thread of the group gets the result; operands meet in the order of ranks.
template <class T, class Op>
__forceinline__ T reduce(coalesced_group const& group, T value, Op op) {
    T result = group.shfl(value, 0);
    for (unsigned rank = 1; rank < group.size(); ++rank) result = op(result, group.shfl(value, rank));
    return result;
}

}  // namespace cooperative_groups
