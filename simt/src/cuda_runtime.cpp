#include <cuda_runtime.h>

#include <algorithm>

#include "runtime_state.hpp"

namespace {

using namespace simt::detail;

constexpr std::size_t shared_without_asking = 48 * 1024, shared_of_multiprocessor = 228 * 1024;
constexpr std::size_t memory_of_device = std::size_t{128} << 30;
constexpr int multiprocessors = 132, threads_of_multiprocessor = 2048, blocks_of_multiprocessor = 32;
// Small, so that inputs of tests are larger: how they are cached changes nothing here.
constexpr int cache_bytes = 1 << 15, window_bytes = 1 << 22;

bool valid(cudaAccessPolicyWindow const& window) {
    auto const begin = reinterpret_cast<std::uintptr_t>(window.base_ptr);
    return begin <= begin + window.num_bytes && window.num_bytes <= window_bytes && window.hitRatio >= 0 && window.hitRatio <= 1 && window.missProp != cudaAccessPropertyPersisting;
}

cudaError_t allocate(std::map<void const*, allocation>& where, void** address, std::size_t bytes, char const* name, bool written) {
    *address = nullptr;
    if (bytes == 0) return cudaSuccess;
    if (bytes > memory_of_device) return cudaErrorMemoryAllocation;
    try {
        allocation made(bytes, name, written);
        *address = made.data();
        where.emplace(*address, std::move(made));
    } catch (std::bad_alloc const&) {
        return cudaErrorMemoryAllocation;
    }
    return cudaSuccess;
}
cudaError_t release(std::map<void const*, allocation>& where, void const* address) {
    return address == nullptr || where.erase(address) == 1 ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t copy(runtime_state& state, void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind) {
    bool const from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    bool const to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    if (bytes == 0) return cudaSuccess;
    if (from_device && state.find(from, bytes) == nullptr) return cudaErrorInvalidValue;
    if (to_device) {
        allocation* const target = state.find(to, bytes);
        if (target == nullptr) return cudaErrorInvalidValue;
        target->mark_written(to, bytes);
    }
    std::memmove(to, from, bytes);
    return cudaSuccess;
}
cudaError_t set(runtime_state& state, void* address, int value, std::size_t bytes) {
    if (bytes == 0) return cudaSuccess;
    allocation* const target = state.find(address, bytes);
    if (target == nullptr) return cudaErrorInvalidValue;
    target->mark_written(address, bytes);
    std::memset(address, value, bytes);
    return cudaSuccess;
}

cudaError_t unsupported(char const* name) {
    return call(name, [](runtime_state&) { return cudaErrorNotSupported; });
}

// The error that a device would end with; success where it would not notice.
cudaError_t error_of(simt::report const& found) {
    cudaError_t result = cudaSuccess;
    for (simt::finding const& f : found.findings) {
        switch (f.kind) {
            case simt::finding_kind::out_of_bounds:
                return cudaErrorIllegalAddress;
            case simt::finding_kind::misaligned:
                return cudaErrorMisalignedAddress;
            case simt::finding_kind::trap:
                return cudaErrorLaunchFailure;
            case simt::finding_kind::deadlock:
                result = cudaErrorLaunchTimeout;
                break;
            default:
                break;
        }
    }
    return result;
}

struct error_text {
    cudaError_t error;
    char const* name;
    char const* text;
};
constexpr error_text error_texts[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {cudaErrorLaunchTimeout, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {cudaErrorMisalignedAddress, "cudaErrorMisalignedAddress", "misaligned address"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
};
error_text const& text_of(cudaError_t error) {
    static constexpr error_text unknown{cudaSuccess, "cudaErrorUnknown", "unrecognized error code"};
    auto const* const found = std::find_if(std::begin(error_texts), std::end(error_texts), [&](error_text const& t) { return t.error == error; });
    return found == std::end(error_texts) ? unknown : *found;
}

}  // namespace

char const* cudaGetErrorName(cudaError_t error) {
    return text_of(error).name;
}
char const* cudaGetErrorString(cudaError_t error) {
    return text_of(error).text;
}
cudaError_t cudaGetLastError() {
    cudaError_t const result = cudaPeekAtLastError();
    last_error = cudaSuccess;
    return result;
}
cudaError_t cudaPeekAtLastError() {
    runtime_state& state = the_runtime();
    std::scoped_lock const lock(state.mutex);
    return state.sticky != cudaSuccess ? state.sticky : last_error;
}

cudaError_t cudaGetDevice(int* device) {
    return call(__func__, [&](runtime_state&) {
        *device = 0;
        return cudaSuccess;
    });
}
cudaError_t cudaSetDevice(int device) {
    return call(__func__, [&](runtime_state&) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; });
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    return call(__func__, [&](runtime_state&) {
        if (device != 0) return cudaErrorInvalidDevice;
        if (attribute == cudaDevAttrMultiProcessorCount) *value = multiprocessors;
        else if (attribute == cudaDevAttrL2CacheSize) *value = cache_bytes;
        else if (attribute == cudaDevAttrMaxAccessPolicyWindowSize) *value = window_bytes;
        else return cudaErrorInvalidValue;
        return cudaSuccess;
    });
}
cudaError_t cudaDeviceSynchronize() {
    return call(__func__, [](runtime_state&) { return cudaSuccess; });
}

cudaError_t cudaMalloc(void** address, std::size_t bytes) {
    return call(__func__, [&](runtime_state& state) { return allocate(state.device, address, bytes, "device memory", false); });
}
cudaError_t cudaFree(void* address) {
    return call(__func__, [&](runtime_state& state) { return release(state.device, address); });
}
cudaError_t cudaHostAlloc(void** address, std::size_t bytes, unsigned) {
    return call(__func__, [&](runtime_state& state) { return allocate(state.host, address, bytes, "mapped host memory", true); });
}
cudaError_t cudaFreeHost(void* address) {
    return call(__func__, [&](runtime_state& state) { return release(state.host, address); });
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
    return call(__func__, [&](runtime_state& state) {
        if (!state.host.contains(host)) return cudaErrorInvalidValue;
        *device = host;
        return cudaSuccess;
    });
}
cudaError_t cudaMemcpy(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind) {
    return call(__func__, [&](runtime_state& state) { return copy(state, to, from, bytes, kind); });
}
cudaError_t cudaMemcpyAsync(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    return call(__func__, [&](runtime_state& state) {
        return state.knows(stream) ? copy(state, to, from, bytes, kind) : cudaErrorInvalidResourceHandle;
    });
}
cudaError_t cudaMemset(void* address, int value, std::size_t bytes) {
    return call(__func__, [&](runtime_state& state) { return set(state, address, value, bytes); });
}
cudaError_t cudaMemsetAsync(void* address, int value, std::size_t bytes, cudaStream_t stream) {
    return call(__func__, [&](runtime_state& state) {
        return state.knows(stream) ? set(state, address, value, bytes) : cudaErrorInvalidResourceHandle;
    });
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
    return call(__func__, [&](runtime_state& state) {
        auto made = std::make_unique<CUstream_st>(state.next_stream++);
        *stream = made.get();
        state.streams.emplace(*stream, std::move(made));
        return cudaSuccess;
    });
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return call(__func__, [&](runtime_state& state) {
        return state.streams.erase(stream) == 1 ? cudaSuccess : cudaErrorInvalidResourceHandle;
    });
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return call(__func__, [&](runtime_state& state) { return state.knows(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
    return call(__func__, [&](runtime_state& state) { return state.knows(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
    return call(__func__, [&](runtime_state& state) {
        if (!state.knows(stream)) return cudaErrorInvalidResourceHandle;
        *id = stream == nullptr ? 1 : stream->id;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long*, cudaGraph_t*,
                                     cudaGraphNode_t const**, cudaGraphEdgeData const**, std::size_t*) {
    return call(__func__, [&](runtime_state& state) {
        if (!state.knows(stream)) return cudaErrorInvalidResourceHandle;
        *status = cudaStreamCaptureStatusNone;
        return cudaSuccess;
    });
}
cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) {
    return unsupported(__func__);
}
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t*) {
    return unsupported(__func__);
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
    return call(__func__, [&](runtime_state&) {
        static thread_local auto own = cudaStreamCaptureModeGlobal;  // says nothing here, where no stream captures
        std::swap(own, *mode);
        return cudaSuccess;
    });
}
cudaError_t cudaUserObjectCreate(cudaUserObject_t*, void*, cudaHostFn_t, unsigned, unsigned) {
    return unsupported(__func__);
}
cudaError_t cudaUserObjectRelease(cudaUserObject_t, unsigned) {
    return unsupported(__func__);
}
cudaError_t cudaGraphRetainUserObject(cudaGraph_t, cudaUserObject_t, unsigned, unsigned) {
    return unsupported(__func__);
}

cudaError_t cudaFuncSetAttribute(void const* kernel, cudaFuncAttribute attribute, int value) {
    return call(__func__, [&](runtime_state& state) {
        auto const bytes = static_cast<std::size_t>(std::max(value, 0));
        bool const possible = value >= 0 && bytes <= state.config.limits.shared_bytes;
        if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || !possible) return cudaErrorInvalidValue;
        state.shared_asked_for[kernel] = bytes;
        return cudaSuccess;
    });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void const*, int threads, std::size_t shared_bytes) {
    return call(__func__, [&](runtime_state& state) {
        if (threads <= 0) return cudaErrorInvalidValue;
        if (threads > static_cast<int>(state.config.limits.threads_per_block)) {
            *blocks = 0;
        } else {
            auto const by_memory = static_cast<int>(shared_of_multiprocessor / (shared_bytes + 1024));
            *blocks = std::min({blocks_of_multiprocessor, threads_of_multiprocessor / threads, by_memory});
        }
        return cudaSuccess;
    });
}
cudaError_t cudaLaunchKernelExC(cudaLaunchConfig_t const* config, void const* kernel, void** arguments) {
    return call(__func__, [&](runtime_state& state) {
        auto const known = state.kernels.find(kernel);
        return known == state.kernels.end() ? cudaErrorInvalidDeviceFunction : run_kernel(state, *config, kernel, known->second, arguments);
    });
}

namespace simt {

cudaError_t detail::run_kernel(runtime_state& state, cudaLaunchConfig_t const& given, void const* kernel, kernel_form const& form,
                               void* const* arguments) {
    auto const asked = state.shared_asked_for.find(kernel);
    std::size_t const allowed = asked == state.shared_asked_for.end() ? 0 : asked->second;
    if (!state.knows(given.stream)) return cudaErrorInvalidResourceHandle;
    if (given.dynamicSmemBytes > std::max(allowed, shared_without_asking)) return cudaErrorInvalidValue;
    config c = state.config;
    c.grid = given.gridDim;
    c.block = given.blockDim;
    c.shared_bytes = given.dynamicSmemBytes;
    for (unsigned i = 0; i < given.numAttrs; ++i) {
        cudaLaunchAttribute const& a = given.attrs[i];
        if (a.id == cudaLaunchAttributeCooperative) c.cooperative = a.val.cooperative != 0;
        if (a.id == cudaLaunchAttributeAccessPolicyWindow && !valid(a.val.accessPolicyWindow)) return cudaErrorInvalidValue;
    }
    c.seed += state.launches++;
    report const result = form.run(c, kernel, arguments);
    if (!result.clean() && result.findings[0].kind == finding_kind::launch_refused) return cudaErrorInvalidConfiguration;
    state.found.findings.insert(state.found.findings.end(), result.findings.begin(), result.findings.end());
    state.found.counters += result.counters;
    state.sticky = error_of(result);
    return cudaSuccess;
}
cudaError_t detail::launch_on_stream(cudaLaunchConfig_t const& config, void const* kernel, kernel_form const& form, void* const* arguments) {
    return call("cudaLaunchKernelEx", [&](runtime_state& state) { return run_kernel(state, config, kernel, form, arguments); });
}
void detail::know(void const* kernel, kernel_form const& form) {
    runtime_state& state = the_runtime();
    std::scoped_lock const lock(state.mutex);
    state.kernels.insert_or_assign(kernel, form);
}

void runtime::set_config(config const& how) {
    runtime_state& state = the_runtime();
    std::scoped_lock const lock(state.mutex);
    state.config = how;
    state.launches = 0;
}
report runtime::take_report() {
    runtime_state& state = the_runtime();
    std::scoped_lock const lock(state.mutex);
    return std::exchange(state.found, {});
}
void runtime::fail_call(std::string name, cudaError_t error, int successes) {
    runtime_state& state = the_runtime();
    std::scoped_lock const lock(state.mutex);
    state.failing = std::move(name);
    state.failure = error;
    state.successes = successes;
}
std::size_t runtime::allocated_bytes() {
    runtime_state& state = the_runtime();
    std::scoped_lock const lock(state.mutex);
    std::size_t sum = 0;
    for (auto const* memory : {&state.device, &state.host})
        for (auto const& [address, known] : *memory) sum += known.bytes();
    return sum;
}
void runtime::forget_sticky_error() {
    runtime_state& state = the_runtime();
    std::scoped_lock const lock(state.mutex);
    state.sticky = last_error = cudaSuccess;
}

}  // namespace simt
