// The kernels that the read limit is the best of.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace warpfold::lab::device {

/// Launches of kernels that read the whole 16-byte words of `bytes` bytes at `items`, in several shapes; `never` is a
/// word that they seem to write.
std::vector<std::function<void()>> reading_kernels(void const* items, std::uint64_t bytes, void* never);

}  // namespace warpfold::lab::device
