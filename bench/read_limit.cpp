#include "read_limit.hpp"

#include <warpfold/host/parallel.hpp>

namespace {

// A cache line, in vectors that the processor has: GCC 12 keeps longer ones in memory (two cores of a Zen 4 whose AVX-512 is hidden,
// 1 MiB: 34 instead of 137 GB/s).
#if defined(__AVX512F__)
constexpr int vector_bytes = 64;
#elif defined(__AVX__)
constexpr int vector_bytes = 32;
#else
constexpr int vector_bytes = 16;
#endif
using vector = std::uint64_t __attribute__((vector_size(vector_bytes)));
constexpr int line_vectors = 64 / vector_bytes;

template <bool FourPlaces>
class reader final : public warpfold::host::ordered_work {
  public:
    reader(vector const* lines, bool past_caches) : lines_{lines}, past_caches_{past_caches} {}

    void run(warpfold::index_t begin, warpfold::index_t end) override {
        auto const quarter = (end - begin) / 4;
        vector bits[4] = {};
        for (warpfold::index_t i = 0; i < quarter; ++i) {
            for (int k = 0; k < 4; ++k) {
                auto const* const from = lines_ + line_vectors * (begin + (FourPlaces ? k * quarter + i : 4 * i + k));
                if (past_caches_) __builtin_prefetch(from + 64 * line_vectors, 0, 0);
                else __builtin_prefetch(from + 64 * line_vectors);
                for (int v = 0; v < line_vectors; ++v) bits[k] |= from[v];
            }
        }
        bits_ |= bits[0] | bits[1] | bits[2] | bits[3];
    }
    std::unique_ptr<ordered_work> split() const override { return std::make_unique<reader>(lines_, past_caches_); }
    void join(ordered_work& later) override { bits_ |= static_cast<reader&>(later).bits_; }

    std::uint64_t bits() const {
        std::uint64_t all = 0;
        for (std::size_t i = 0; i < sizeof(vector) / sizeof(all); ++i) all |= bits_[i];
        return all;
    }

  private:
    vector const* lines_;
    bool past_caches_;
    vector bits_ = {};
};

template <bool FourPlaces>
std::uint64_t read(void const* data, std::size_t bytes) {
    auto const address = reinterpret_cast<std::uintptr_t>(data), first = (address + 63) / 64;
    // What no cache holds is asked for past them (Zen 5, 1 GiB: 1.03 times as fast). 256 KiB at a time: as fast as 64 KiB or 1 MiB
    // from 64 MiB of items on, faster below.
    reader<FourPlaces> work{reinterpret_cast<vector const*>(first * 64), bytes >= std::size_t{1} << 28};
    warpfold::host::run_parallel(work, 0, static_cast<warpfold::index_t>((address + bytes) / 64 - first), 1 << 12, 0);
    return work.bits();
}

}  // namespace

std::uint64_t read_from_one_place(void const* data, std::size_t bytes) { return read<false>(data, bytes); }
std::uint64_t read_from_four_places(void const* data, std::size_t bytes) { return read<true>(data, bytes); }
