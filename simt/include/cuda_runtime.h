// The part of the CUDA runtime that the executor knows, for host code that allocates, copies and launches as it would
// on a device. Every call has ended when it returns, whatever its stream. Memory of cudaMalloc and cudaHostAlloc is
// known to the checks; what they find is told by simt/runtime.hpp. Graphs have kernels alone, and no stream captures one.
#pragma once

#if defined(__CUDACC__)
#include_next <cuda_runtime.h>
#else

#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include "simt/cuda/vector_types.hpp"
#include "simt/launch.hpp"

#define CUDART_VERSION 13000

enum cudaError_t : int {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInvalidDeviceFunction = 98,
    cudaErrorInvalidDevice = 101,
    cudaErrorInvalidResourceHandle = 400,
    cudaErrorNotReady = 600,
    cudaErrorIllegalAddress = 700,
    cudaErrorLaunchTimeout = 702,
    cudaErrorMisalignedAddress = 716,
    cudaErrorLaunchFailure = 719,
    cudaErrorNotSupported = 801
};
[[nodiscard]] char const* cudaGetErrorName(cudaError_t error);
[[nodiscard]] char const* cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();

using cudaStream_t = struct CUstream_st*;
using cudaGraph_t = struct CUgraph_st*;
using cudaGraphExec_t = struct CUgraphExec_st*;
using cudaGraphNode_t = struct CUgraphNode_st*;
using cudaUserObject_t = struct CUuserObject_st*;
using cudaHostFn_t = void (*)(void*);
struct cudaGraphEdgeData {};

enum cudaDeviceAttr : int {
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrL2CacheSize = 38,
    cudaDevAttrMaxAccessPolicyWindowSize = 109
};
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceSynchronize();

inline constexpr unsigned cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2;
enum cudaMemcpyKind : int { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
cudaError_t cudaMalloc(void** address, std::size_t bytes);
cudaError_t cudaFree(void* address);
cudaError_t cudaHostAlloc(void** address, std::size_t bytes, unsigned flags);
cudaError_t cudaFreeHost(void* address);
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags);
cudaError_t cudaMemcpy(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemset(void* address, int value, std::size_t bytes);
cudaError_t cudaMemsetAsync(void* address, int value, std::size_t bytes, cudaStream_t stream = nullptr);

template <class T>
cudaError_t cudaMalloc(T** address, std::size_t bytes) {
    return cudaMalloc(reinterpret_cast<void**>(address), bytes);
}
template <class T>
cudaError_t cudaHostAlloc(T** address, std::size_t bytes, unsigned flags) {
    return cudaHostAlloc(reinterpret_cast<void**>(address), bytes, flags);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned flags) {
    return cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags);
}

inline constexpr unsigned cudaStreamDefault = 0, cudaStreamNonBlocking = 1;
cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id);

// A stream never captures here: all but the question return cudaErrorNotSupported.
enum cudaStreamCaptureStatus : int { cudaStreamCaptureStatusNone, cudaStreamCaptureStatusActive };
enum cudaStreamCaptureMode : int { cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed };
inline constexpr unsigned cudaUserObjectNoDestructorSync = 1, cudaGraphUserObjectMove = 1;
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id = nullptr,
                                     cudaGraph_t* graph = nullptr, cudaGraphNode_t const** dependencies = nullptr,
                                     cudaGraphEdgeData const** edges = nullptr, std::size_t* dependency_count = nullptr);
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode);
cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* resource, cudaHostFn_t destroy, unsigned references,
                                 unsigned flags);
cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned references = 1);
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned references = 1, unsigned flags = 0);

// The compute capability that kernels are compiled for (90: 9.0): what is defined where they are.
#ifndef SIMT_CAPABILITY
#define SIMT_CAPABILITY 90
#endif
struct cudaFuncAttributes {
    int ptxVersion;
};
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void const*) {
    *attributes = {SIMT_CAPABILITY};
    return cudaSuccess;
}
template <class... Parameters>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void (*kernel)(Parameters...)) {
    return cudaFuncGetAttributes(attributes, reinterpret_cast<void const*>(kernel));
}

