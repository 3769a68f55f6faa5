// How the warps of a block add up sums of squares or products whose totals are no longer than 64 bits: cut into pieces,
// in words of shared memory. (H100, µs, by merging totals and so: variance of 2^16 doubles and floats 8.1 → 7.1 and
// 7.05 → 6.4, norm_l2 6.9 → 6.55 and 6.3 → 6.05.) The kernel finds these functions where a fold brings them.
#pragma once

#include "windows.hpp"

namespace warpfold {
template <class...>
struct pack;  // together.hpp
}

namespace warpfold::device {

/// Partials of windows of first powers, if they have any, and of squares or products. (Not of sums alone, whose kernel
/// has to be the same where nothing brings these functions.)
template <class Partial>
concept sums_squares = requires(Partial const& p) {
    p.first;
    p.second.total;
    p.marks;
};

/// Bits of a total's first two pieces, of 2^9 threads at most in a word; the third has what is left.
inline constexpr int word_bits = 22;

template <int Windows>
__device__ __forceinline__ bool are_short(window_totals<Windows> const& totals) {
    bool all = true;
    if constexpr (Windows > 0)
        for (auto const& total : totals.total) all = all && total.value() == static_cast<std::int64_t>(total.value());
    return all;
}
/// The sum of a warp's piece i goes to its lane First + i.
template <int First, int Windows>
__device__ __forceinline__ void sum_pieces_of(window_totals<Windows> const& totals, std::uint32_t& mine) {
    if constexpr (Windows > 0) {
#pragma unroll
        for (int i = 0; i < 3 * Windows; ++i) {
            std::int64_t piece = static_cast<std::int64_t>(totals.total[i / 3].value()) >> (word_bits * (i % 3));
            if (i % 3 < 2) piece &= (1 << word_bits) - 1;
            auto const sum = static_cast<std::uint32_t>(sum_pieces<1>(piece));
            if (own_lane() == First + i) mine = sum;
        }
    }
}

/// Adds what a warp's threads have to words of their block, which were zero: one for each of the lane's pieces. False,
/// in all of them, where a total is longer; then nothing is added.
template <int Warps, sums_squares Partial>
__device__ __forceinline__ bool add_words(Partial const& p, std::uint32_t* words) {
    static_assert(Warps <= sum_marks::unit && Warps * warp_lanes <= 1 << 9);
    constexpr int first = decltype(p.first)::pieces, all = first + decltype(p.second)::pieces;
    static_assert(all < warp_lanes);
    if (!__all_sync(all_lanes, are_short(p.first) && are_short(p.second))) return false;
    sum_marks marks = p.marks;
    marks.merge_warp();
    std::uint32_t mine = (marks.signs(1U << 31) ? sum_marks::unit / Warps : 0) + (marks.spilled() ? 1U << 16 : 0);
    sum_pieces_of<0>(p.first, mine);
    sum_pieces_of<first>(p.second, mine);
    int const lane = own_lane();
    if (lane <= all) atomicAdd(words + lane, mine);
    return true;
}
/// The lane's piece of this thread of the first warp (lane.hpp), once all warps have added theirs. What the block
/// spilled is there before it.
template <sums_squares Partial>
__device__ __forceinline__ std::uint64_t piece_of_words(Partial const& p, std::uint32_t const* words) {
    constexpr int all = decltype(p.first)::pieces + decltype(p.second)::pieces;
    auto const lane = static_cast<int>(threadIdx.x), k = lane % 3;
    bool const spilled = words[all] >> 16 != 0;
    if (spilled) __threadfence();
    if (lane == all) return std::uint64_t{words[all] & 0xffffU} << sum_marks::place | spilled;
    if (lane > all) return 0;
    window_totals<1> sum;
    words += lane - k;
    sum.total[0].set(words[0] + (int128{words[1]} << word_bits) + static_cast<std::int32_t>(words[2]) * (int128{1} << 2 * word_bits));
    return sum.piece(static_cast<unsigned>(k));
}

template <int Warps, sums_squares Partial>
__device__ __forceinline__ bool add_words(pack<Partial> const& p, std::uint32_t* words) {
    return add_words<Warps>(p.head, words);
}
template <sums_squares Partial>
__device__ __forceinline__ std::uint64_t piece_of_words(pack<Partial> const& p, std::uint32_t const* words) {
    return piece_of_words(p.head, words);
}

}  // namespace warpfold::device
