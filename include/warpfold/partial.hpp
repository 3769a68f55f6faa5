// Partials: what lies between items and a result. They come from any split of the items and merge to the same bits.
#pragma once

#include "reduce.hpp"

namespace warpfold {

/// The state of a fold over some of the items of type Item.
template <class F, class Item>
class partial {
  public:
    using fold_type = bound<F, Item>;

    explicit partial(F const& f) : fold_{bind<Item>(f)}, state_{fold_.identity()} {}

    /// Takes the items of `range`, whose positions count from `origin`.
    template <class R>
    void gather(R const& range, index_t origin, host::options const& how = {}) {
        host::default_environment const environment;
        fold_.merge(state_, host::gather(fold_, as_input(range), how, origin));
    }
    /// Takes over the items of `later`. The order matters only to folds that do not commute.
    void merge(partial const& later) {
        host::default_environment const environment;
        fold_.merge(state_, later.state_);
    }
    /// The value over all items taken so far. Throws as reduce does.
    auto result() const {
        host::default_environment const environment;
        return detail::value_of(detail::as_outcome(fold_.finish(state_)));
    }

    typename fold_type::state const& state() const { return state_; }

  private:
    fold_type fold_;
    typename fold_type::state state_;
};

/// The partial of `f` over `range`, whose positions count from `origin`.
template <class R, class F>
auto gather(R const& range, F const& f, index_t origin = 0, host::options const& how = {}) {
    partial<F, typename input_of<R>::value_type> p{f};
    p.gather(range, origin, how);
    return p;
}

}  // namespace warpfold
