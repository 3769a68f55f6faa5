#include "lab/device.hpp"

#include <algorithm>
#include <fstream>
#include <regex>

#include "lab/device_run.hpp"
#include "lab/read_limit.hpp"

namespace warpfold::lab {
namespace {

constexpr std::size_t flush_bytes = std::size_t{256} << 20;  // the second-level caches of today hold 126 MB at most

class event {
  public:
    event() { check(cudaEventCreate(&event_), "cudaEventCreate"); }
    event(event const&) = delete;
    event& operator=(event const&) = delete;
    ~event() { cudaEventDestroy(event_); }
    void record() { check(cudaEventRecord(event_), "cudaEventRecord"); }
    void wait() { check(cudaEventSynchronize(event_), "cudaEventSynchronize"); }
    double microseconds_since(event const& begin) const {
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, begin.event_, event_), "cudaEventElapsedTime");
        return 1e3 * static_cast<double>(milliseconds);
    }

  private:
    cudaEvent_t event_ = nullptr;
};

/// Times what `queue` queues on the default stream.
class stopwatch {
  public:
    explicit stopwatch(std::function<void()> queue) : queue_(std::move(queue)), flush_(flush_bytes, "cache flush") {}

    times measure() {
        double const once = of_many(1);
        times found{};
        found.runs = runs_within(200e3, once, 31);
        std::vector<double> cold;
        for (int i = 0; i < found.runs; ++i) cold.push_back(of_one_cold(i));
        std::sort(cold.begin(), cold.end());
        found.lower = cold[cold.size() / 4];
        found.median = cold[cold.size() / 2];
        found.upper = cold[cold.size() - 1 - cold.size() / 4];
        int const many = runs_within(20e3, once, 200);
        std::vector<double> warm{of_many(many), of_many(many), of_many(many)};
        std::sort(warm.begin(), warm.end());
        found.back_to_back = warm[1];
        return found;
    }

  private:
    /// As many runs of `once` microseconds as take `budget` microseconds, one at least.
    static int runs_within(double budget, double once, int most) {
        return std::clamp(static_cast<int>(budget / std::max(once, 1.0)), 1, most);
    }
    double of_one_cold(int run) {
        check(cudaMemsetAsync(flush_.data(), run, flush_bytes), "cudaMemsetAsync");
        return between([this] { queue_(); });
    }
    double of_many(int runs) {
        return between([this, runs] {
                   for (int i = 0; i < runs; ++i) queue_();
               }) /
               runs;
    }
    template <class Work>
    double between(Work work) {
        begin_.record();
        work();
        end_.record();
        end_.wait();
        return end_.microseconds_since(begin_);
    }

    std::function<void()> queue_;
    device_memory flush_;
    event begin_, end_;
};

std::string version(int number) {
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

std::string driver_version() {
    std::ifstream file("/proc/driver/nvidia/version");
    std::string line;
    std::getline(file, line);
    std::smatch found;
    return std::regex_search(line, found, std::regex("[0-9]+[.][0-9.]+")) ? found.str() : "";
}

/// The CUDA runtime's answer to "is there a GPU", whatever its kind.
void need_gpu(cudaError_t status, std::string const& call) {
    if (status != cudaSuccess) {
        throw needs_gpu("no GPU can be used: " + call + ": " + cudaGetErrorString(status) + " (" +
                        cudaGetErrorName(status) + ")");
    }
}

int attribute(cudaDeviceAttr which) {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, which, 0), "cudaDeviceGetAttribute");
    return value;
}

}  // namespace

gpu first_gpu() {
    int count = 0;
    need_gpu(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
    need_gpu(cudaFree(nullptr), "cudaFree");  // the first call that needs the GPU itself
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
    int runtime = 0;
    check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
    double const transfers_a_second = 2e3 * attribute(cudaDevAttrMemoryClockRate);  // kHz, two a cycle
    double const bytes_a_transfer = attribute(cudaDevAttrGlobalMemoryBusWidth) / 8.0;
    return {properties.name, driver_version(), version(runtime), transfers_a_second * bytes_a_transfer * 1e-9};
}

std::shared_ptr<device_items const> upload(item_list const& items) {
    first_gpu();
    return std::make_shared<device_items>(items);
}

std::unique_ptr<execution> device_execution(launch_rule const& rule, unsigned block, std::uint64_t grid,
                                            std::shared_ptr<device_items const> items) {
    return std::make_unique<device_run>(rule, block, grid, std::move(items));
}

times time_launches(execution const& finished) {
    auto const& run = static_cast<device_run const&>(finished);
    return stopwatch([&run] { run.repeat(); }).measure();
}

times time_reading(std::shared_ptr<device_items const> const& items) {
    device_memory never(sizeof(unsigned), "word that nothing is written to");
    times best{};
    for (auto const& queue : device::reading_kernels(items->data(), items->bytes(), never.data())) {
        times const found = stopwatch(queue).measure();
        if (best.runs == 0 || found.median < best.median) best = found;
    }
    return best;
}

}  // namespace warpfold::lab
