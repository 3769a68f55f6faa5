// The engine's own memory: a workspace for each stream, one for each call that a graph captures, and the slots through
// which results reach the host.
#pragma once

#include <pthread.h>

#include <utility>

#include "error.hpp"
#include "grid.hpp"

namespace warpfold::device {

/// A capture, of any stream, forbids to allocate, to make a graph and to ask whether work has ended, unless a thread
/// says that it is meant, as it does while one of these lives.
struct relaxed_capture {
    relaxed_capture() { check(cudaThreadExchangeStreamCaptureMode(&mode), "warpfold: cudaThreadExchangeStreamCaptureMode"); }
    ~relaxed_capture() { cudaThreadExchangeStreamCaptureMode(&mode); }  // fails only by an error that the next call gives too
    relaxed_capture& operator=(relaxed_capture&&) = delete;
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
};

/// What CUDA gave out, until `Release` takes it back. (Here as below, `operator=(X&&) = delete` also keeps it from being
/// copied.)
template <class Handle, cudaError_t (*Release)(Handle)>
struct owned {
    ~owned() { if (handle) Release(handle); }
    owned& operator=(owned&&) = delete;
    Handle handle = nullptr;
};

/// Device memory, zero at first.
class device_memory {
  public:
    explicit device_memory(std::size_t bytes) {
        relaxed_capture const relaxed;
        check(cudaMalloc(&memory_.handle, bytes), "warpfold: cudaMalloc of a workspace");
        // On a stream of its own: the default stream would join a capture that is under way.
        owned<cudaStream_t, cudaStreamDestroy> own;
        check(cudaStreamCreateWithFlags(&own.handle, cudaStreamNonBlocking), "warpfold: cudaStreamCreateWithFlags for a workspace");
        check(cudaMemsetAsync(base(), 0, bytes, own.handle), "warpfold: cudaMemsetAsync of a workspace");
        check(cudaStreamSynchronize(own.handle), "warpfold: cudaStreamSynchronize after clearing a workspace");
    }
    unsigned char* base() const { return static_cast<unsigned char*>(memory_.handle); }

  private:
    owned<void*, cudaFree> memory_;
};

/// Memory of the host that kernels write to and the host reads without a copy.
class mapped_memory {
  public:
    explicit mapped_memory(std::size_t bytes) {
        relaxed_capture const relaxed;
        check(cudaHostAlloc(&memory_.handle, bytes, cudaHostAllocMapped), "warpfold: cudaHostAlloc of a result slot");
        std::memset(memory_.handle, 0, bytes);
        check(cudaHostGetDevicePointer(&device_, memory_.handle, 0), "warpfold: cudaHostGetDevicePointer of a result slot");
    }
    /// Where it begins, for the host and for kernels.
    announcement* host() const { return static_cast<announcement*>(memory_.handle); }
    announcement* device() const { return static_cast<announcement*>(device_); }

  private:
    owned<void*, cudaFreeHost> memory_;
    void* device_ = nullptr;
};

/// Holds a mutex as long as it lives. (<mutex>, with the clocks and strings that it brings, takes nvcc a second.)
struct locked {
    explicit locked(pthread_mutex_t& its) : mutex{its} { pthread_mutex_lock(&mutex); }
    ~locked() { pthread_mutex_unlock(&mutex); }
    locked& operator=(locked&&) = delete;
    pthread_mutex_t& mutex;
};

/// Nodes for all threads, the last one put first. Each has a `next`, so that putting one cannot fail.
template <class Node>
class stack {
  public:
    void put(Node* node) {
        locked const lock{mutex_};
        node->next = first_;
        first_ = node;
    }
    /// Takes the first node out that is as wanted; null where there is none.
    template <class Wanted>
    Node* take(Wanted const& wanted) {
        locked const lock{mutex_};
        for (Node** at = &first_; *at; at = &(*at)->next)
            if (wanted(**at)) return std::exchange(*at, (*at)->next);
        return nullptr;
    }

