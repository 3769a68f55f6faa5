// What the executor's CUDA runtime knows: memory, streams, kernels, graphs, errors.
#pragma once

#include <cuda_runtime.h>

#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "simt/memory.hpp"
#include "simt/runtime.hpp"

struct CUstream_st {
    unsigned long long id;
};

// A kernel of a graph, and copies of its arguments.
struct CUgraphNode_st {
    cudaKernelNodeParams how;
    std::vector<std::vector<std::byte>> arguments;
};
struct CUgraph_st {
    std::vector<std::unique_ptr<CUgraphNode_st>> nodes;  // in an order that they may run in
};
struct CUgraphExec_st {
    std::vector<std::pair<cudaGraphNode_t, CUgraphNode_st>> nodes;  // its graph's, as they were then or were set since
};

namespace simt::detail {

class allocation {
  public:
    allocation(std::size_t bytes, std::string name, bool written)
        : bytes_(bytes),
          memory_(static_cast<std::byte*>(::operator new(bytes, alignment))),
          registration_(memory_.get(), bytes, std::move(name), written) {
        if (!written) std::memset(memory_.get(), 0xcd, bytes);
    }
    [[nodiscard]] std::byte* data() const { return memory_.get(); }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    [[nodiscard]] bool holds(void const* address, std::size_t bytes) const {
        auto const offset = reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(data());
        return offset <= bytes_ && bytes <= bytes_ - offset;
    }
    void mark_written(void const* address, std::size_t bytes) { registration_.mark_written(address, bytes); }

  private:
    static constexpr std::align_val_t alignment{256};
    struct release {
        void operator()(std::byte* memory) const { ::operator delete(memory, alignment); }
    };
    std::size_t bytes_;
    std::unique_ptr<std::byte, release> memory_;
    registration registration_;
};

// One for the process; its lock is held during launches, because memory must not end while the checks look at it.
struct runtime_state {
    std::mutex mutex;
    simt::config config{.grid = {}, .block = {}, .checks = true};
    std::uint64_t launches = 0;
    simt::report found;
    cudaError_t sticky = cudaSuccess;
    std::string failing;
    cudaError_t failure = cudaSuccess;
    int successes = -1;
    std::map<void const*, allocation> device, host;
    std::map<cudaStream_t, std::unique_ptr<CUstream_st>> streams;
    unsigned long long next_stream = 2;  // 1 is the default stream
    std::map<void const*, std::size_t> shared_asked_for;
    std::map<void const*, kernel_form> kernels;
    std::map<cudaGraph_t, std::unique_ptr<CUgraph_st>> graphs;
    std::map<cudaGraphExec_t, std::unique_ptr<CUgraphExec_st>> executables;

    cudaError_t injected(char const* name) {
        if (successes < 0 || failing != name || successes-- > 0) return cudaSuccess;
        return failure;
    }
    [[nodiscard]] bool knows(cudaStream_t stream) const { return stream == nullptr || streams.contains(stream); }
    // The allocation of device memory, or of host memory that kernels reach, which holds these bytes; null where none
    // does.
    allocation* find(void const* address, std::size_t bytes) {
        for (auto* memory : {&device, &host}) {
            auto const above = memory->upper_bound(address);
            if (above == memory->begin()) continue;
            if (auto& below = std::prev(above)->second; below.holds(address, bytes)) return &below;
        }
        return nullptr;
    }
};

inline runtime_state& the_runtime() {
    static auto* const state = new runtime_state;  // static objects of tests may outlive any that ends
    return *state;
}

inline thread_local cudaError_t last_error = cudaSuccess;

// What every call does before and after its work.
template <class Work>
cudaError_t call(char const* name, Work const& work) {
    runtime_state& state = the_runtime();
    std::scoped_lock const lock(state.mutex);
    cudaError_t result = state.sticky;
    if (result == cudaSuccess) result = state.injected(name);
    if (result == cudaSuccess) result = work(state);
    if (result != cudaSuccess) last_error = result;
    return result;
}

// Runs a kernel whose arguments lie at these addresses.
cudaError_t run_kernel(runtime_state& state, cudaLaunchConfig_t const& given, void const* kernel, kernel_form const& form, void* const* arguments);

}  // namespace simt::detail
