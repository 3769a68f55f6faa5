// How kernels of one signature, (items, n, result), are run and finished. Each function here is a run_function once its
// template arguments are named: the item type and the kernel.
#pragma once

#include "lab/launch.hpp"

namespace warpfold::lab {

/// One launch that leaves its result in one word, zero before.
template <class T, auto kernel>
answer one_word(execution& run, std::span<T const> items) {
    buffer<T> in(run, items, "input");
    buffer<T> result(run, 1, "result");
    launch(run, run.blocks(in.size()), run.block(), kernel, in.data(), in.size(), result.data());
    return {static_cast<double>(result.read(0))};
}

/// One partial a block; the kernel is launched on its own partials until one is left.
template <class T, auto kernel>
answer partials_again(execution& run, std::span<T const> items) {
    buffer<T> in(run, items, "input");
    std::uint64_t count = run.blocks(in.size());
    buffer<T> partials(run, count, "partials");
    launch(run, count, run.block(), kernel, in.data(), in.size(), partials.data());
    buffer<T> folded(run, count > 1 ? run.blocks(count) : 0, "folded partials");
    T* from = partials.data();
    T* to = folded.data();
    bool in_folded = false;
    while (count > 1) {
        std::uint64_t const blocks = run.blocks(count);
        launch(run, blocks, run.block(), kernel, from, count, to);
        std::swap(from, to);
        in_folded = !in_folded;
        count = blocks;
    }
    return {static_cast<double>(in_folded ? folded.read(0) : partials.read(0))};
}

/// One partial a block; a second launch of one block, whose threads stride over the partials, leaves one.
template <class T, auto kernel>
answer partials_once(execution& run, std::span<T const> items) {
    buffer<T> in(run, items, "input");
    buffer<T> partials(run, run.blocks(in.size()), "partials");
    buffer<T> result(run, 1, "result");
    launch(run, partials.size(), run.block(), kernel, in.data(), in.size(), partials.data());
    launch(run, 1, run.block(), kernel, partials.data(), partials.size(), result.data());
    return {static_cast<double>(result.read(0))};
}

}  // namespace warpfold::lab
