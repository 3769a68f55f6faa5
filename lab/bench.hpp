// Times the kernels of a study on a GPU.
#pragma once

#include "lab/studies.hpp"

namespace warpfold::lab {

/// Runs what is planned for the study and checks every answer; kernels that the catalogue cannot run, such as a
/// framework's, are left out. `commit` is noted. Throws needs_gpu, and std::runtime_error where CUDA refuses.
study_results measure(study_plan const& plan, std::string const& commit);

}  // namespace warpfold::lab
