// The read limit: how fast the cores can read memory when they do nothing else.
#pragma once

#include <cstddef>
#include <cstdint>

/// Or of the words of all cache lines that lie in `bytes` bytes, but for a few, by plain vector loads
/// on all cores: each reads from one place on, or from four in turn.
std::uint64_t read_from_one_place(void const* data, std::size_t bytes);
std::uint64_t read_from_four_places(void const* data, std::size_t bytes);
