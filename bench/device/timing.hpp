// Timing on a device: events around one call, with what the cache held before it flushed, or around many in a row;
// medians, quartiles and means.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "read_limit.hpp"

namespace bench {

inline void check(cudaError_t result, char const* what) {
    if (result == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(result));
    std::exit(1);
}

/// Microseconds of a call. Half of the runs lie between the quartiles, lower and upper. The mean leaves a tenth of the
/// runs out at either end: times of a few microseconds come in steps of 0.16 or 0.2 (H200), by which a median moves
/// where the mean moves by 0.02.
struct timing {
    double median, mean, least, lower, upper;
};

class timer {
  public:
    timer() {
        check(cudaEventCreate(&begin_), "cudaEventCreate");
        check(cudaEventCreate(&end_), "cudaEventCreate");
        check(cudaMalloc(&flush_, flush_bytes), "cudaMalloc");
    }
    /// `call` queues work on the default stream. Before each run 256 MiB are written, so that nothing of the input is
    /// in the cache (50 MB on an H200).
    template <class Call>
    timing cold(int runs, Call const& call) {
        return repeat(runs, call, [&] { return between_events(call); });
    }

    /// The same where the cache has nothing to write, either: what was written before is read again, all of it.
    template <class Call>
    timing cold_and_clean(int runs, Call const& call) {
        return repeat(runs, call, [&] {
            read_all<512, 4><<<264, 512>>>(static_cast<uint4 const*>(flush_), flush_bytes / sizeof(uint4), static_cast<unsigned*>(flush_));
            return between_events(call);
        });
    }

    /// A call's part of the time of so many in a row, which find in the cache what fits there.
    template <class Call>
    timing back_to_back(int calls, Call const& call) {
        call();
        std::vector<double> times;
        for (int batch = 0; batch < 5; ++batch) {
            times.push_back(between_events([&] {
                for (int i = 0; i < calls; ++i) call();
            }) / calls);
        }
        return summary(times);
    }

    /// The same for a call that returns when its result is on the host, by the host's clock.
    template <class Call>
    timing cold_to_host(int runs, Call const& call) {
        return repeat(runs, call, [&] {
            check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
            auto const begin = std::chrono::steady_clock::now();
            call();
            return 1e6 * std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        });
    }

  private:
    template <class Call>
    double between_events(Call const& call) {
        check(cudaEventRecord(begin_), "cudaEventRecord");
        call();
        check(cudaEventRecord(end_), "cudaEventRecord");
        check(cudaEventSynchronize(end_), "cudaEventSynchronize");
        float milliseconds;
        check(cudaEventElapsedTime(&milliseconds, begin_, end_), "cudaEventElapsedTime");
        return 1e3 * milliseconds;
    }

    /// `timed` runs the call once more and yields its microseconds.
    template <class Call, class Timed>
    timing repeat(int runs, Call const& call, Timed const& timed) {
        call();
        std::vector<double> times;
        for (int i = 0; i < runs; ++i) {
            check(cudaMemsetAsync(flush_, i, flush_bytes), "cudaMemsetAsync");
            times.push_back(timed());
        }
        return summary(times);
    }

    static timing summary(std::vector<double>& times) {
        std::sort(times.begin(), times.end());
        std::size_t const n = times.size();
        auto const tenth = static_cast<std::ptrdiff_t>(n / 10);
        double const mean = std::reduce(times.begin() + tenth, times.end() - tenth) / static_cast<double>(n - 2 * (n / 10));
        return {times[n / 2], mean, times.front(), times[n / 4], times[n - 1 - n / 4]};
    }

    static constexpr std::size_t flush_bytes = std::size_t{256} << 20;
    cudaEvent_t begin_, end_;
    void* flush_;
};

}  // namespace bench
