// Software prefetch. The hardware's own follows a loop only so far ahead of what a core can read.
#pragma once

#include <algorithm>

#include "host/processor.hpp"
#include "warpfold/types.hpp"

namespace warpfold::host {

/// What a loop reads: a range, two side by side, or one for which it computes longer than it waits.
enum class reading { one_range, two_ranges, slowly };

/// Asks for memory ahead of a loop over a run of items. Long runs lie in memory, not in a cache: threads get these of
/// large inputs only (parallel.cpp). Two cores of a Sapphire Rapids read memory 1.3 to 1.8 times as fast where each
/// asks for lines of four pages in turn, and caches 5 to 45 % more slowly. Two of a Zen 5 read memory at 0.7 of their
/// rate so, and at all of it 8 KiB ahead, past the caches, 4 KiB ahead, at 1.03 (64 MiB, which they keep a part of, at
/// 0.9); two ranges they read best with nothing asked for (dot of 1 GiB 0.93 → 0.99 of NumPy's rate). So do two of a
/// Zen 4 everything, of caches too (dot of 8 MiB of doubles 120 → 137 GB/s). Two of a Zen 3 want 1 KiB ahead, past the
/// caches where runs are longest and of two ranges, and 2 KiB where they are shorter (1 GiB: extrema 0.92 → 0.97 of
/// what they can read, dot of doubles 0.82 → 0.95 of NumPy's rate; 64 MiB: dot of floats and doubles 1.19 and 1.22
/// times as fast 2 KiB ahead as with nothing asked for, of doubles 1.05 to 1.16 times as fast as that 1 KiB ahead, past
/// the caches; stats of 1 GiB, whose runs are short, 1.10 times as fast as 4 KiB ahead), but loops that compute 4 KiB,
/// into the caches (logsumexp of 1 GiB 1.07 to 1.12 times as fast).
class prefetcher {
  public:
    /// For a run of items, item_size bytes each, those of both ranges together.
    prefetcher(index_t items, std::size_t item_size, reading what = reading::one_range) {
        auto const bytes = static_cast<std::size_t>(items) * item_size;
        bool const is_long = bytes > std::size_t{1} << 20, longest = bytes > std::size_t{2} << 20;
        bool const two_ranges = what == reading::two_ranges;
        if (is_intel()) {
            if (is_long) way_ = way::pages_in_turn;
            else ahead_by(4096);
        } else if (is_zen4() || (two_ranges && !(is_zen3() && is_long))) {
            way_ = way::none;
        } else if (is_zen3()) {
            if (what == reading::slowly) ahead_by(4096);
            else if (longest || two_ranges) past_caches_by(1024);
            else ahead_by(is_long ? 2048 : 1024);
        } else {
            if (longest) past_caches_by(4096);
            else ahead_by(is_long ? 8192 : 4096);
        }
    }

    /// Asks for as many cache lines as `count` items at x lie in: those that far ahead, at least `least` bytes, or some
    /// of the next four pages. They may lie past the run: a hint only. Loops that scan a tile before they take it,
    /// which the caches are to keep meanwhile, give its bytes as the least: they have hints everywhere (floats of many
    /// binades on a Zen 4: 12 GB/s with them, 10 without). (Always inlined: GCC 12 takes a function that only
    /// prefetches for one without effect, and drops calls of it.)
    template <class T>
    [[gnu::always_inline]] void ahead(T const* x, index_t count, std::size_t least = 0) const {
        if (way_ == way::none && least == 0) return;
        auto const here = reinterpret_cast<std::uintptr_t>(x);
        for (std::size_t passed = 0; passed < static_cast<std::size_t>(count) * sizeof(T); passed += 64) {
            std::size_t const at = here + passed, line = at / 64;
            auto const ahead_of = way_ == way::pages_in_turn ? (at | 16383) + 1 + line % 4 * 4096 + line / 4 % 64 * 64
                                                             : at + std::max(least, distance_);
            if (way_ == way::past_caches && least == 0) __builtin_prefetch(reinterpret_cast<void const*>(ahead_of), 0, 0);
            else __builtin_prefetch(reinterpret_cast<void const*>(ahead_of));
        }
    }

  private:
    enum class way { none, ahead, past_caches, pages_in_turn };
    void ahead_by(std::size_t bytes) { way_ = way::ahead, distance_ = bytes; }
    void past_caches_by(std::size_t bytes) { way_ = way::past_caches, distance_ = bytes; }

    way way_;
    std::size_t distance_ = 0;  ///< in bytes, where it is one
};

}  // namespace warpfold::host
