// Tuning: every number that depends on the GPU.
#pragma once

#include "lane.hpp"

namespace warpfold::device {

/// How a kernel reads.
struct tuning {
    int threads;     ///< of a block
    int loads;       ///< vectors that a thread has in flight
    int blocks;      ///< of a multiprocessor; registers are given out so that as many fit
    bool prefetch;   ///< load a tile while the one before is taken
};

/// The tuning for GPUs of a compute capability (90: 9.0), items of a type and a gather.
template <int Capability, class Item, class Gather>
constexpr tuning tuning_for() {
    // One NVIDIA H200, 2^30 float32 items, cold, 2026-11-21; TB/s at {threads, loads, blocks, prefetch}, read limit 4.66:
    //   sum       {256, 4, 8, no} 4.17   {512, 4, 2, no} 4.54   {512, 4, 2, yes} 4.53   {512, 2, 4, no} 4.30
    //   min       {256, 4, 8, no} 4.53   {512, 4, 2, no} 4.55   {512, 4, 2, yes} 4.02   {512, 2, 4, no} 4.52
    //   argmin    {256, 4, 8, no} 4.35   {512, 4, 2, no} 4.27   {512, 4, 2, yes} 4.42   {512, 2, 4, no} 4.36
    //   norm_l2   {256, 4, 8, no} 3.69   {512, 4, 2, no} 3.58   {512, 4, 2, yes} 4.29   {512, 2, 4, no} 2.57
    //   variance  {256, 4, 8, no} 3.37   {512, 4, 2, no} 3.42   {512, 4, 2, yes} 4.19   {512, 2, 4, no} 2.49
    //   float64 sum, 2^29 items: 2.72, 4.18, 4.43, 3.05.   int32 sum: 4.58, 4.60, 4.59, 4.58.   int8: 4.59, 4.59, 4.60, 4.49
    // Other architectures use the same numbers, unmeasured.
    //   logsumexp {256, 4, 8, no} 3.69   {512, 4, 2, yes} 4.22   {512, 2, 2, yes} 3.45   {512, 2, 4, no} 2.65
    //   dot, 2^29 pairs: {512, 4, 2, yes} 1.53   {512, 2, 2, yes} 4.28   {512, 2, 2, no} 3.91   {256, 2, 4, yes} 4.29
    //   dot, 4 GiB, {512, 2, 2, yes} against {512, 1, 2, yes}: float16 0.92, 2.19; bfloat16 0.22, 2.13; int8 1.39, 2.65
    // Another H200, 4 GiB, the same day, read limit 4.52; registers for as many blocks as are named:
    //   argmin    {512, 4, 2, no} 4.41   {512, 2, 2, yes} 4.35   {512, 4, 1, no} 4.21
    //   variance  {512, 4, 1, yes} 4.19  {512, 2, 1, yes} 3.44   {512, 2, 2, no} 2.39   float64 sum {512, 4, 1, yes} 4.36
    //   eight together  {512, 3, 1, yes} 3.55   {512, 2, 1, yes} 3.25   {256, 2, 2, yes} 3.19   {512, 4, 1, yes} 2.64
    // A third, 4 GiB, the same day, float32 sum 4.48:
    //   float32 dot  {512, 2, 1, yes} 4.06  {256, 2, 2, yes} 4.08  {384, 2, 1, yes} 4.03  {512, 2, 2, yes} 0.84 (spills)
    //   int32 dot    {512, 2, 1, yes} 4.33  {512, 2, 2, yes} 4.47  {256, 2, 3, yes} 4.48
    //   float64 dot  {256, 2, 1, yes} 3.30  {256, 2, 2, yes} 4.16  {384, 3, 1, yes} 4.19
    //   float64 variance  {256, 2, 2, no} 2.4  {256, 3, 2, yes} 2.80  {384, 3, 1, yes} 2.89
    constexpr lane_needs needs = lane<Gather>::needs;
    if (needs.multiplies_doubles) return {384, 3, 1, true};
    if (needs.takes_pairs) return {512, sizeof(Item) <= 4 ? 1 : 2, needs.prefetch || sizeof(Item) <= 4 ? 1 : 2, true};
    if (needs.several) return {512, 3, 1, true};
    if (needs.prefetch) return {512, sizeof(Item) == 2 ? 2 : 4, 1, true};
    return {512, 4, 2, false};
}

/// The same as a type, for kernels to be made from.
template <int Capability, class Item, class Gather>
struct fixed_tuning {
    static constexpr tuning chosen = tuning_for<Capability, Item, Gather>();
    static constexpr int threads = chosen.threads, loads = chosen.loads, blocks = chosen.blocks;
    static constexpr bool prefetch = chosen.prefetch;
};

}  // namespace warpfold::device
