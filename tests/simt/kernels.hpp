// The kernels of the executor's tests, by name, in both flavours.
#pragma once

#include <cstddef>
#include <string_view>

#include "simt/launch.hpp"

namespace plain {
simt::report defect(std::string_view name, simt::config const& config, float const* in, float* out, unsigned n);
simt::report reduction(std::string_view name, simt::config const& config, float const* in, float* out, std::size_t n);
simt::report intrinsic(std::string_view name, simt::config const& config, void* data);
simt::report order(std::string_view name, simt::config const& config, unsigned* log, unsigned* count);
simt::report scaled_sum(simt::config const& config, float const* in, double* out, std::size_t n, double scale);
}  // namespace plain

namespace checked {
simt::report defect(std::string_view name, simt::config const& config, float const* in, float* out, unsigned n);
simt::report reduction(std::string_view name, simt::config const& config, float const* in, float* out, std::size_t n);
simt::report intrinsic(std::string_view name, simt::config const& config, void* data);
simt::report order(std::string_view name, simt::config const& config, unsigned* log, unsigned* count);
simt::report scaled_sum(simt::config const& config, float const* in, double* out, std::size_t n, double scale);
}  // namespace checked
