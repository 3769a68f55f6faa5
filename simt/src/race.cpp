#include "race.hpp"

#include <sys/mman.h>

#include <new>

namespace simt::detail {

shadow::shadow(std::size_t bytes) {
    constexpr std::size_t bytes_a_run = words_a_run * word_bytes;
    count_ = (bytes + bytes_a_run - 1) / bytes_a_run * words_a_run;
    if (count_ == 0) return;
    void* const pages = ::mmap(nullptr, count_ * sizeof(shadow_word), PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED) throw std::bad_alloc();
    // A word is read before it is written: with small pages that is two faults for each 64 words, the second with a
    // word to every core, and half of the time of a checked kernel. A system without huge pages says no and is merely
    // slower.
    ::madvise(pages, count_ * sizeof(shadow_word), MADV_HUGEPAGE);
    words_ = static_cast<shadow_word*>(pages);
}

shadow::~shadow() {
    if (words_ != nullptr) ::munmap(words_, count_ * sizeof(shadow_word));
}

}  // namespace simt::detail
