// The kernels that read most often, for the test of their machine code.
#include "warpfold/device/launch.hpp"
#include "warpfold/folds/extrema.hpp"
#include "warpfold/folds/moments.hpp"

template <class T, class F>
void instantiate(F const& f) {
    wf::device_span<T> const x(nullptr, 0);
    auto const bound = wf::bind<T>(f);
    wf::reduce_into(static_cast<wf::result_of<std::remove_const_t<decltype(bound)>>*>(nullptr), x, f);
}
void kernels() {
    instantiate<float>(wf::sum);
    instantiate<std::int32_t>(wf::sum);
    instantiate<float>(wf::min);
    instantiate<float>(wf::argmin);
    instantiate<float>(wf::variance);
}
