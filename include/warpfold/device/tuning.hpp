// Tuning: every number that depends on the GPU.
#pragma once

#include "lane.hpp"
#include "load.hpp"
#include "warp.hpp"

namespace warpfold::device {

/// How a kernel reads.
struct tuning {
    int threads;     ///< of a block
    int loads;       ///< vectors that a thread loads at once: its tile
    int blocks;      ///< of a multiprocessor; registers are given out so that as many fit
    int tiles;       ///< under way to a ring in shared memory while one is taken (tiles.hpp); 0: each is loaded in its turn
    int rows_drawn = 48, drawn = 8;  ///< rows of a block's share from which on warps draw rounds, and how many they draw at once (reader.hpp)
};

/// The 64-bit words of shared memory that a thread needs.
template <class Input, class Gather>
constexpr int shared_words(tuning t) {
    return lane<Gather>::private_words + (access<Input>::copies ? 2 * t.tiles * t.loads * access<Input>::ranges : 0);
}

/// Bytes of shared memory that a block may have, of a compute capability (90: 9.0).
constexpr int shared_memory_of(int capability) {
    return 1024 * (capability < 80 ? 64 : capability == 80 || capability == 87 ? 163 : capability >= 90 && capability < 120 ? 227 : 99);
}

/// The tuning for GPUs of a compute capability, an input and a gather.
template <class Input, class Gather>
constexpr tuning tuning_for(int capability) {
    // NVIDIA H200, 4 GiB of normally distributed items, cold, 2026-11-22 and -23; fraction of the read limit, and
    // microseconds for 64 MiB, at {threads, loads, blocks, tiles}. Other architectures use the same numbers,
    // unmeasured.
    //   float32  sum        {512, 4, 1, 2} .984 27.1   {512, 4, 2, 2} .984 27.1   {512, 4, 2, 0} .978 27.3
    //            min        {512, 4, 2, 0} .982 26.9   {512, 4, 2, 2} .988 26.5   (16 MiB: 11.4, 11.5 us)
    //            argmin     {512, 4, 2, 0} .980 29.2   {512, 4, 2, 2} .985 29.3   (16 MiB: 13.1, 13.7 us)
    //            norm_l2    {512, 4, 1, 2} .981 28.3   {512, 2, 1, 3} .980 28.3   {512, 3, 1, 1} .899 30.9
    //            variance   {512, 4, 1, 2} .974 29.5   {512, 2, 1, 3} .949 29.3   {512, 3, 1, 1} .892 32.8
    //            eight      {512, 4, 1, 2} .855 35.7   {512, 3, 1, 2} .889 35.6   {512, 2, 1, 2} .844 35.1
    //            dot        {512, 2, 1, 2} .981 27.1   {512, 2, 1, 3} .979 27.3   {768, 1, 1, 6} .989 27.2
    //   float64  norm_l2    {512, 4, 1, 2} .976 29.0   {512, 3, 1, 2} .975 28.9   {512, 2, 1, 2} .939 29.2
    //            variance   {512, 4, 1, 2} .887 30.0   {512, 3, 1, 2} .859 30.4   {512, 2, 1, 2} .840 30.6
    //            eight      {512, 4, 1, 2} .620 55.7   {512, 3, 1, 2} .688 45.3   {512, 2, 1, 2} .646 47.1
    //            dot        {512, 4, 1, 2} .980 29.3   {512, 3, 1, 2} .977 29.2   {512, 2, 1, 2} .978 28.1
    //   bfloat16 dot        {512, 1, 1, 2} .855 28.8   {512, 4, 1, 2} .100 (spills)
    //            variance   {512, 4, 1, 2} .828 27.6   {512, 2, 1, 3} .715 29.9   {512, 3, 1, 2} .797 27.6   (2026-11-26; H100: .969 .969)
    //            norm_l2    {512, 4, 1, 2} .970 25.7   {512, 2, 1, 3} .865 25.5   {512, 4, 1, 1} .925 25.0   (2026-11-26; H100: .972 .969)
    //   int8     dot        {512, 2, 2, 2} .983 26.9   {512, 1, 1, 2} .945 28.1
    // H100, 2026-11-26; us for 4 GiB, 1 GiB and 64 MiB:
    //   float32  min        {512, 4, 2, 0} 1394 359 29.4   {512, 4, 1, 2} 1382 357 29.3   {512, 4, 2, 2} 1402 358 29.5
    //            argmin     {512, 4, 2, 0} 1400 364 31.6   {512, 4, 1, 2} 1387 362 31.5   {1024, 2, 1, 3} 1390 359 31.8 (1 MiB: 6.8 6.7 7.0)
    //   int32    sum        {512, 4, 2, 0} 1396 361 30.3   {512, 4, 1, 2} 1384 359 30.2   {512, 4, 2, 2} 1403 359 30.6
    //   Pairs, in turn, us for 4 GiB and 1 GiB:
    //   float32  dot        {512, 2, 1, 2} 1390 357   {512, 2, 1, 3} 1384 356
    //   float64  dot        {512, 2, 1, 2} 1391 358   {512, 2, 1, 3} 1386 356
    // The same, 2026-11-27, by chunks of tiles for a block; us for 4 GiB and 1 GiB:
    //   int8     dot        {512, 2, 2, 2} 6448 1619  {512, 2, 1, 3} 1355 352   int32 {512, 2, 2, 2} 1370 357  {512, 2, 1, 3} 1355 353
    // Rounds that warps draw at once, neighbours, and far apart with single ones in the end; us for 4 GiB:
    //                           1     2     4     8    16    far apart 8
    //   float32  sum         1345  1364  1368  1370  1375    1369
    //            logsumexp   1355  1382  1371  1377  1385    1371
    //            eight       1452  1358  1383  1376  1387    1366
    //   float64  eight       1870  1518  1503  1491  1488    1441
    //   bfloat16 eight       2025  1780  1635  1566  1546    1562
    //            logsumexp   1812  1779  1767  1756  1753    1745
    //            dot         1504  1397  1384  1372  1369    1360
    // 64 MiB, in turn and by eight far apart: eight of bfloat16 44.3 47.0, float32 40.2 39.3, float64 47.8 46.0.
    // An H200, neighbours: where a round takes 0.94 us and a draw longer, float32 sum 1083 by draws of one round and
    // 973 by neighbouring tiles, eight 1141 by draws of two and 1027; by draws of eight float64 eight 1547 and 1630,
    // bfloat16 dot 1080 and 1089.
    constexpr lane_needs needs = lane<Gather>::needs;
    tuning t{512, 4, 1, 2};
    if (needs.takes_pairs) t = {512, needs.tiles_ahead && sizeof(typename Input::value_type) <= 4 ? 1 : 2, 1, 3};
    else if (needs.several) t = {512, 3, 1, 2, 96};
    else if (!needs.tiles_ahead && (!access<Input>::copies || !is_commutative<Gather>)) t = {512, 4, 2, 0};
    // Where shared memory is short: two tiles under way, no ring, then fewer threads. 8 KiB are for what blocks share.
    int const room = shared_memory_of(capability) / 8 - 1024;
    while (t.tiles > 0 && (capability < 80 || t.threads * shared_words<Input, Gather>(t) > room)) t.tiles = t.tiles > 2 ? 2 : 0;
    for (; t.threads > warp_lanes && t.threads * shared_words<Input, Gather>(t) > room; t.threads /= 2) t.blocks *= 2;
    return t;
}

/// What a kernel is compiled for, and its tuning. On the host that says nothing: launches ask the kernel (launch.hpp).
#if defined(__CUDA_ARCH__)
inline constexpr int compiled_capability = __CUDA_ARCH__ / 10;
#elif defined(SIMT_CAPABILITY)
inline constexpr int compiled_capability = SIMT_CAPABILITY;
#else
inline constexpr int compiled_capability = 90;
#endif
template <class Input, class Gather>
inline constexpr tuning own_tuning = tuning_for<Input, Gather>(compiled_capability);

}  // namespace warpfold::device
