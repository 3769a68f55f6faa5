// The engine under test behind one face: the device engine where device code is compiled (by nvcc for a GPU, by the
// host's compiler for the SIMT executor), the host engine otherwise.
//
//     engine::items<T>        a copy of host items where the engine reads them: span(), data()
//     engine::span<T>         the input that `count` such items are: {pointer, count}
//     engine::reduce          the outcome of a fold over an input of such memory, by a grid of so many blocks
//     engine::sizes, grids    what is worth testing there; and few_cases, how many small inputs
#pragma once

#include <cstring>

#include "items.hpp"
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

/// Whether all folds are compiled, or one or two for each lane: what a sanitizer finds, and what hangs on a capability,
/// others have too.
#if WARPFOLD_FEWER_FOLDS
inline constexpr bool all_folds = false;
#else
inline constexpr bool all_folds = true;
#endif

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

template <class List>
auto host_span(List const& items) {
    return wf::contiguous<typename List::value_type>{items.data(), static_cast<wf::index_t>(items.size())};
}

/// Whether two results have the same bits, as far as they are numbers.
template <class A>
bool same(A const& a, A const& b) {
    if constexpr (wf::is_float<A>) return (wf::is_nan(a) && wf::is_nan(b)) || std::memcmp(&a, &b, sizeof(A)) == 0;
    else return a == b;
}
template <class T>
bool same(wf::minimum_maximum<T> const& a, wf::minimum_maximum<T> const& b) {
    return same(a.min, b.min) && same(a.max, b.max);
}
inline bool same(wf::pack<> const&, wf::pack<> const&) { return true; }
template <class T, class... Rest>
bool same(wf::pack<T, Rest...> const& a, wf::pack<T, Rest...> const& b) {
    return same(a.head, b.head) && same(a.tail, b.tail);
}

}  // namespace engine
