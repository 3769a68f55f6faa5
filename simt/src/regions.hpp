// The registered global memory of the program.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "race.hpp"

namespace simt::detail {

struct region {
    region(std::uintptr_t address, std::size_t size, std::string label, bool is_written);

    void mark_written(std::uintptr_t address, std::size_t count);
    // Held while a word's shadow changes: blocks on other host threads touch the same memory.
    [[nodiscard]] std::atomic_flag& lock_of(std::size_t word) { return locks[word / 16 % locks.size()].held; }

    std::uintptr_t low;
    std::size_t bytes;
    std::string name;
    shadow words;
    // Per word, which bytes were ever written; null where all count as written.
    std::unique_ptr<std::atomic<std::uint8_t>[]> written;
    // A line of the cache each: host threads at neighbouring blocks would take the line from each other at every
    // access.
    struct alignas(64) line_of_lock {
        std::atomic_flag held;
    };
    std::array<line_of_lock, 256> locks{};
};

// The regions that lived when it was made, by address. Registering during a launch does not change it.
class region_map {
  public:
    [[nodiscard]] static region_map of_program();
    // The region that holds the address, or null.
    [[nodiscard]] region* find(std::uintptr_t address) const;
    // The region whose end is nearest below or whose begin is nearest above, or null.
    [[nodiscard]] region* nearest(std::uintptr_t address) const;

  private:
    std::vector<region*> sorted_;
};

// The part of the program's image that holds constants, and its lowest address.
struct program_image {
    std::uintptr_t base = 0;
    std::vector<std::pair<std::uintptr_t, std::size_t>> constants;

    [[nodiscard]] bool is_constant(std::uintptr_t address) const;
};
[[nodiscard]] program_image const& image();
// The calling host thread's copy of the program's thread-local storage, which holds all __shared__ variables.
[[nodiscard]] std::pair<std::uintptr_t, std::size_t> thread_local_range();

}  // namespace simt::detail
