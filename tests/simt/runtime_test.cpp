// The executor's CUDA runtime: memory, copies, streams, errors, findings.
#include "runtime.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "simt/runtime.hpp"

namespace {

class runtime : public testing::Test {
  protected:
    void SetUp() override {
        simt::runtime::set_config({.grid = {}, .block = {}, .checks = true});
        (void)simt::runtime::take_report();
        before_ = simt::runtime::allocated_bytes();
        ASSERT_EQ(cudaMalloc(&in_, n * sizeof(float)), cudaSuccess);
        ASSERT_EQ(cudaMalloc(&out_, n * sizeof(float)), cudaSuccess);
    }
    void TearDown() override {
        simt::runtime::fail_call("", cudaSuccess, -1);
        simt::runtime::forget_sticky_error();
        EXPECT_EQ(cudaFree(in_), cudaSuccess);
        EXPECT_EQ(cudaFree(out_), cudaSuccess);
        EXPECT_EQ(simt::runtime::allocated_bytes(), before_);
    }
    [[nodiscard]] cudaError_t fill() const {
        return cudaMemcpy(in_, std::vector<float>(n, 1.5F).data(), n * sizeof(float), cudaMemcpyHostToDevice);
    }

    static constexpr unsigned n = 1000;
    float* in_ = nullptr;
    float* out_ = nullptr;

