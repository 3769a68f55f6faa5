// The sums of study B that need no kernel.
#pragma once

#include "lab/execution.hpp"

namespace warpfold::lab {

/// Eight running sums over at most 128 items, halves above that: the order of NumPy's sum over contiguous memory.
template <class T>
T pairwise_sum(std::span<T const> items) {
    constexpr std::size_t sums = 8;
    constexpr std::size_t most_items = 128;
    if (items.size() > most_items) {
        std::size_t const half = items.size() / 2 / sums * sums;
        return pairwise_sum(items.first(half)) + pairwise_sum(items.subspan(half));
    }
    T sum[sums] = {};
    for (std::size_t i = 0; i < items.size(); ++i) sum[i % sums] += items[i];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

template <class T>
answer pairwise_on_host(execution&, std::span<T const> items) {
    return {static_cast<double>(pairwise_sum(items))};
}

/// Neighbour with neighbour until one value is left, an odd last one carried along: the tree that `lab tree` draws.
template <class T>
answer neighbours_on_host(execution&, std::span<T const> items) {
    std::vector<T> level(items.begin(), items.end());
    if (level.empty()) return {0.0};
    while (level.size() > 1) {
        for (std::size_t i = 0; i < level.size() / 2; ++i) level[i] = level[2 * i] + level[2 * i + 1];
        if (level.size() % 2 == 1) level[level.size() / 2] = level.back();
        level.resize(level.size() - level.size() / 2);
    }
    return {static_cast<double>(level.front())};
}

}  // namespace warpfold::lab
