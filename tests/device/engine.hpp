// The engine under test behind one face: items on the host in, an outcome out.
#pragma once

#include <cuda_runtime.h>

#include <cstring>
#include <stdexcept>
#include <vector>

#include "warpfold/device/launch.hpp"
#include "warpfold/folds/dot.hpp"
#include "warpfold/folds/extrema.hpp"
#include "warpfold/folds/logic.hpp"
#include "warpfold/folds/logsumexp.hpp"
#include "warpfold/folds/products.hpp"
#include "warpfold/folds/sums.hpp"
#include "warpfold/together.hpp"

namespace engine {

/// Device memory with a copy of host items.
template <class T>
class device_items {
  public:
    explicit device_items(std::vector<T> const& items) : count_{static_cast<wf::index_t>(items.size())} {
        wf::device::check(cudaMalloc(&items_, (items.size() + 1) * sizeof(T)), "cudaMalloc");
        wf::device::check(cudaMemcpy(items_, items.data(), items.size() * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    ~device_items() { cudaFree(items_); }
    device_items(device_items const&) = delete;
    device_items& operator=(device_items const&) = delete;

    wf::device_span<T> span() const { return {items_, count_}; }
    T* data() const { return items_; }

  private:
    T* items_ = nullptr;
    wf::index_t count_;
};

/// The outcome of a fold over an input in device memory, with a grid of `blocks` blocks (0: as the engine chooses).
template <class Input, class F>
auto reduce(Input const& in, F const& f, int blocks = 0) {
    auto const bound = wf::bind<typename Input::value_type>(f);
    using outcome = wf::outcome<wf::result_of<std::remove_const_t<decltype(bound)>>>;
    static_assert(std::is_trivially_copyable_v<outcome>);
    outcome* out = nullptr;
    wf::device::check(cudaMalloc(&out, sizeof(outcome)), "cudaMalloc");
    wf::device::check(cudaMemset(out, 0xa5, sizeof(outcome)), "cudaMemset");
    wf::reduce_into(out, in, f, wf::device::options{}.with_blocks(blocks));
    outcome result;
    wf::device::check(cudaMemcpy(&result, out, sizeof(outcome), cudaMemcpyDeviceToHost), "cudaMemcpy");
    cudaFree(out);
    return result;
}

/// What the fold's definition says, item by item.
template <class F, class T>
auto reference(F const& f, std::vector<T> const& items) {
    auto const bound = wf::bind<T>(f);
    auto state = bound.identity();
    for (std::size_t i = 0; i < items.size(); ++i) bound.step(state, items[i], static_cast<wf::index_t>(i));
    return wf::detail::as_outcome(bound.finish(state));
}

}  // namespace engine
