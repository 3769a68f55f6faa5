// Runs a kernel on the host.
#pragma once

#include <concepts>
#include <cstddef>
#include <tuple>
#include <utility>

#include "simt/config.hpp"
#include "simt/detail/runtime.hpp"
#include "simt/memory.hpp"
#include "simt/report.hpp"

namespace simt {
namespace detail {

struct kernel_call {
    void (*thread_main)(void const* parameters);
    void const* parameters;
    std::size_t parameter_bytes;
    void const* kernel;  // its address names it
    bool checked;        // which flavour called
};

[[nodiscard]] report run(config const& config, kernel_call const& call);

}  // namespace detail

// Runs `kernel` over the grid and returns when all blocks have ended. Findings are returned, not thrown; a launch that
// a device would refuse runs nothing and returns one finding. Throws std::invalid_argument where checks or counters are
// asked of the plain flavour, and whatever the kernel throws.
template <class... Parameters, class... Arguments>
requires(sizeof...(Parameters) == sizeof...(Arguments)) [[nodiscard]] report
    launch(config const& config, void (*kernel)(Parameters...), Arguments&&... arguments) {
    using call = std::tuple<void (*)(Parameters...), Parameters...>;
    call const parameters(kernel, std::forward<Arguments>(arguments)...);
    auto const thread_main = [](void const* p) {
        std::apply([](auto k, Parameters const&... values) { k(values...); }, *static_cast<call const*>(p));
    };
    return detail::run(config, {thread_main, &parameters, sizeof parameters, reinterpret_cast<void const*>(kernel),
                                detail::is_checked});
}

}  // namespace simt
