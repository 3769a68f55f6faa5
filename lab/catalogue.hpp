// All kernels of the lab, as their files registered them.
#pragma once

#include <vector>

#include "lab/kernel.hpp"

namespace warpfold::lab {

/// Kernel files are compiled more than once; each compilation registers run functions of its own.
enum class flavour : std::uint8_t {
    plain,    // for the executor, fast
    checked,  // for the executor, with checks and counters
    device    // for a GPU, by nvcc
};

// The flavour that the file at hand is compiled as; constexpr without inline, because it differs between files.
#if defined(__CUDACC__)
constexpr flavour compiled_flavour = flavour::device;
#elif defined(SIMT_CHECKED)
constexpr flavour compiled_flavour = flavour::checked;
#else
constexpr flavour compiled_flavour = flavour::plain;
#endif

/// Adds kernels to the catalogue; a static object of this type in a kernel file registers what the file holds. Throws
/// std::logic_error where an id is taken.
struct registration {
    registration(flavour compiled, std::vector<kernel_entry> kernels);
};

/// All kernels of a flavour, by study and within it by id: E2 before E10 before E-cub.
std::vector<kernel_entry> const& catalogue(flavour compiled);

/// The kernel called `id`; throws std::invalid_argument.
kernel_entry const& find(flavour compiled, std::string const& id);

/// The kernels that `text` names: an id, a study or "all"; throws std::invalid_argument.
std::vector<kernel_entry> select(flavour compiled, std::string const& text);

}  // namespace warpfold::lab
