// The engine's own memory: a workspace for each stream, one for each call that a graph captures, and the slots through
// which results reach the host.
#pragma once

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
    explicit device_memory(std::size_t bytes) : device_memory() {
        check(cudaMalloc(&base_, bytes), "warpfold: cudaMalloc of a workspace");
        // On a stream of its own: the default stream would join a capture that is under way.
        private_stream const stream;
        check(cudaMemsetAsync(base_, 0, bytes, stream.handle), "warpfold: cudaMemsetAsync of a workspace");
        check(cudaStreamSynchronize(stream.handle), "warpfold: cudaStreamSynchronize after clearing a workspace");
    }
    ~device_memory() { cudaFree(base_); }
    device_memory(device_memory const&) = delete;
    device_memory& operator=(device_memory const&) = delete;

    unsigned char* base() const { return static_cast<unsigned char*>(base_); }

  private:
    struct private_stream {
        private_stream() {
            check(cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking), "warpfold: cudaStreamCreateWithFlags for a workspace");
        }
        ~private_stream() { cudaStreamDestroy(handle); }
        private_stream(private_stream const&) = delete;
        private_stream& operator=(private_stream const&) = delete;
        cudaStream_t handle = nullptr;
    };

    device_memory() = default;  // the public constructor goes on from here, so that the destructor runs where it throws
    void* base_ = nullptr;
};

/// Memory of the host that kernels write to and the host reads without a copy.
class mapped_memory {
  public:
    explicit mapped_memory(std::size_t bytes) : mapped_memory() {
        check(cudaHostAlloc(&base_, bytes, cudaHostAllocMapped), "warpfold: cudaHostAlloc of a result slot");
        std::memset(base_, 0, bytes);
        check(cudaHostGetDevicePointer(&device_, base_, 0), "warpfold: cudaHostGetDevicePointer of a result slot");
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
    mapped_memory() = default;
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

    /// A slot that nobody else uses as long as this lives.
    class borrowed_slot {
      public:
        borrowed_slot() : slot_{instance().take_slot()} {}
        ~borrowed_slot() { instance().give_back(std::move(slot_)); }
        borrowed_slot(borrowed_slot const&) = delete;
        borrowed_slot& operator=(borrowed_slot const&) = delete;
        result_slot& operator*() const { return *slot_; }
        result_slot* operator->() const { return slot_.get(); }

      private:
        std::unique_ptr<result_slot> slot_;
    };

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

    std::unique_ptr<result_slot> take_slot() {
        std::lock_guard const lock{mutex_};
        if (slots_.empty()) {
            auto made = std::make_unique<result_slot>();
            slots_.reserve(++slots_made_);  // room for all of them: giving one back cannot fail
            return made;
        }
        auto slot = std::move(slots_.back());
        slots_.pop_back();
        return slot;
    }
    void give_back(std::unique_ptr<result_slot> slot) {
        std::lock_guard const lock{mutex_};
        slots_.push_back(std::move(slot));
    }

    workspace for_graph(int device, cudaGraph_t graph) {
        std::unique_ptr<graph_memory> owner = take_graph_memory(device);
        workspace const result{owner->memory->base()};
        cudaUserObject_t object;
        cudaError_t const made = cudaUserObjectCreate(&object, owner.get(), &release, 1, cudaUserObjectNoDestructorSync);
        graph_memory* const owned = owner.release();
        if (made != cudaSuccess) release(owned);
        check(made, "warpfold: cudaUserObjectCreate");
        cudaError_t const kept = cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove);
        if (kept != cudaSuccess) cudaUserObjectRelease(object, 1);
        check(kept, "warpfold: cudaGraphRetainUserObject");
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
    std::size_t slots_made_ = 0;
};

}  // namespace warpfold::device