  private:
    pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
    Node* first_ = nullptr;
};

/// A kernel as a graph of its own, to be launched with other parameters each time.
struct kernel_graph {
    kernel_graph(cudaKernelNodeParams const& how, kernel_graph* others) : kernel{how.func}, next{others} {
        relaxed_capture const relaxed;
        check(cudaGraphCreate(&graph.handle, 0), "warpfold: cudaGraphCreate");
        check(cudaGraphAddKernelNode(&node, graph.handle, nullptr, 0, &how), "warpfold: cudaGraphAddKernelNode");
        check(cudaGraphInstantiate(&executable, graph.handle, 0), "warpfold: cudaGraphInstantiate");
    }
    void const* kernel;
    kernel_graph* next;
    owned<cudaGraph_t, cudaGraphDestroy> graph;
    cudaGraphNode_t node = nullptr;
    cudaGraphExec_t executable = nullptr;
};

/// Where a result reaches the host, and the graphs of kernels that brought one there: one for each kernel, for to put
/// another into it takes as long as a graph saves.
struct result_slot {
    kernel_graph& graph_of(cudaKernelNodeParams const& how) {
        for (kernel_graph* known = graphs; known; known = known->next)
            if (known->kernel == how.func) return *known;
        return *(graphs = new kernel_graph{how, graphs});
    }

    /// For the next result, by a signal of its own; 0 is none.
    sink next_sink() { return {{memory.device(), nullptr}, signal = signal == ~0U ? 1 : signal + 1}; }

    static constexpr std::size_t bytes = 4096;
    int const device;
    mapped_memory memory{bytes};
    unsigned signal = 0;  ///< of the last one
    kernel_graph* graphs = nullptr;
    result_slot* next = nullptr;
};

/// Hands out workspaces and slots; one for the process.
class memory_pool {
  public:
    /// Never destroyed: at exit the CUDA runtime may be gone before us.
    static memory_pool& instance() { static auto* const pool = new memory_pool; return *pool; }

    /// The workspace of kernels on `stream`. Kernels of one stream never run at once. A stream that captures a graph
    /// gets a workspace of its own for each call, given back when the graph is gone.
    workspace for_stream(int device, cudaStream_t stream) {
        cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusNone;
        cudaGraph_t graph = nullptr;
#if CUDART_VERSION >= 13000
        check(cudaStreamGetCaptureInfo(stream, &capturing, nullptr, &graph, nullptr, nullptr, nullptr), "warpfold: cudaStreamGetCaptureInfo");
#else
        check(cudaStreamGetCaptureInfo_v2(stream, &capturing, nullptr, &graph, nullptr, nullptr), "warpfold: cudaStreamGetCaptureInfo");
#endif
        if (capturing == cudaStreamCaptureStatusActive) return for_graph(device, graph);
        unsigned long long name = 0;
        check(cudaStreamGetId(stream, &name), "warpfold: cudaStreamGetId");
        locked const lock{mutex_};  // so that no second one is made of a stream's
        owned_memory* memory = of_streams_.take([&](owned_memory const& m) { return m.device == device && m.stream == name; });
        if (!memory) memory = new owned_memory{device, name};
        of_streams_.put(memory);
        return {memory->memory.base()};
    }

    /// A slot that nobody else uses as long as this lives.
    struct borrowed_slot {
        explicit borrowed_slot(int device) : slot{instance().slots_.take([&](result_slot const& s) { return s.device == device; })} {
            if (!slot) slot = new result_slot{device};
        }
        ~borrowed_slot() { instance().slots_.put(slot); }
        borrowed_slot& operator=(borrowed_slot&&) = delete;
        result_slot* operator->() const { return slot; }
        result_slot* slot;
    };

  private:
    /// The workspace of a stream, or of a graph on any.
    struct owned_memory {
        int device;
        unsigned long long stream = 0;
        device_memory memory{workspace::bytes};
        owned_memory* next = nullptr;
    };

    workspace for_graph(int device, cudaGraph_t graph) {
        owned_memory* owned = of_graphs_.take([&](owned_memory const& m) { return m.device == device; });
        if (!owned) owned = new owned_memory{device};
        cudaUserObject_t object;
        cudaError_t const made = cudaUserObjectCreate(&object, owned, &release, 1, cudaUserObjectNoDestructorSync);
        if (made != cudaSuccess) release(owned);
        check(made, "warpfold: cudaUserObjectCreate");
        cudaError_t const kept = cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove);
        if (kept != cudaSuccess) cudaUserObjectRelease(object, 1);
        check(kept, "warpfold: cudaGraphRetainUserObject");
        return {owned->memory.base()};
    }
    /// Called by CUDA when no graph holds the memory any more; may not call CUDA.
    static void release(void* memory) { instance().of_graphs_.put(static_cast<owned_memory*>(memory)); }

    pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;  // held while one of of_streams_ is out
    stack<owned_memory> of_streams_;                     // the last used first
    stack<owned_memory> of_graphs_;                      // those that no graph holds
    stack<result_slot> slots_;
};

}  // namespace warpfold::device
