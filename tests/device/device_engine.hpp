// The device engine, for engine.hpp: on a GPU, or on the SIMT executor.
#pragma once

#include <cuda_runtime.h>

#include "warpfold/device/launch.hpp"
#if defined(WARPFOLD_HOST_ENGINE)
#include "warpfold/reduce.hpp"
#endif
#if defined(SIMT_EXECUTOR)
#include "executor.hpp"
#endif

namespace engine {

template <class T>
class items {
  public:
    explicit items(::items::list<T> const& host) : count_{static_cast<wf::index_t>(host.size())} {
        wf::device::check(cudaMalloc(&items_, (host.size() + 1) * sizeof(T)), "cudaMalloc");
        wf::device::check(cudaMemcpy(items_, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    ~items() { cudaFree(items_); }
    items(items const&) = delete;
    items& operator=(items const&) = delete;

    wf::device_span<T> span() const { return {items_, count_}; }
    T* data() const { return items_; }

  private:
    T* items_ = nullptr;
    wf::index_t count_;
};

template <class T>
using span = wf::device_span<T>;

#if defined(SIMT_EXECUTOR)
inline constexpr bool on_gpu = false, survives_bad_pointers = simt::detail::is_checked;
#else
inline constexpr bool on_gpu = true, survives_bad_pointers = true;
#endif

// The executor takes 3 ms a block, a sanitizer on a GPU no less; a GPU by itself 10 us a launch.
#if defined(SIMT_EXECUTOR) || WARPFOLD_SANITIZED
inline constexpr bool is_fast = false;
inline constexpr std::size_t sizes[] = {0, 1, 257, 8193, 33001};
inline constexpr int grids[] = {0, 3}, few_cases = 12;
#else
inline constexpr bool is_fast = true;
inline constexpr std::size_t sizes[] = {0, 1, 2, 31, 257, 8191, 8193, 70001};
inline constexpr int grids[] = {0, 1, 2, 7, 4096}, few_cases = 400;
#endif

template <class Input, class F>
auto reduce(Input const& in, F const& f, wf::device::options const& how) {
    auto const bound = wf::bind<typename Input::value_type>(f);
    using outcome = wf::outcome<wf::result_of<std::remove_const_t<decltype(bound)>>>;
    static_assert(std::is_trivially_copyable_v<outcome>);
    outcome* out = nullptr;
    wf::device::check(cudaMalloc(&out, sizeof(outcome)), "cudaMalloc");
    wf::device::check(cudaMemset(out, 0xa5, sizeof(outcome)), "cudaMemset");
    wf::reduce_into(out, in, f, how);
    outcome result;
    wf::device::check(cudaMemcpy(&result, out, sizeof(outcome), cudaMemcpyDeviceToHost), "cudaMemcpy");
    cudaFree(out);
    return result;
}
template <class Input, class F>
auto reduce(Input const& in, F const& f, int blocks = 0) {
    return engine::reduce(in, f, wf::device::options{.blocks = blocks});
}

}  // namespace engine
