// The header of NumPy's .npy files, versions 1 to 3.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dtype.hpp"
#include "file.hpp"

namespace warpfold::app {

inline constexpr std::string_view npy_magic = "\x93NUMPY";

struct npy_header {
    dtype type = dtype::float64;
    bool swapped = false;        ///< the items' bytes are in the other order than this machine's
    bool fortran_order = false;  ///< the first axis is the one whose neighbours are stored side by side
    std::vector<std::int64_t> shape;
    std::int64_t items = 0;   ///< product of the shape; times the size of an item it fits in an int64
    std::int64_t offset = 0;  ///< bytes of the file before the first item
};

/// Reads a header from the first byte of `source`, which is left at the first item. Throws a data_error that names
/// `file` for anything but a complete header with a type of numbers.
npy_header read_npy_header(byte_source& source, std::string const& file);

}  // namespace warpfold::app
