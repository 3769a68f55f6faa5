// Small random numbers for schedules: splitmix64, by Steele, Lea and Flood (2014).
#pragma once

#include <cstdint>

namespace simt::detail {

inline std::uint64_t next_random(std::uint64_t& state) {
    std::uint64_t x = state += 0x9e3779b97f4a7c15U;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27) * 0x94d049bb133111ebU;
    return x ^ x >> 31;
}

// A state that depends on every bit of both.
inline std::uint64_t mix(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t state = seed;
    state = next_random(state) ^ index;
    return next_random(state);
}

}  // namespace simt::detail
