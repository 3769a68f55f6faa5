// Graphs of kernels.
#include <algorithm>

#include "runtime_state.hpp"

namespace {

using namespace simt::detail;

// The node that runs a kernel so, with copies of its arguments; success or what is wrong with it.
cudaError_t make(runtime_state const& state, cudaKernelNodeParams const& how, CUgraphNode_st& made) {
    auto const known = state.kernels.find(how.func);
    if (known == state.kernels.end()) return cudaErrorInvalidDeviceFunction;
    if (how.extra != nullptr) return cudaErrorNotSupported;
    made = {how, {}};
    for (std::size_t i = 0; i < known->second.sizes.size(); ++i) {
        auto const* const from = static_cast<std::byte const*>(how.kernelParams[i]);
        made.arguments.emplace_back(from, from + known->second.sizes[i]);
    }
    return cudaSuccess;
}

}  // namespace

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) {
    return call(__func__, [&](runtime_state& state) {
        auto made = std::make_unique<CUgraph_st>();
        *graph = made.get();
        state.graphs.emplace(*graph, std::move(made));
        return cudaSuccess;
    });
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, cudaGraphNode_t const*, std::size_t,
                                   cudaKernelNodeParams const* how) {
    return call(__func__, [&](runtime_state& state) {
        if (!state.graphs.contains(graph)) return cudaErrorInvalidValue;
        auto made = std::make_unique<CUgraphNode_st>();
        if (cudaError_t const wrong = make(state, *how, *made)) return wrong;
        *node = made.get();
        graph->nodes.push_back(std::move(made));
        return cudaSuccess;
    });
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
    return call(__func__, [&](runtime_state& state) {
        if (!state.graphs.contains(graph)) return cudaErrorInvalidValue;
        auto made = std::make_unique<CUgraphExec_st>();
        for (auto const& node : graph->nodes) made->nodes.emplace_back(node.get(), *node);
        *executable = made.get();
        state.executables.emplace(*executable, std::move(made));
        return cudaSuccess;
    });
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node, cudaKernelNodeParams const* how) {
    return call(__func__, [&](runtime_state& state) {
        if (!state.executables.contains(executable)) return cudaErrorInvalidValue;
        auto const own = std::ranges::find(executable->nodes, node, [](auto const& n) { return n.first; });
        return own == executable->nodes.end() ? cudaErrorInvalidValue : make(state, *how, own->second);
    });
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
    return call(__func__, [&](runtime_state& state) {
        if (!state.executables.contains(executable)) return cudaErrorInvalidValue;
        for (auto& [node, run] : executable->nodes) {
            std::vector<void*> addresses;
            for (auto& argument : run.arguments) addresses.push_back(argument.data());
            cudaLaunchConfig_t const config{.gridDim = run.how.gridDim, .blockDim = run.how.blockDim, .dynamicSmemBytes = run.how.sharedMemBytes, .stream = stream};
            cudaError_t const result = run_kernel(state, config, run.how.func, state.kernels.at(run.how.func), addresses.data());
            if (result != cudaSuccess) return result;
        }
        return cudaSuccess;
    });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
    return call(__func__, [&](runtime_state& state) { return state.executables.erase(executable) == 1 ? cudaSuccess : cudaErrorInvalidValue; });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    return call(__func__, [&](runtime_state& state) { return state.graphs.erase(graph) == 1 ? cudaSuccess : cudaErrorInvalidValue; });
}
