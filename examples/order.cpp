// The same numbers in several orders, added by plain float addition and by warpfold, by one thread and by many.
//
//     order FILE        FILE is a .npy file (version 1.0) of float32
//
// Exits with 1 if any two sums of warpfold differ in a bit.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>
#include <warpfold/warpfold.hpp>

namespace {

/// The items of a .npy file: ten bytes and a header, whose length bytes 8 and 9 tell, come before them.
std::vector<float> load(char const* path) {
    std::ifstream file(path, std::ios::binary);
    char start[10] = {};
    file.read(start, sizeof start);
    auto const length = static_cast<unsigned char>(start[8]) + 256 * static_cast<unsigned char>(start[9]);
    file.seekg(0, std::ios::end);
    auto const bytes = static_cast<std::streamoff>(file.tellg()) - 10 - length;
    std::vector<float> items(bytes > 0 ? static_cast<std::size_t>(bytes) / sizeof(float) : 0);
    file.seekg(10 + length);
    file.read(reinterpret_cast<char*>(items.data()), bytes);
    return items;
}

/// What a parallel sum usually is: each thread adds a part, and the parts' sums are added.
float plain_sum(std::vector<float> const& x, std::size_t threads) {
    std::vector<float> parts(threads);
    std::vector<std::thread> pool;
    for (std::size_t t = 0; t < threads; ++t) {
        pool.emplace_back([&, t] {
            auto const at = [&](std::size_t i) {
                return x.begin() + static_cast<std::ptrdiff_t>(x.size() * i / threads);
            };
            parts[t] = std::accumulate(at(t), at(t + 1), 0.0F);
        });
    }
    for (auto& thread : pool) thread.join();
    return std::accumulate(parts.begin(), parts.end(), 0.0F);
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<float> x = argc == 2 ? load(argv[1]) : std::vector<float>{};
    std::erase_if(x, [](float minutes) { return std::isnan(minutes); });
    if (x.empty()) {
        std::fprintf(stderr, "order: expected a .npy file of float32\n");
        return 1;
    }
    // Whole minutes would add up without rounding; hours do not.
    for (float& item : x) item /= 60;

    std::set<std::uint32_t> plain, ours;
    std::printf("%-13s %34s   %34s\n", "", "plain float addition", "warpfold");
    std::printf("%-13s %10s %11s %11s   %10s %11s %11s\n", "order", "1 thread", "2 threads", "8 threads", "1 thread",
                "all cores", "bits");
    std::mt19937_64 random(2013);
    for (int order = 0; order < 6; ++order) {
        if (order == 1) std::sort(x.begin(), x.end());
        if (order > 1) std::shuffle(x.begin(), x.end(), random);
        std::string const name = order == 0   ? "as stored"
                                 : order == 1 ? "ascending"
                                              : "shuffle " + std::to_string(order - 1);
        float const sums[] = {plain_sum(x, 1), plain_sum(x, 2), plain_sum(x, 8)};
        float const exact[] = {wf::reduce(x, wf::sum, {.threads = 1}), wf::sum(x)};
        for (float const s : sums) plain.insert(std::bit_cast<std::uint32_t>(s));
        for (float const s : exact) ours.insert(std::bit_cast<std::uint32_t>(s));
        std::printf("%-13s %10.3f %11.3f %11.3f   %10.3f %11.3f %11x\n", name.c_str(), sums[0], sums[1], sums[2],
                    exact[0], exact[1], std::bit_cast<std::uint32_t>(exact[1]));
    }
    std::printf("%-13s %34zu   %34zu\n", "distinct sums", plain.size(), ours.size());
    // The exact sum has fewer bits than a double, so this is the exact value and no other rounding.
    std::printf("%-13s %34s   %34.17g\n", "exact value", "", wf::reduce(x, wf::as<double>(wf::sum)));
    return ours.size() == 1 ? 0 : 1;
}
