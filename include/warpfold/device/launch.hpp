// Launches: reduce and reduce_into for memory of a device.
#pragma once

#include "memory.hpp"

namespace warpfold {
namespace device {

/// Where and how the device engine runs. No choice but `items` changes a result.
struct options {
    cudaStream_t stream = nullptr;
    int blocks = 0;                  ///< of the grid; 0: as many as read fastest
    index_t const* items = nullptr;  ///< device memory that holds the item count, from 0 to the input's size; null: all
    /// workspace::bytes of device memory, zero before the first call, for one kernel at a time; it is in use until that
    /// has ended, also where its value is there before. Null: the stream's, which is 1 MiB from its first call to the
    /// end of the process; of a captured reduction the graph's, whose replays take 1.2 µs longer to keep it (H200).
    void* work = nullptr;
    /// Items are not read again soon: they leave room for what else is in the second-level cache. A value that is waited
    /// for takes no notice. (H200, 16, 24, 32 and 40 MiB that no cache holds, sums 0.3, 0.8, 1.35 and 1.85 µs sooner; read
    /// again 2 µs later, the last 0.6 sooner, and once more 2.0, 2.6, 3.5 and 3.6 later.)
    bool once = false;
};

/// A kernel, and how it runs on a device.
struct prepared {
    void* kernel;
    tuning tuned;         ///< by the capability it was compiled for
    int shared_bytes;     ///< of a block
    int multiprocessors;  ///< of the device
    int cached, window;   ///< bytes that its second-level cache holds, and that a launch may say how to cache
    int resident;         ///< blocks that one of them holds
    bool waits;           ///< for the kernel ahead of it in its stream, before it touches memory
};
/// Lets a kernel have its shared memory, and asks; once for a thread and a device.
template <auto Kernel, class Input, class Gather>
prepared prepare(int device) {
    static thread_local int known_device = -1;
    static thread_local prepared known;
    if (std::exchange(known_device, -1) != device) {  // none until all is known, whatever throws
        cudaFuncAttributes its;
        check(cudaFuncGetAttributes(&its, Kernel), "warpfold: cudaFuncGetAttributes");
        tuning const t = tuning_for<Input, Gather>(its.ptxVersion);
        known = {reinterpret_cast<void*>(Kernel), t, t.threads * shared_words<Input, Gather>(t) * 8, 0, 0, 0, 0, its.ptxVersion >= 90};
        check(cudaDeviceGetAttribute(&known.multiprocessors, cudaDevAttrMultiProcessorCount, device), "warpfold: cudaDeviceGetAttribute");
        check(cudaDeviceGetAttribute(&known.cached, cudaDevAttrL2CacheSize, device), "warpfold: cudaDeviceGetAttribute");
        check(cudaDeviceGetAttribute(&known.window, cudaDevAttrMaxAccessPolicyWindowSize, device), "warpfold: cudaDeviceGetAttribute");
        check(cudaFuncSetAttribute(Kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, known.shared_bytes),
              "warpfold: cudaFuncSetAttribute (if it needs too much shared memory, compile for this device's capability)");
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&known.resident, Kernel, t.threads, static_cast<std::size_t>(known.shared_bytes)),
              "warpfold: cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    }
    known_device = device;
    return known;
}

/// The kernel for few items or for all, for inputs whose vectors begin aligned or for others.
template <bool Few, class F, class Input, class R>
prepared choose_kernel(bool vectors, int device) {
    using gather = typename gather_of<F>::type;
    if constexpr (access<Input>::may_straddle)
        if (!vectors) return prepare<reduce_kernel<Few, false, gather, F, Input, R>, Input, gather>(device);
    return prepare<reduce_kernel<Few, true, gather, F, Input, R>, Input, gather>(device);
}

/// The calling thread's.
inline int current_device() {
    int device = 0;
    return check(cudaGetDevice(&device), "warpfold: cudaGetDevice"), device;
}

/// Has a fold computed on the calling thread's device; by `slot`, if any, for a value that the host waits for.
template <class R, class F, class Input>
void launch(int device, F const& bound_fold, Input const& in, sink const& out, options const& how, memory_pool::borrowed_slot const* slot = nullptr) {
    static_assert(fold<F, typename Input::value_type>, "not a fold over these items: see fold.hpp for what a fold has");
    using lane_type = typename lane_of<F>::type;
    static_assert(lane_type::spill_words * sizeof(std::int64_t) <= workspace::spill_bytes);
    constexpr bool meets = !is_masked<Input> && pieces_of<lane_type> > 0;
    constexpr auto most = meets ? meeting::most_blocks : static_cast<index_t>(workspace::most_partials<partial_of<F, Input>>);

    alignment const align = alignment_of(in);
    auto chosen = choose_kernel<false, F, Input, R>(align.vectors, device);
    tuning const tuned = chosen.tuned;
    constexpr index_t vector = vector_items<Input>;
    index_t const row = tuned.threads * vector, before = align.head == 0 ? 0 : vector - align.head, rows = (in.size() + before + row - 1) / row;
    if (rows >> 30 != 0) throw invalid_input("warpfold: the vectors of so many items fill 2^30 blocks of threads or more: reduce them in parts");
    // One block reads a few rows sooner than several blocks meet.
    int few = tuned.loads;
    if constexpr (!is_masked<Input> && has_shortcut<lane_type, R>) few = rows_alone<lane_type, Input>;
    index_t blocks = how.blocks > 0 ? how.blocks : rows <= few ? 1 : index_t{chosen.resident < tuned.blocks ? chosen.resident : tuned.blocks} * chosen.multiprocessors;
    blocks = blocks > most ? most : blocks;
    if constexpr (has_joint_shortcut<lane_type, Input>)  // of what blocks take so, an int counts the items
        if (index_t const counted = highest_of<int> / (lane_type::joint_shortcut::most_rows * row); blocks > counted) blocks = counted;
    if (rows * vector >> 23 >= blocks) blocks = (rows * vector >> 23) + 1;  // no thread takes more than bins hold (lanes/outliers.hpp)
    index_t share = (rows + blocks - 1) / blocks, threads = tuned.threads;
    bool is_few = false;
    if (blocks > 1 && share > tuned.loads) share = (share + tuned.loads - 1) / tuned.loads * tuned.loads;
    if (how.blocks <= 0 && share > 0) blocks = (rows + share - 1) / share;
    if constexpr (!is_masked<Input> && has_shortcut<lane_type, R>)
        if (is_few = blocks == 1 && how.blocks <= 0 && !how.items; is_few) {
            chosen = choose_kernel<true, F, Input, R>(align.vectors, device);
            // As many warps as have rows: fewer wait for each other, one for nobody (H200: fewer than 16 save up to 0.4 µs).
            index_t const taken = warp_lanes * rows_of_warp<lane_type, Input> * vector, warps = (in.size() + before + taken - 1) / taken;
            if (warps * warp_lanes < threads) threads = warps > 0 ? warps * warp_lanes : warp_lanes;
        }
    workspace const work = how.work ? workspace{static_cast<unsigned char*>(how.work)}
                                    : memory_pool::instance().for_stream(device, how.stream);

    cudaLaunchAttribute attributes[2] = {{.id = cudaLaunchAttributeAccessPolicyWindow, .val = {}},
                                         {.id = cudaLaunchAttributeProgrammaticStreamSerialization, .val = {}}};
    // What the second-level cache cannot hold passes through it, first to go, so that what others wrote there need not
    // go to memory before (H200, 64 MiB: 24.6 → 21.8 µs. Windows of 128 MiB change nothing). It holds less than it says:
    // of 60 MiB 40, which are read a second time in two thirds of the time; 48 MiB pass in 22.4 → 19.1 µs, then in 20.2 → 18.5.
    std::uintptr_t begin = ~std::uintptr_t{0}, end = 0, bytes = 0;  // one window, around all ranges
    access<Input>::each_address(in, [&](std::uintptr_t address, std::size_t item_bytes, std::size_t) {
        std::uintptr_t const size = static_cast<std::uintptr_t>(in.size()) * item_bytes;
        bytes += size;
        begin = address < begin ? address : begin;
        end = address + size > end ? address + size : end;
    });
    // (Of what is read once, below a sixteenth there is nothing to gain: 1 and 2 MiB 0.1 µs later.)
    auto const cached = static_cast<std::uintptr_t>(chosen.cached);
    bool const passes = bytes > (how.once && !slot ? cached / 16 : cached / 4 * 3) && end - begin < static_cast<std::uintptr_t>(chosen.window);
    attributes[0].val.accessPolicyWindow = {reinterpret_cast<void*>(begin), passes ? end - begin : 0, 1, cudaAccessPropertyStreaming, {}};
    // Launched while the kernel ahead of it ends (H200, sums of 2^20 and 2^22 floats one after the other: 5.3 → 4.2 and
    // 6.9 → 5.8 µs).
    attributes[1].val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t const grid{.gridDim = dim3(static_cast<unsigned>(blocks)), .blockDim = dim3(static_cast<unsigned>(threads)),
                                  .dynamicSmemBytes = static_cast<std::size_t>(chosen.shared_bytes), .stream = how.stream,
                                  .attrs = attributes + !passes, .numAttrs = unsigned{passes} + chosen.waits};
    task<true, F, Input, R> few_items{in, in.size(), out, static_cast<int>(align.head), out.signal, {how.items, share}, bound_fold, work};
    task<false, F, Input, R> all_items{in, in.size(), {how.items, share}, static_cast<int>(align.head), out.signal, out, bound_fold, work};
    void* parameters[] = {is_few ? static_cast<void*>(&few_items) : &all_items};
    cudaKernelNodeParams const node{chosen.kernel, grid.gridDim, grid.blockDim, static_cast<unsigned>(chosen.shared_bytes), parameters, nullptr};
    if (slot && !passes) {
        // To launch a graph takes the host 2.2 µs less than to launch its kernel, and the device 0.1 more; behind other
        // work the kernel begins 0.5 to 1 µs later, for nothing of it overlaps (H200).
        kernel_graph const& graph = (*slot)->graph_of(node);
        check(cudaGraphExecKernelNodeSetParams(graph.executable, graph.node, &node), "warpfold: cudaGraphExecKernelNodeSetParams");
        check(cudaGraphLaunch(graph.executable, how.stream), "warpfold: cudaGraphLaunch of a reduction");
    } else check(cudaLaunchKernelExC(&grid, chosen.kernel, parameters), "warpfold: cudaLaunchKernelExC of a reduction");
}

/// Waits for the signal of a slot, and reads the result; throws the error that the stream has met, should it come
/// first.
template <class R>
outcome<R> wait(memory_pool::borrowed_slot const& slot, cudaStream_t stream) {
    auto const* const told = slot->memory.host();
    std::uint64_t const volatile& state = told->state;
    for (unsigned polls = 1; state >> 32 != slot->signal; ++polls) {
        if (polls % 4096 != 0) continue;
        // Not by relaxed_capture: of an error that the stream has met, the query is to tell.
        cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
        cudaThreadExchangeStreamCaptureMode(&mode);
        cudaError_t const met = cudaStreamQuery(stream);
        cudaThreadExchangeStreamCaptureMode(&mode);
        if (met == cudaErrorNotReady) cudaGetLastError();  // which would be the caller's next one
        else if (state >> 32 != slot->signal) {
            check(met, "warpfold: cudaStreamQuery after a reduction");
            throw error("warpfold: reduce: the stream ended without a result");
        }
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    outcome<R> result;
    std::memcpy(&result.value, sizeof(R) <= sizeof(told->value) ? &told->value : static_cast<void const*>(told + 1), sizeof(R));
    result.state = static_cast<status>(state & 0xffffffffU);
    return result;
}

}  // namespace device

/// Runs on `stream`: reduce(x, f, on(stream)).
inline device::options on(cudaStream_t stream) { return {stream}; }

/// The value of `f` over items in device memory: an input, or anything with data() and size(). Waits for the result,
/// for nothing else. Throws as reduce on the host does, and cuda_error.
template <class R, class F>
auto reduce(R const& range, F const& f, device::options const& how) {
    auto const in = as_input(range);
    auto const bound_fold = bind<typename decltype(in)::value_type>(f);
    using result = result_of<std::remove_const_t<decltype(bound_fold)>>;
    static_assert(sizeof(device::announcement) + sizeof(result) <= device::result_slot::bytes && alignof(result) <= sizeof(device::announcement));
    int const device = device::current_device();
    device::memory_pool::borrowed_slot const slot{device};
    device::launch<result>(device, bound_fold, in, slot->next_sink(), how, &slot);
    return detail::value_of(device::wait<result>(slot, how.stream));
}
/// The same on the default stream, where the type of the range says that it lies in device memory; where it does not
/// (ranges of raw pointers), pass on(stream).
template <class R, class F>
    requires on_device<R>
auto reduce(R const& range, F const& f) { return reduce(range, f, device::options{}); }

/// The same without waiting: the value goes to `out`, device memory, once the stream gets there. `state`, where not
/// null, says there what reduce would throw; an outcome says it itself. After the first call on a stream nothing is
/// allocated; a graph may capture it.
template <class Out, class R, class F>
void reduce_into(Out* out, R const& range, F const& f, device::options const& how = {}, status* state = nullptr) {
    auto const in = as_input(range);
    auto const bound_fold = bind<typename decltype(in)::value_type>(f);
    using result = result_of<std::remove_const_t<decltype(bound_fold)>>;
    constexpr bool whole = std::is_same_v<Out, outcome<result>>;
    static_assert(whole || std::is_same_v<Out, result>, "out points to the result of the fold, or to an outcome of it");
    if (whole && state) throw invalid_input("warpfold: reduce_into: an outcome has a state of its own, so `state` must be null");
    device::sink to;
    if constexpr (whole) to = {{&out->value, &out->state}};
    else to = {{out, state}};
    device::launch<result>(device::current_device(), bound_fold, in, to, how);
}

}  // namespace warpfold
