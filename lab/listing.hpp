// The catalogue as text and as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "lab/kernel.hpp"

namespace warpfold::lab {

/// One line a kernel: id, name, what it needs, idea.
std::string list_text(std::vector<kernel_entry> const& kernels);

/// Everything that the catalogue knows of each kernel, with its published figures and its claims.
nlohmann::json list_json(std::vector<kernel_entry> const& kernels);

}  // namespace warpfold::lab
