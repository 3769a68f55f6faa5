// A GPU, for what is compiled without CUDA. In a program built without a CUDA compiler every call throws needs_gpu.
#pragma once

#include <memory>
#include <stdexcept>

#include "lab/execution.hpp"
#include "lab/input.hpp"

namespace warpfold::lab {

/// A GPU is needed and there is none, or this program cannot use it; the message says which.
struct needs_gpu : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct gpu {
    std::string name;
    std::string driver;  // its version, empty where the system does not tell
    std::string cuda;    // version of the runtime
    double peak_gbps;    // of its memory: clock times width, in 10^9 bytes a second
};

/// The first GPU; throws needs_gpu.
gpu first_gpu();

class device_items;

/// Copies items to the GPU; they must outlive what is returned.
std::shared_ptr<device_items const> upload(item_list const& items);

/// What a kernel of flavour::device runs in, over these items.
std::unique_ptr<execution> device_execution(launch_rule const& rule, unsigned block, std::uint64_t grid,
                                            std::shared_ptr<device_items const> items);

/// Microseconds of all launches of a run, by events.
struct times {
    double median;        // with the cache flushed before each run
    double lower;         // quartiles of these
    double upper;         //
    double back_to_back;  // a run of many, one after another
    int runs;             // behind the median
};

/// Repeats the launches of a run that a run function has finished with.
times time_launches(execution const& finished);

/// The least time in which these items can be read: that of the best of several kernels that do nothing else.
times time_reading(std::shared_ptr<device_items const> const& items);

}  // namespace warpfold::lab
