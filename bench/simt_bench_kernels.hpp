// The executor's yardsticks: C2 and C6 of the lab, and barriers alone.
#pragma once

#include <cstddef>

#include "simt/launch.hpp"

namespace plain {
simt::report sum_by_tree(simt::config const& config, float const* in, float* out, std::size_t n);
simt::report sum_by_grid_stride(simt::config const& config, float const* in, float* out, std::size_t n);
simt::report only_barriers(simt::config const& config, unsigned count);
}  // namespace plain

namespace checked {
simt::report sum_by_tree(simt::config const& config, float const* in, float* out, std::size_t n);
simt::report sum_by_grid_stride(simt::config const& config, float const* in, float* out, std::size_t n);
simt::report only_barriers(simt::config const& config, unsigned count);
}  // namespace checked
