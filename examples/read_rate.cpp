// How fast a file can be read, and how fast it can be read and summed: an input of your own, straight from disk.
//
//     read_rate FILE        FILE holds nothing but float32; its end may be cut to whole items
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <warpfold/warpfold.hpp>

namespace {

/// The items of a file as an input: the engine asks for a few at a time, from several threads.
struct file_items {
    using value_type = float;
    int descriptor;
    wf::index_t items;

    wf::index_t size() const { return items; }
    float const* load(wf::index_t first, wf::index_t count, float* buffer) const {
        auto const bytes = static_cast<std::size_t>(count) * sizeof(float);
        if (::pread(descriptor, buffer, bytes, first * wf::index_t{sizeof(float)}) != static_cast<ssize_t>(bytes))
            throw std::runtime_error("expected to read all of the file");
        return buffer;
    }
};

/// A fold that looks at no item: what is left is the reading.
struct nothing {
    using state = float;
    state identity() const { return 0; }
    void step(state&, float, wf::index_t) const {}
    void merge(state&, state) const {}
    state finish(state s) const { return s; }
};

/// The best rate of several runs in GB/s.
template <class Fold>
double best_rate(file_items const& in, Fold const& fold) {
    double best = 0;
    for (int run = 0; run < 5; ++run) {
        auto const start = std::chrono::steady_clock::now();
        wf::reduce(in, fold);
        std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - start;
        best = std::max(best, static_cast<double>(in.items) * sizeof(float) / seconds.count() / 1e9);
    }
    return best;
}

}  // namespace

int main(int argc, char** argv) {
    int const descriptor = argc == 2 ? ::open(argv[1], O_RDONLY) : -1;
    struct stat status {};
    if (descriptor < 0 || ::fstat(descriptor, &status) != 0 || status.st_size < 4) {
        std::fprintf(stderr, "read_rate: expected a file of float32\n");
        return 1;
    }
    file_items const in{descriptor, status.st_size / wf::index_t{sizeof(float)}};
    double const limit = best_rate(in, nothing{});
    double const sum = best_rate(in, wf::sum);
    std::printf("reading alone       %6.2f GB/s   the limit: the same reads, and nothing done with what they bring\n",
                limit);
    std::printf("reading and sum     %6.2f GB/s   %.0f %% of it; best of five runs, all cores, from the page cache\n",
                sum, 100 * sum / limit);
    return 0;
}
