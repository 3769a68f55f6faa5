#include "race.hpp"

#include <sys/mman.h>

#include <new>

namespace simt::detail {

std::optional<touch> remember(shadow_word& word, touch const& mine, block_range present, clocks const& order) {
    std::optional<touch> conflict;
    touch* replaced = nullptr;
    touch* free = nullptr;
    touch* read = nullptr;
    for (touch& old : word.touches) {
        if (old.block < present.first || old.block > present.last) {
            if (free == nullptr) free = &old;
            continue;
        }
        if (!old.is_write) read = &old;
        if ((old.bytes & mine.bytes) == 0) continue;
        bool const covered =
            (old.bytes & ~mine.bytes) == 0 && (mine.is_write || !old.is_write) && (old.is_atomic || !mine.is_atomic);
        bool const conflicts = (mine.is_write || old.is_write) && !(mine.is_atomic && old.is_atomic);
        if (!covered && !conflicts) continue;
        bool const ordered = order.ordered(old.when(), mine.thread);
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

shadow::shadow(std::size_t bytes) {
    constexpr std::size_t bytes_a_run = words_a_run * word_bytes;
    count_ = (bytes + bytes_a_run - 1) / bytes_a_run * words_a_run;
    if (count_ == 0) return;
    void* const pages = ::mmap(nullptr, count_ * sizeof(shadow_word), PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED) throw std::bad_alloc();
    // A word is read before it is written: with small pages that is two faults for each 64 words, the second with a word
    // to every core, and half of the time of a checked kernel. A system without huge pages says no and is merely slower.
    ::madvise(pages, count_ * sizeof(shadow_word), MADV_HUGEPAGE);
    words_ = static_cast<shadow_word*>(pages);
}

shadow::~shadow() {
    if (words_ != nullptr) ::munmap(words_, count_ * sizeof(shadow_word));
}

}  // namespace simt::detail
