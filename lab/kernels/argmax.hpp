// Runs argmax kernels, which carry (value, index).
#pragma once

#include "lab/kernels/indexed.cuh"
#include "lab/launch.hpp"

namespace warpfold::lab {

template <class T>
answer as_answer(indexed<T> best) {
    return {static_cast<double>(best.value), best.index == no_index ? -1.0 : static_cast<double>(best.index)};
}

/// `first` over the items leaves one (value, index) a block; `second` over those, one block, leaves one.
template <class T, auto first, auto second>
answer argmax_twice(execution& run, std::span<T const> items) {
    buffer<T> in(run, items, "input");
    buffer<indexed<T>> partials(run, run.blocks(in.size()), "partials");
    buffer<indexed<T>> result(run, 1, "result");
    launch(run, partials.size(), run.block(), first, in.data(), in.size(), partials.data());
    launch(run, 1, run.block(), second, partials.data(), partials.size(), result.data());
    return as_answer(result.read(0));
}

/// `first` alone: the answer is the first block's, as if there were no other.
template <class T, auto first>
answer argmax_once(execution& run, std::span<T const> items) {
    buffer<T> in(run, items, "input");
    buffer<indexed<T>> partials(run, run.blocks(in.size()), "partials");
    launch(run, partials.size(), run.block(), first, in.data(), in.size(), partials.data());
    return as_answer(partials.read(0));
}

}  // namespace warpfold::lab
