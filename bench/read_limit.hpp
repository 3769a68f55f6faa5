// The read limit: how fast the cores can read memory when they do nothing else.
#pragma once

#include <cstddef>
#include <cstdint>

/// Or of all words of `bytes` bytes (a multiple of 256), by plain vector loads on all cores.
std::uint64_t read_all(void const* data, std::size_t bytes);
