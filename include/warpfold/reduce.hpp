// reduce(range, fold): the value of a fold over a range.
#pragma once

#include "folds/skipping.hpp"
#include "host/rounding_test.hpp"

namespace warpfold {

/// The value of `f` over the items of `range`: a contiguous range or an input. Throws empty_input, overflow,
/// undecided_rounding, and whatever the input throws. The items of contiguous ranges may be read twice.
template <class R, class F>
    requires(!on_device<R>)
auto reduce(R const& range, F const& f, host::options const& how = {}) {
    host::default_environment const environment;
    auto const in = as_input(range);
    using item = typename input_of<R>::value_type;
    auto const bound_fold = bind<item>(f);
    static_assert(fold<bound<F, item>, item>, "not a fold over these items: see fold.hpp for what a fold has");
    if constexpr (host::estimates<bound<F, item>, input_of<R>>::value) {
        if (in.size() >= host::least_estimated)
            if (auto const decided = host::estimated_result(bound_fold, in, how)) return *decided;
    }
    return detail::value_of(detail::as_outcome(bound_fold.finish(host::gather(bound_fold, in, how))));
}

}  // namespace warpfold
