// The engine under test behind one face: the device engine where device code is compiled (by nvcc for a GPU, by the host's
// compiler for the SIMT executor), the host engine otherwise.
//
//     engine::items<T>        a copy of host items where the engine reads them: span(), data()
//     engine::span<T>         the input that `count` such items are: {pointer, count}
//     engine::reduce          the outcome of a fold over an input of such memory, by a grid of so many blocks
//     engine::sizes, grids    what is worth testing there
#pragma once

#include <cstring>
#include <vector>

#include "warpfold/folds/dot.hpp"
#include "warpfold/folds/extrema.hpp"
#include "warpfold/folds/logic.hpp"
#include "warpfold/folds/logsumexp.hpp"
#include "warpfold/folds/products.hpp"
#include "warpfold/folds/moments.hpp"
#include "warpfold/together.hpp"

#if WARPFOLD_DEVICE
#include "device_engine.hpp"
#else
#include "host_engine.hpp"
#endif

namespace engine {

/// What the definition of a fold says, item by item, over an input of host memory that has no mask.
template <class F, class Input>
auto defined(F const& f, Input const& in) {
    using item = typename Input::value_type;
    auto const bound = wf::bind<item>(f);
    auto state = bound.identity();
    for (wf::index_t i = 0; i < in.size(); ++i) {
        item buffer[1];
        bound.step(state, *in.load(i, 1, buffer), i);
    }
    return wf::detail::as_outcome(bound.finish(state));
}

/// The outcome that the engine must have: the definition's, or for the device engine, where the host engine is linked,
/// that one's, which the same tests compare with the definition.
template <class F, class Input>
auto wanted(F const& f, Input const& in) {
#if WARPFOLD_DEVICE && defined(WARPFOLD_HOST_ENGINE)
    auto const bound = wf::bind<typename Input::value_type>(f);
    return wf::detail::as_outcome(bound.finish(wf::host::gather(bound, in)));
#else
    return defined(f, in);
#endif
}

template <class T>
wf::contiguous<T> host_span(std::vector<T> const& items) {
    return {items.data(), static_cast<wf::index_t>(items.size())};
}

}  // namespace engine
