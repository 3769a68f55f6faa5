// CUDA's device language for the ordinary host compiler. It is included by force before a kernel file, which then
// compiles as written for nvcc.
#pragma once

#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "simt/cuda/atomic.hpp"
#include "simt/cuda/builtin.hpp"
#include "simt/cuda/cast.hpp"
#include "simt/cuda/keywords.hpp"
#include "simt/cuda/math.hpp"
#include "simt/cuda/memory.hpp"
#include "simt/cuda/sync.hpp"
#include "simt/cuda/vector_types.hpp"
#include "simt/cuda/warp.hpp"
#include "simt/detail/runtime.hpp"
