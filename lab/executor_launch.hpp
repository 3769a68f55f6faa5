// The executor's side of launch.hpp.
#pragma once

#include <simt/launch.hpp>
#include <simt/memory.hpp>

#include "lab/executor_run.hpp"

namespace warpfold::lab {

/// Global memory of `size` items, zero at first; the checks call it by its name.
template <class T>
class buffer {
  public:
    buffer(execution&, std::uint64_t size, std::string name) : memory_(size, T{}, std::move(name)) {}
    buffer(execution&, std::span<T const> items, std::string name) : memory_(items, std::move(name)) {}

    T* data() { return memory_.data(); }
    std::uint64_t size() const { return memory_.size(); }
    /// Item i, copied to the host after all launches.
    T read(std::uint64_t i) const { return memory_[i]; }

  private:
    simt::memory<T> memory_;
};

template <class... Parameters, class... Arguments>
void launch(execution& run, std::uint64_t blocks, unsigned threads, void (*kernel)(Parameters...),
            Arguments... arguments) {
    auto& executor = static_cast<executor_run&>(run);
    simt::config const config = executor.configure(blocks, threads);
    executor.record(blocks, threads, simt::launch(config, kernel, arguments...));
}

}  // namespace warpfold::lab
