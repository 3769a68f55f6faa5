// The engine's own memory: a workspace for each stream, one for each call that a graph captures, and the slots through
// which results reach the host.
#pragma once

#include <cuda_runtime.h>

#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "error.hpp"
#include "grid.hpp"

namespace warpfold::device {

/// Device memory, zero at first.
class device_memory {
  public:
    explicit device_memory(std::size_t bytes) {
        check(cudaMalloc(&base_, bytes), "warpfold: cudaMalloc of a workspace");
        cudaError_t const done = clear(bytes);
        if (done != cudaSuccess) cudaFree(base_);
        check(done, "warpfold: clearing a workspace");
    }
    ~device_memory() { cudaFree(base_); }
    device_memory(device_memory const&) = delete;
    device_memory& operator=(device_memory const&) = delete;

    unsigned char* base() const { return static_cast<unsigned char*>(base_); }

  private:
    /// On a stream of its own: the default stream would join a capture that is under way.
    cudaError_t clear(std::size_t bytes) {
        cudaStream_t stream;
        cudaError_t result = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        if (result != cudaSuccess) return result;
        result = cudaMemsetAsync(base_, 0, bytes, stream);
        if (result == cudaSuccess) result = cudaStreamSynchronize(stream);
        cudaStreamDestroy(stream);
        return result;
    }
    void* base_ = nullptr;
};

/// Memory of the host that kernels write to and the host reads without a copy.
class mapped_memory {
  public:
    explicit mapped_memory(std::size_t bytes) {
        check(cudaHostAlloc(&base_, bytes, cudaHostAllocMapped), "warpfold: cudaHostAlloc of a result slot");
        std::memset(base_, 0, bytes);
        cudaError_t const found = cudaHostGetDevicePointer(&device_, base_, 0);
        if (found != cudaSuccess) cudaFreeHost(base_);
        check(found, "warpfold: cudaHostGetDevicePointer of a result slot");
    }
    ~mapped_memory() { cudaFreeHost(base_); }
    mapped_memory(mapped_memory const&) = delete;
    mapped_memory& operator=(mapped_memory const&) = delete;

    template <class T>
    T* host(std::size_t offset) const {
        return reinterpret_cast<T*>(static_cast<unsigned char*>(base_) + offset);
    }
    template <class T>
    T* device(std::size_t offset) const {
        return reinterpret_cast<T*>(static_cast<unsigned char*>(device_) + offset);
    }

  private:
    void* base_ = nullptr;
    void* device_ = nullptr;
};

/// A flag, and after it the result that it announces.
struct result_slot {
    static constexpr std::size_t bytes = 4096, result_offset = 64;
    mapped_memory memory{bytes};
    unsigned signal = 0;
};

/// Hands out workspaces and slots; one for the process.
class memory_pool {
  public:
    static memory_pool& instance() {
        // Never destroyed: at exit the CUDA runtime may be gone before us.
        static auto* const pool = new memory_pool;
        return *pool;
    }

    /// The workspace of kernels on `stream`. Kernels of one stream never run at once. A stream that captures a graph
    /// gets a workspace of its own for each call, given back when the graph is gone.
    workspace for_stream(int device, cudaStream_t stream) {
        cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusNone;
        cudaGraph_t graph = nullptr;
        unsigned long long id = 0;
        check(capture_info(stream, &capturing, &id, &graph), "warpfold: cudaStreamGetCaptureInfo");
        if (capturing == cudaStreamCaptureStatusActive) return for_graph(device, graph);
        unsigned long long name = 0;
        check(cudaStreamGetId(stream, &name), "warpfold: cudaStreamGetId");
        std::lock_guard const lock{mutex_};
        auto& memory = of_stream_[{device, name}];
        if (!memory) memory = std::make_unique<device_memory>(workspace::bytes);
        return {memory->base()};
    }

    /// A slot that nobody else uses until it is given back.
    std::unique_ptr<result_slot> take_slot() {
        {
            std::lock_guard const lock{mutex_};
            if (!slots_.empty()) {
                auto slot = std::move(slots_.back());
                slots_.pop_back();
                return slot;
            }
        }
        return std::make_unique<result_slot>();
    }
    void give_back(std::unique_ptr<result_slot> slot) {
        std::lock_guard const lock{mutex_};
        slots_.push_back(std::move(slot));
    }

  private:
    struct graph_memory {
        int device;
        std::unique_ptr<device_memory> memory;
    };

    static cudaError_t capture_info(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                    cudaGraph_t* graph) {
#if CUDART_VERSION >= 13000
        return cudaStreamGetCaptureInfo(stream, status, id, graph, nullptr, nullptr, nullptr);
#else
        return cudaStreamGetCaptureInfo_v2(stream, status, id, graph, nullptr, nullptr);
#endif
    }

    workspace for_graph(int device, cudaGraph_t graph) {
        std::unique_ptr<graph_memory> owner = take_graph_memory(device);
        workspace const result{owner->memory->base()};
        cudaUserObject_t object;
        check(cudaUserObjectCreate(&object, owner.get(), &release, 1, cudaUserObjectNoDestructorSync),
              "warpfold: cudaUserObjectCreate");
        owner.release();
        check(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove), "warpfold: cudaGraphRetainUserObject");
        return result;
    }
    std::unique_ptr<graph_memory> take_graph_memory(int device) {
        {
            std::lock_guard const lock{mutex_};
            for (auto& free : of_graphs_) {
                if (free->device != device) continue;
                auto found = std::move(free);
                std::swap(free, of_graphs_.back());
                of_graphs_.pop_back();
                return found;
            }
        }
        // A capture forbids allocation unless this thread says that it is meant.
        cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
        check(cudaThreadExchangeStreamCaptureMode(&mode), "warpfold: cudaThreadExchangeStreamCaptureMode");
        auto made = std::make_unique<graph_memory>();
        try {
            *made = {device, std::make_unique<device_memory>(workspace::bytes)};
        } catch (...) {
            cudaThreadExchangeStreamCaptureMode(&mode);
            throw;
        }
        check(cudaThreadExchangeStreamCaptureMode(&mode), "warpfold: cudaThreadExchangeStreamCaptureMode");
        return made;
    }
    /// Called by CUDA when no graph holds the memory any more; may not call CUDA.
    static void release(void* memory) {
        std::unique_ptr<graph_memory> owner{static_cast<graph_memory*>(memory)};
        memory_pool& pool = instance();
        std::lock_guard const lock{pool.mutex_};
        pool.of_graphs_.push_back(std::move(owner));
    }

    std::mutex mutex_;
    std::map<std::pair<int, unsigned long long>, std::unique_ptr<device_memory>> of_stream_;
    std::vector<std::unique_ptr<graph_memory>> of_graphs_;
    std::vector<std::unique_ptr<result_slot>> slots_;
};

}  // namespace warpfold::device
