// Everything: folds, inputs, reduce and partials.
#pragma once

#include "partial.hpp"
#include "reduce.hpp"
