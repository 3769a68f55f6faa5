// The GPU's side of launch.hpp, for nvcc.
#pragma once

#include "lab/device_run.hpp"

namespace warpfold::lab {

/// Global memory of `size` items, zero at first; it lives as long as the run.
template <class T>
class buffer {
  public:
    buffer(execution& run, std::uint64_t size, std::string name)
        : items_(static_cast<T*>(static_cast<device_run&>(run).allocate(size * sizeof(T), name))),
          size_(size),
          name_(std::move(name)) {}
    buffer(execution& run, std::span<T const> items, std::string name)
        : items_(static_cast<T*>(static_cast<device_run&>(run).input(items.data()))),
          size_(items.size()),
          name_(std::move(name)) {}

    T* data() { return items_; }
    std::uint64_t size() const { return size_; }
    /// Item i, copied to the host after all launches.
    T read(std::uint64_t i) const {
        T item;
        check(cudaMemcpy(&item, items_ + i, sizeof(T), cudaMemcpyDeviceToHost), name_);
        return item;
    }

  private:
    T* items_;
    std::uint64_t size_;
    std::string name_;
};

/// A call that queues work on the default stream, such as one of CUB's.
template <class Call>
void launch(execution& run, Call call) {
    static_cast<device_run&>(run).launch(call);
}

template <class... Parameters, class... Arguments>
void launch(execution& run, std::uint64_t blocks, unsigned threads, void (*kernel)(Parameters...),
            Arguments... arguments) {
    check_blocks(blocks);
    launch(run, [=] { kernel<<<static_cast<unsigned>(blocks), threads>>>(arguments...); });
}

}  // namespace warpfold::lab
