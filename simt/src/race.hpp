// Shadow memory: who touched each word of four bytes last, and whether two of them were unordered.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "happens_before.hpp"

namespace simt::detail {

inline constexpr std::size_t word_bytes = 4;

// One remembered access; a block of 0 is none. Whole words: bit fields are put together in memory, and reading them
// back at once as a word waits until they are there, which was a third of the time of a check.
class touch {
  public:
    touch() = default;
    touch(moment at, std::uint32_t from, unsigned mask, bool writes)
        : block(at.block),
          epoch(at.epoch),
          code(from),
          rest_(at.thread | mask << 10 | unsigned{writes} << 14 | unsigned{at.is_atomic} << 15) {}

    std::uint32_t block = 0;
    std::uint32_t epoch = 0;
    std::uint32_t code = 0;  // offset of the access in the program
    [[nodiscard]] unsigned thread() const { return rest_ & 0x3ffU; }
    [[nodiscard]] unsigned bytes() const { return rest_ >> 10 & 0xfU; }  // which of the word's bytes
    [[nodiscard]] bool is_write() const { return (rest_ >> 14 & 1U) != 0; }
    [[nodiscard]] bool is_atomic() const { return (rest_ >> 15 & 1U) != 0; }
    [[nodiscard]] moment when() const { return {block, thread(), epoch, is_atomic()}; }

  private:
    std::uint32_t rest_ = 0;
};

// Four touches a word: with the last write and two reads by different threads, any later access that is unordered with
// an earlier one is unordered with one that is kept, except after a fourth concurrent reader.
struct alignas(64) shadow_word {
    touch touches[4];
};
static_assert(sizeof(shadow_word) == 64);

// The blocks, by number, whose accesses may be unordered with the present: those of this launch in global memory, the
// block itself in shared memory.
struct block_range {
    std::uint32_t first, last;
};

// Remembers `mine` and returns an earlier conflicting access that nothing orders before it, or none.
inline touch remember(shadow_word& word, touch mine, block_range present, clocks const& order) {
    touch conflict;
    touch* replaced = nullptr;
    touch* free = nullptr;
    touch* read = nullptr;
    for (touch& old : word.touches) {
        if (old.block < present.first || old.block > present.last) {
            if (free == nullptr) free = &old;
            continue;
        }
        if (!old.is_write()) read = &old;
        if ((old.bytes() & mine.bytes()) == 0) continue;
        bool const covered = (old.bytes() & ~mine.bytes()) == 0 && (mine.is_write() || !old.is_write()) &&
                             (old.is_atomic() || !mine.is_atomic());
        bool const conflicts = (mine.is_write() || old.is_write()) && !(mine.is_atomic() && old.is_atomic());
        if (!covered && !conflicts) continue;
        bool const ordered = order.ordered(old.when(), mine.thread());
        if (conflicts && !ordered) conflict = old;
        if (covered && ordered) {
            if (replaced == nullptr) {
                replaced = &old;
            } else {
                old = touch{};  // what `mine` stands for need not be kept twice
            }
        }
    }
    touch* slot = replaced != nullptr ? replaced : free;
    if (slot == nullptr) slot = read != nullptr ? read : &word.touches[mine.epoch % 4];
    *slot = mine;
    return conflict;
}

// Shadow of a range of memory: zero pages of the system until touched.
class shadow {
  public:
    shadow() = default;
    explicit shadow(std::size_t bytes);
    shadow(shadow const&) = delete;
    shadow& operator=(shadow const&) = delete;
    ~shadow();

    // Strides of kernels are powers of two: at its own place every word of a column would fall into the same few lines
    // of each cache, so that a checked grid-stride loop found none of them again. Each run of words is mixed within
    // itself, by its number.
    [[nodiscard]] shadow_word& operator[](std::size_t word) const {
        constexpr std::size_t golden = 0x9e3779b97f4a7c15;
        std::size_t const mix = word / words_a_run * golden >> (64 - std::countr_zero(words_a_run));
        return words_[word ^ mix];
    }

  private:
    static constexpr std::size_t words_a_run = 2048;

    shadow_word* words_ = nullptr;
    std::size_t count_ = 0;
};

}  // namespace simt::detail
