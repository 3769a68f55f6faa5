// Calls of the CUDA runtime that fail: the exception names the call, nothing is lost, and the next reduction is right.
#include <gtest/gtest.h>

#include <list>
#include <string>
#include <thread>

#include "engine.hpp"
#include "items.hpp"

namespace {

using wf::device::cuda_error;

/// The message of the cuda_error that `call` throws; empty where it throws none. `code` becomes its code.
template <class Call>
std::string message_of(Call const& call, cudaError_t& code) {
    try {
        call();
    } catch (cuda_error const& e) {
        code = e.code;
        return e.what();
    }
    return {};
}

class stream {
  public:
    stream() { wf::device::check(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags"); }
    ~stream() { cudaStreamDestroy(handle_); }
    stream(stream const&) = delete;
    stream& operator=(stream const&) = delete;
    operator cudaStream_t() const { return handle_; }

  private:
    cudaStream_t handle_ = nullptr;
};

#if defined(SIMT_EXECUTOR)

/// Every call that a first reduction of a thread on a new stream makes.
constexpr char const* calls[] = {"cudaHostAlloc", "cudaHostGetDevicePointer", "cudaGetDevice", "cudaDeviceGetAttribute",
                                 "cudaStreamGetCaptureInfo", "cudaStreamGetId", "cudaThreadExchangeStreamCaptureMode", "cudaMalloc", "cudaStreamCreateWithFlags",
                                 "cudaMemsetAsync", "cudaStreamSynchronize", "cudaFuncSetAttribute",
                                 "cudaOccupancyMaxActiveBlocksPerMultiprocessor", "cudaGraphCreate", "cudaGraphAddKernelNode",
                                 "cudaGraphInstantiate", "cudaGraphExecKernelNodeSetParams", "cudaGraphLaunch"};

TEST(errors, of_every_call_name_it_and_lose_nothing) {
    auto const x = items::make<float>(1000, items::kind::normal, 3);
    engine::items<float> const copy{x};
    float const wanted = engine::wanted(wf::sum, engine::host_span(x)).value;
    std::list<wf::device::memory_pool::borrowed_slot> held;
    for (char const* const name : calls) {
        // What a thread knows of its device, it asks once: each call fails in a thread of its own.
        std::thread([&] {
            SCOPED_TRACE(name);
            std::size_t before = 0;
            do {
                before = simt::runtime::allocated_bytes();
                held.emplace_back(0);
            } while (simt::runtime::allocated_bytes() == before);  // until none is left over
            stream const own;
            before = simt::runtime::allocated_bytes();
            simt::runtime::fail_call(name, cudaErrorMemoryAllocation);
            cudaError_t code = cudaSuccess;
            std::string const message = message_of([&] { (void)wf::reduce(copy.span(), wf::sum, wf::on(own)); }, code);
            EXPECT_NE(message.find(name), std::string::npos) << message;
            EXPECT_NE(message.find("out of memory"), std::string::npos) << message;
            EXPECT_EQ(code, cudaErrorMemoryAllocation);
            EXPECT_EQ(cudaGetLastError(), cudaSuccess);
            EXPECT_EQ(wf::reduce(copy.span(), wf::sum, wf::on(own)), wanted);
            EXPECT_EQ(simt::runtime::allocated_bytes() - before, wf::device::workspace::bytes + wf::device::result_slot::bytes);
        }).join();
    }
}

TEST(errors, of_a_launch_that_nobody_waits_for_name_it) {
    auto const x = items::make<float>(1000, items::kind::normal, 3);
    engine::items<float> const copy{x};
    engine::items<float> const out{{0}};
    EXPECT_EQ(wf::reduce(copy.span(), wf::sum), engine::wanted(wf::sum, engine::host_span(x)).value);  // what is allocated once
    std::size_t const before = simt::runtime::allocated_bytes();
    simt::runtime::fail_call("cudaLaunchKernelExC", cudaErrorMemoryAllocation);
    cudaError_t code = cudaSuccess;
    std::string const message = message_of([&] { wf::reduce_into(out.data(), copy.span(), wf::sum); }, code);
    EXPECT_NE(message.find("cudaLaunchKernelExC"), std::string::npos) << message;
    EXPECT_EQ(code, cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_EQ(wf::reduce(copy.span(), wf::sum), engine::wanted(wf::sum, engine::host_span(x)).value);
    EXPECT_EQ(simt::runtime::allocated_bytes(), before);
}

TEST(errors, end_a_reduction_that_got_no_result) {
    if (!engine::survives_bad_pointers) GTEST_SKIP() << "only the checked flavour does";
    auto const x = items::make<float>(1000, items::kind::normal, 3);
    stream const own;
    wf::device_span<float> const nowhere(reinterpret_cast<float const*>(std::uintptr_t{4096}), 1000);
    cudaError_t code = cudaSuccess;
    std::string const message = message_of([&] { (void)wf::reduce(nowhere, wf::sum, wf::on(own)); }, code);
    EXPECT_NE(message.find("cudaStreamQuery"), std::string::npos) << message;
    EXPECT_EQ(code, cudaErrorIllegalAddress);
    simt::report const report = simt::runtime::take_report();
    ASSERT_FALSE(report.clean());
    EXPECT_EQ(report.findings[0].kind, simt::finding_kind::out_of_bounds);
    simt::runtime::forget_sticky_error();
    engine::items<float> const copy{x};
    std::size_t const before = simt::runtime::allocated_bytes();
    EXPECT_EQ(wf::reduce(copy.span(), wf::sum), engine::wanted(wf::sum, engine::host_span(x)).value);
    EXPECT_LE(simt::runtime::allocated_bytes() - before, wf::device::workspace::bytes) << "the slot came back";
}

#else

TEST(errors, of_a_full_device_name_the_call_and_lose_nothing) {
    auto const x = items::make<float>(1000, items::kind::normal, 3);
    engine::items<float> const copy{x};
    float const wanted = engine::wanted(wf::sum, engine::host_span(x)).value;
    EXPECT_EQ(wf::reduce(copy.span(), wf::sum), wanted);  // what is allocated once
    stream const own;
    std::vector<void*> taken;
    for (std::size_t bytes = std::size_t{1} << 36; bytes >= 1U << 18; bytes /= 2) {
        void* memory = nullptr;
        while (cudaMalloc(&memory, bytes) == cudaSuccess) taken.push_back(memory);
        cudaGetLastError();
    }
    cudaError_t code = cudaSuccess;
    std::string const message = message_of([&] { (void)wf::reduce(copy.span(), wf::sum, wf::on(own)); }, code);
    EXPECT_NE(message.find("cudaMalloc"), std::string::npos) << message;
    EXPECT_EQ(code, cudaErrorMemoryAllocation);
    EXPECT_EQ(wf::reduce(copy.span(), wf::sum), wanted) << "streams that have their workspace go on";
    for (void* const memory : taken) cudaFree(memory);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_EQ(wf::reduce(copy.span(), wf::sum, wf::on(own)), wanted);
}

#endif

// Last: on a GPU nothing works in this process after it.
TEST(zz_sticky_errors, reach_every_later_call) {
    if (!engine::survives_bad_pointers) GTEST_SKIP() << "only the checked flavour does";
    auto const x = items::make<float>(1000, items::kind::normal, 3);
    engine::items<float> const copy{x};
    engine::items<float> const out{{0}};
    wf::device_span<float> const nowhere(reinterpret_cast<float const*>(std::uintptr_t{4096}), 1000);
    cudaError_t code = cudaSuccess;
    EXPECT_NE(message_of([&] { (void)wf::reduce(nowhere, wf::sum); }, code), "");
    EXPECT_EQ(code, cudaErrorIllegalAddress);
    for (int i = 0; i < 3; ++i) {
        EXPECT_NE(message_of([&] { (void)wf::reduce(copy.span(), wf::sum); }, code).find("warpfold: cuda"), std::string::npos);
        EXPECT_EQ(code, cudaErrorIllegalAddress);
        EXPECT_NE(message_of([&] { wf::reduce_into(out.data(), copy.span(), wf::sum); }, code).find("warpfold: cuda"), std::string::npos);
        EXPECT_EQ(code, cudaErrorIllegalAddress);
    }
#if defined(SIMT_EXECUTOR)
    EXPECT_FALSE(simt::runtime::take_report().clean());
    simt::runtime::forget_sticky_error();
#endif
}

}  // namespace
