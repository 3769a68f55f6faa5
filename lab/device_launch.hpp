// The GPU's side of launch.hpp, for nvcc.
#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

#include "lab/execution.hpp"

namespace warpfold::lab {

/// Throws std::runtime_error where a call of the CUDA runtime failed.
inline void check(cudaError_t status, std::string const& what) {
    if (status != cudaSuccess) throw std::runtime_error(what + ": " + cudaGetErrorString(status));
}

/// Global memory of `size` items, zero at first.
template <class T>
class buffer {
  public:
    buffer(std::uint64_t size, std::string const& name) : size_(size), name_(name) {
        check(cudaMalloc(&items_, size * sizeof(T) + 1), name_);
        check(cudaMemset(items_, 0, size * sizeof(T)), name_);
    }
    buffer(std::span<T const> items, std::string const& name) : buffer(items.size(), name) {
        check(cudaMemcpy(items_, items.data(), items.size_bytes(), cudaMemcpyHostToDevice), name_);
    }
    buffer(buffer const&) = delete;
    buffer& operator=(buffer const&) = delete;
    ~buffer() { cudaFree(items_); }

    T* data() { return items_; }
    std::uint64_t size() const { return size_; }
    /// Item i, copied to the host after all launches.
    T read(std::uint64_t i) const {
        T item;
        check(cudaMemcpy(&item, items_ + i, sizeof(T), cudaMemcpyDeviceToHost), name_);
        return item;
    }

  private:
    T* items_ = nullptr;
    std::uint64_t size_;
    std::string name_;
};

template <class... Parameters, class... Arguments>
void launch(execution&, std::uint64_t blocks, unsigned threads, void (*kernel)(Parameters...), Arguments... arguments) {
    kernel<<<static_cast<unsigned>(blocks), threads>>>(arguments...);
    check(cudaGetLastError(), "launch");
}

}  // namespace warpfold::lab
