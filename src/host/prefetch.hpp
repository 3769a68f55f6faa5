// Software prefetch. The hardware's own follows a loop only so far ahead of what a core can read.
#pragma once

#include "warpfold/types.hpp"

namespace warpfold::host {

/// Asks for the cache lines of `count` items, `distance` bytes ahead of x. They may lie past the items: a hint only.
/// (Always inlined: GCC 12 takes a function that only prefetches for one without effect, and drops calls of it.)
template <class T>
[[gnu::always_inline]] inline void prefetch_ahead(T const* x, index_t count, std::size_t distance = 4096) {
    auto const ahead = reinterpret_cast<std::uintptr_t>(x) + distance;
    for (std::size_t line = 0; line < static_cast<std::size_t>(count) * sizeof(T); line += 64)
        __builtin_prefetch(reinterpret_cast<void const*>(ahead + line));
}

}  // namespace warpfold::host
