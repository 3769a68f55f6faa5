// The read limit: how fast the cores can read memory when they do nothing else.
#pragma once

#include <cstddef>
#include <cstdint>

/// One way to read: the or of the words of all cache lines that lie in `bytes` bytes, but for a few, by plain vector
/// loads on all cores.
struct plain_read {
    char const* name;
    std::uint64_t (*run)(void const* data, std::size_t bytes);
};
/// Each core reads from one place on or from four in turn, and asks for lines ahead in one of three ways. The fastest
/// is the read limit.
extern plain_read const plain_reads[5];
