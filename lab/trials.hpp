// Runs the kernels whose answers claims hang on.
#pragma once

#include "lab/runner.hpp"
#include "lab/studies.hpp"

namespace warpfold::lab {

/// `runs` runs on the engine over the same items, each answer compared. Throws as run() does.
trial try_out(trial_plan const& plan, engine on, int runs = 1);

}  // namespace warpfold::lab