  private:
    std::size_t before_ = 0;
};

TEST_F(runtime, copies_launches_and_reports_nothing_of_a_right_kernel) {
    cudaStream_t stream = nullptr;
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    for (auto* const launch : {plain::launch_doubled, checked::launch_doubled}) {
        ASSERT_EQ(fill(), cudaSuccess);
        ASSERT_EQ(cudaMemset(out_, 0, n * sizeof(float)), cudaSuccess);
        ASSERT_EQ(launch(in_, out_, n, stream), cudaSuccess);
        std::vector<float> got(n);
        ASSERT_EQ(cudaMemcpyAsync(got.data(), out_, n * sizeof(float), cudaMemcpyDeviceToHost, stream), cudaSuccess);
        EXPECT_EQ(got, std::vector<float>(n, 3.0F));
    }
    EXPECT_TRUE(simt::runtime::take_report().clean());
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST_F(runtime, knows_what_no_copy_and_no_kernel_wrote) {
    ASSERT_EQ(cudaMemcpy(in_, std::vector<float>(n).data(), (n - 1) * sizeof(float), cudaMemcpyHostToDevice), cudaSuccess);
    ASSERT_EQ(checked::launch_doubled(in_, out_, n, nullptr), cudaSuccess);
    simt::report const report = simt::runtime::take_report();
    ASSERT_EQ(report.findings.size(), 1U) << report.text();
    EXPECT_EQ(report.findings[0].kind, simt::finding_kind::uninitialised_read);
    EXPECT_EQ(report.findings[0].count, 1U);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "a device does not notice";
    EXPECT_TRUE(simt::runtime::take_report().clean()) << "a report is taken once";
}

TEST_F(runtime, keeps_the_error_of_a_kernel_that_a_device_would_end) {
    ASSERT_EQ(fill(), cudaSuccess);
    ASSERT_EQ(checked::launch_doubled(in_, out_, n + 1, nullptr), cudaSuccess) << "a launch does not wait";
    EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaErrorIllegalAddress);
    EXPECT_EQ(fill(), cudaErrorIllegalAddress);
    EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
    EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
    EXPECT_STREQ(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
    EXPECT_EQ(simt::runtime::take_report().findings.at(0).kind, simt::finding_kind::out_of_bounds);
}

TEST_F(runtime, refuses_what_a_device_refuses) {
    EXPECT_EQ(cudaMemcpy(in_, out_, n * sizeof(float) + 1, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemset(in_ + 1, 0, n * sizeof(float)), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFree(in_ + 1), cudaErrorInvalidValue);
    EXPECT_EQ(cudaStreamDestroy(nullptr), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(plain::launch_doubled(in_, out_, 0, nullptr), cudaErrorInvalidConfiguration) << "an empty grid";
    EXPECT_EQ(plain::launch_with_shared(out_, 12 * 1024 + 1, false), cudaErrorInvalidValue) << "more than 48 KiB unasked";
    EXPECT_EQ(plain::launch_with_shared(out_, 12 * 1024 + 1, true), cudaSuccess);
    EXPECT_EQ(plain::launch_with_shared(out_, 64 * 1024, true), cudaErrorInvalidValue) << "more than there is";
    int window_bytes = 0;
    ASSERT_EQ(cudaDeviceGetAttribute(&window_bytes, cudaDevAttrMaxAccessPolicyWindowSize, 0), cudaSuccess);
    auto const most = static_cast<std::size_t>(window_bytes);
    EXPECT_EQ(plain::launch_with_window(in_, out_, n, most), cudaSuccess);
    EXPECT_EQ(plain::launch_with_window(in_, out_, n, most + 1), cudaErrorInvalidValue) << "more than a launch may say how to cache";
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(runtime, runs_graphs_of_kernels) {
    for (auto* const kernel_of : {plain::doubled_of_a_graph, checked::doubled_of_a_graph}) {
        unsigned count = n;
        void* arguments[] = {&in_, &out_, &count};
        cudaGraph_t graph = nullptr;
        ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
        cudaKernelNodeParams how{.func = kernel_of(false), .gridDim = (n + 63) / 64, .blockDim = 64, .sharedMemBytes = 0, .kernelParams = arguments, .extra = nullptr};
        cudaGraphNode_t node = nullptr;
        cudaGraphExec_t executable = nullptr;
        EXPECT_EQ(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &how), cudaErrorInvalidDeviceFunction) << "asked for nothing yet";
        how.func = kernel_of(true);
        ASSERT_EQ(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &how), cudaSuccess);
        ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
        auto const doubled = [&] {
            std::vector<float> got(n);
            EXPECT_EQ(fill(), cudaSuccess);
            EXPECT_EQ(cudaMemset(out_, 0, n * sizeof(float)), cudaSuccess);
            EXPECT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
            EXPECT_EQ(cudaMemcpy(got.data(), out_, n * sizeof(float), cudaMemcpyDeviceToHost), cudaSuccess);
            return std::count(got.begin(), got.end(), 3.0F);
        };
        count = 0;  // a graph has copies
        EXPECT_EQ(doubled(), n);
        count = 10;
        ASSERT_EQ(cudaGraphExecKernelNodeSetParams(executable, node, &how), cudaSuccess);
        count = n;
        EXPECT_EQ(doubled(), 10);
        EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
        EXPECT_EQ(cudaGraphLaunch(executable, nullptr), cudaErrorInvalidValue) << "it is gone";
        EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
        EXPECT_EQ(cudaGraphDestroy(graph), cudaErrorInvalidValue);
    }
    EXPECT_TRUE(simt::runtime::take_report().clean());
    (void)cudaGetLastError();
}

TEST_F(runtime, launches_kernels_by_their_addresses) {
    for (auto* const kernel_of : {plain::doubled_of_a_graph, checked::doubled_of_a_graph}) {
        unsigned count = 10;
        void* arguments[] = {&in_, &out_, &count};
        cudaLaunchConfig_t config{};
        config.gridDim = (n + 63) / 64;
        config.blockDim = 64;
        EXPECT_EQ(cudaLaunchKernelExC(&config, &config, arguments), cudaErrorInvalidDeviceFunction) << "no kernel";
        EXPECT_EQ(fill(), cudaSuccess);
        EXPECT_EQ(cudaMemset(out_, 0, n * sizeof(float)), cudaSuccess);
        ASSERT_EQ(cudaLaunchKernelExC(&config, kernel_of(true), arguments), cudaSuccess);
        std::vector<float> got(n);
        EXPECT_EQ(cudaMemcpy(got.data(), out_, n * sizeof(float), cudaMemcpyDeviceToHost), cudaSuccess);
        EXPECT_EQ(std::count(got.begin(), got.end(), 3.0F), 10);
    }
}

TEST_F(runtime, lets_a_call_fail_when_asked) {
    simt::runtime::fail_call("cudaMemset", cudaErrorMemoryAllocation, 1);
    EXPECT_EQ(cudaMemset(in_, 0, 4), cudaSuccess);
    EXPECT_EQ(cudaMemset(in_, 0, 4), cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaMemset(in_, 0, 4), cudaSuccess);
    EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
}

TEST_F(runtime, has_no_more_memory_than_a_device) {
    void* memory = in_;
    EXPECT_EQ(cudaMalloc(&memory, std::size_t{1} << 40), cudaErrorMemoryAllocation);
    EXPECT_EQ(memory, nullptr);
}

}  // namespace
