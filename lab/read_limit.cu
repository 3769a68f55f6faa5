#include "lab/read_limit.hpp"

#include "bench/device/read_limit.hpp"

namespace warpfold::lab::device {
namespace {

template <int threads, int loads>
std::function<void()> reading(void const* items, std::uint64_t bytes, void* never, unsigned blocks) {
    return [=] {
        bench::read_all<threads, loads><<<blocks, threads>>>(static_cast<uint4 const*>(items),
                                                             static_cast<std::int64_t>(bytes / sizeof(uint4)),
                                                             static_cast<unsigned*>(never));
    };
}

}  // namespace

std::vector<std::function<void()>> reading_kernels(void const* items, std::uint64_t bytes, void* never) {
    std::vector<std::function<void()>> all;
    for (unsigned const blocks : {264u, 528u, 1056u, 132000u}) {
        all.push_back(reading<256, 2>(items, bytes, never, blocks));
        all.push_back(reading<256, 4>(items, bytes, never, blocks));
        all.push_back(reading<512, 2>(items, bytes, never, blocks));
        all.push_back(reading<512, 4>(items, bytes, never, blocks));
    }
    return all;
}

}  // namespace warpfold::lab::device
