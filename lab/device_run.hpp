// A run on a GPU: the memory of its buffers, and its launches, which can be repeated to be timed.
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "lab/execution.hpp"
#include "lab/input.hpp"

namespace warpfold::lab {

/// Throws std::runtime_error where a call of the CUDA runtime failed.
inline void check(cudaError_t status, std::string const& what) {
    if (status != cudaSuccess) throw std::runtime_error(what + ": " + cudaGetErrorString(status));
}

/// Memory of a GPU, at least one byte, zero at first.
class device_memory {
  public:
    device_memory(std::uint64_t bytes, std::string const& name);
    device_memory(device_memory const&) = delete;
    device_memory& operator=(device_memory const&) = delete;
    ~device_memory() { cudaFree(bytes_); }
    void* data() const { return bytes_; }

  private:
    void* bytes_ = nullptr;
};

/// Items copied to a GPU once, for many runs. The host's must outlive it.
class device_items {
  public:
    explicit device_items(item_list const& items);
    void const* host() const { return host_; }
    void* data() const { return memory_.data(); }
    std::uint64_t bytes() const { return bytes_; }

  private:
    void const* host_;
    std::uint64_t bytes_;
    device_memory memory_;
};

class device_run final : public execution {
  public:
    device_run(launch_rule const& rule, unsigned block, std::uint64_t grid, std::shared_ptr<device_items const> items);
    ~device_run() override;

    /// The items at `host` on the GPU; throws std::logic_error where they are not those of this run.
    void* input(void const* host) const;
    /// Memory that lives as long as this run, zero at first.
    void* allocate(std::uint64_t bytes, std::string const& name);
    /// Queues work on the default stream, and remembers how. Throws where it cannot be queued.
    void launch(std::function<void()> queue);
    /// Queues all of it again. What is added to a word then comes on top of what is there.
    void repeat() const;

  private:
    std::shared_ptr<device_items const> items_;
    std::vector<std::unique_ptr<device_memory>> memory_;
    std::vector<std::function<void()>> launches_;
};

}  // namespace warpfold::lab
