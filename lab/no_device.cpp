// device.hpp in a program that was built without a CUDA compiler.
#include "lab/device.hpp"

namespace warpfold::lab {
namespace {

[[noreturn]] void refuse() {
    throw needs_gpu("this program was built without a CUDA compiler: it can use no GPU");
}

}  // namespace

gpu first_gpu() {
    refuse();
}

std::shared_ptr<device_items const> upload(item_list const&) {
    refuse();
}

std::unique_ptr<execution> device_execution(launch_rule const&, unsigned, std::uint64_t,
                                            std::shared_ptr<device_items const>) {
    refuse();
}

times time_launches(execution const&) {
    refuse();
}

times time_reading(std::shared_ptr<device_items const> const&) {
    refuse();
}

}  // namespace warpfold::lab
