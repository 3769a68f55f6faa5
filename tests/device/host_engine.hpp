// The host engine, for engine.hpp.
#pragma once

#include "warpfold/reduce.hpp"

namespace engine {

template <class T>
class items {
  public:
    explicit items(::items::list<T> const& host) : items_{host} {}
    wf::contiguous<T> span() const { return {items_.data(), static_cast<wf::index_t>(items_.size())}; }
    T const* data() const { return items_.data(); }

  private:
    ::items::list<T> items_;
};

template <class T>
using span = wf::contiguous<T>;

inline constexpr std::size_t sizes[] = {0, 1, 2, 31, 257, 8191, 8193, 70001};
inline constexpr bool is_fast = false;
inline constexpr int grids[] = {0, 1, 3}, few_cases = 50;

/// `blocks` threads take short chunks in turn.
template <class Input, class F>
auto reduce(Input const& in, F const& f, int blocks = 0) {
    auto const bound = wf::bind<typename Input::value_type>(f);
    wf::host::options how;
    if (blocks > 0) how = {blocks, 1000};
    return wf::detail::as_outcome(bound.finish(wf::host::gather(bound, in, how)));
}

}  // namespace engine