namespace simt::detail {

// How a kernel is run with arguments that lie at addresses, and their sizes.
struct kernel_form {
    report (*run)(config const&, void const* kernel, void* const* arguments);
    std::vector<std::size_t> sizes;
};
template <class... Parameters>
kernel_form form_of(void (*)(Parameters...)) {
    return {[](config const& how, void const* kernel, void* const* arguments) {
                config c = how;
                c.checks = c.checks && is_checked;
                c.counters = c.counters && is_checked;
                return [&]<std::size_t... I>(std::index_sequence<I...>) {
                    return launch(c, reinterpret_cast<void (*)(Parameters...)>(const_cast<void*>(kernel)), *static_cast<Parameters*>(arguments[I])...);
                }(std::index_sequence_for<Parameters...>{});
            },
            {sizeof(Parameters)...}};
}
// Tells the runtime what a kernel takes; from then on graphs may have it.
void know(void const* kernel, kernel_form const& form);

}  // namespace simt::detail

// Shared memory beyond 48 KiB must be asked for first, as on a device.
enum cudaFuncAttribute : int { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };
cudaError_t cudaFuncSetAttribute(void const* kernel, cudaFuncAttribute attribute, int value);
template <class... Parameters>
cudaError_t cudaFuncSetAttribute(void (*kernel)(Parameters...), cudaFuncAttribute attribute, int value) {
    simt::detail::know(reinterpret_cast<void const*>(kernel), simt::detail::form_of(kernel));
    return cudaFuncSetAttribute(reinterpret_cast<void const*>(kernel), attribute, value);
}
// By threads and dynamic shared memory; the executor does not know registers and static shared memory.
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void const* kernel, int threads,
                                                          std::size_t dynamic_shared_bytes);
template <class... Parameters>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void (*kernel)(Parameters...), int threads,
                                                          std::size_t dynamic_shared_bytes) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<void const*>(kernel), threads, dynamic_shared_bytes);
}

// Kernels of a stream run one after the other here, so that one which may begin early begins no earlier.
enum cudaLaunchAttributeID : int {
    cudaLaunchAttributeAccessPolicyWindow = 1,
    cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeProgrammaticStreamSerialization = 6
};
// What a kernel reads there is cached so; here that changes nothing.
enum cudaAccessProperty : int { cudaAccessPropertyNormal, cudaAccessPropertyStreaming, cudaAccessPropertyPersisting };
struct cudaAccessPolicyWindow {
    void* base_ptr;
    std::size_t num_bytes;
    float hitRatio;
    cudaAccessProperty hitProp;
    cudaAccessProperty missProp;
};
union cudaLaunchAttributeValue {
    cudaAccessPolicyWindow accessPolicyWindow;
    int cooperative;
    int programmaticStreamSerializationAllowed;
};
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim{};
    dim3 blockDim{};
    std::size_t dynamicSmemBytes = 0;
    cudaStream_t stream = nullptr;
    cudaLaunchAttribute* attrs = nullptr;
    unsigned numAttrs = 0;
};

namespace simt::detail {

cudaError_t launch_on_stream(cudaLaunchConfig_t const& config, void const* kernel, kernel_form const& form, void* const* arguments);

}  // namespace simt::detail

template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(cudaLaunchConfig_t const* config, void (*kernel)(Parameters...), Arguments&&... arguments) {
    std::tuple<Parameters...> values(std::forward<Arguments>(arguments)...);
    return std::apply([&](Parameters&... value) {
        void* const addresses[] = {&value..., nullptr};
        return simt::detail::launch_on_stream(*config, reinterpret_cast<void const*>(kernel), simt::detail::form_of(kernel), addresses);
    }, values);
}

// A kernel that was asked for an attribute may be launched by its address, and be part of a graph. Kernels of a graph run in
// the order in which they were added.
cudaError_t cudaLaunchKernelExC(cudaLaunchConfig_t const* config, void const* kernel, void** arguments);
struct cudaKernelNodeParams {
    void* func;
    dim3 gridDim;
    dim3 blockDim;
    unsigned sharedMemBytes;
    void** kernelParams;
    void** extra;
};
cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, cudaGraphNode_t const* dependencies,
                                   std::size_t dependency_count, cudaKernelNodeParams const* how);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags = 0);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node, cudaKernelNodeParams const* how);
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);

#endif
