// Software prefetch. The hardware's own follows a loop only so far ahead of what a core can read.
#pragma once

#include <algorithm>

#include "host/processor.hpp"
#include "warpfold/types.hpp"

namespace warpfold::host {

/// Asks for memory ahead of a loop over a run of items. Long runs lie in memory, not in a cache: threads get these of
/// large inputs only (parallel.cpp). Two cores of a Sapphire Rapids read memory 1.3 to 1.8 times as fast where each asks for
/// lines of four pages in turn, and caches 5 to 45 % more slowly; two of a Zen 5 read memory at 0.7 of their rate so, and at all
/// of it 8 KiB ahead; two of a Zen 4 do best with nothing asked for, of caches too (dot of 8 MiB of doubles 120 → 137 GB/s).
class prefetcher {
  public:
    /// For a run of items.
    prefetcher(index_t items, std::size_t item_size) {
        bool const is_long = static_cast<std::size_t>(items) * item_size > std::size_t{1} << 20;
        pages_in_turn_ = is_long && is_intel();
        distance_ = is_zen4() ? 0 : is_long ? 8192 : 4096;
    }

    /// Asks for as many cache lines as `count` items at x lie in: those that far ahead, at least `least` bytes, or some of the
    /// next four pages. They may lie past the run: a hint only. (Always inlined: GCC 12 takes a function that only prefetches
    /// for one without effect, and drops calls of it.)
    template <class T>
    [[gnu::always_inline]] void ahead(T const* x, index_t count, std::size_t least = 0) const {
        auto const here = reinterpret_cast<std::uintptr_t>(x);
        for (std::size_t passed = 0; passed < static_cast<std::size_t>(count) * sizeof(T); passed += 64) {
            std::size_t const at = here + passed, line = at / 64;
            auto const ahead_of = pages_in_turn_ ? (at | 16383) + 1 + line % 4 * 4096 + line / 4 % 64 * 64
                                                 : at + std::max(least, distance_);
            __builtin_prefetch(reinterpret_cast<void const*>(ahead_of));
        }
    }

  private:
    bool pages_in_turn_;
    std::size_t distance_;
};

}  // namespace warpfold::host
