#include "read_limit.hpp"

#include <warpfold/host/parallel.hpp>

namespace {

class reader final : public warpfold::host::ordered_work {
  public:
    explicit reader(std::uint64_t const* words) : words_{words} {}

    void run(warpfold::index_t begin, warpfold::index_t end) override {
        std::uint64_t bits[32] = {};
        for (warpfold::index_t i = 8 * begin; i < 8 * end; i += 32) {
            for (int k = 0; k < 32; k += 8) __builtin_prefetch(words_ + i + k + 512);
            for (int k = 0; k < 32; ++k) bits[k] |= words_[i + k];
        }
        for (auto const b : bits) bits_ |= b;
    }
    std::unique_ptr<ordered_work> split() const override { return std::make_unique<reader>(words_); }
    void join(ordered_work& later) override { bits_ |= static_cast<reader&>(later).bits_; }

    std::uint64_t bits() const { return bits_; }

  private:
    std::uint64_t const* words_;
    std::uint64_t bits_ = 0;
};

}  // namespace

std::uint64_t read_all(void const* data, std::size_t bytes) {
    // In words of 64 bytes, 256 KiB at a time: as fast as 64 KiB or 1 MiB from 64 MiB of items on, faster below.
    reader work{static_cast<std::uint64_t const*>(data)};
    warpfold::host::run_parallel(work, 0, static_cast<warpfold::index_t>(bytes / 64), 1 << 12, 0);
    return work.bits();
}
