// Reproducible random bits and item values for tests.
#pragma once

#include <cstdint>

#include "warpfold/half.hpp"

namespace testing_data {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int slowdown = 25;  // sanitizers look for what a few cases show as well
#else
inline constexpr int slowdown = 1;
#endif

/// How many of `full` cases this build tries.
constexpr std::int64_t cases(std::int64_t full) { return full / slowdown; }

/// splitmix64: https://prng.di.unimi.it/splitmix64.c, public domain.
class random_bits {
  public:
    using result_type = std::uint64_t;
    explicit random_bits(std::uint64_t seed) : state_{seed} {}

    std::uint64_t operator()() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31);
    }
    static constexpr std::uint64_t min() { return 0; }
    static constexpr std::uint64_t max() { return ~std::uint64_t{0}; }

    /// Uniform in [low, high].
    int between(int low, int high) {
        return low + static_cast<int>((*this)() % (static_cast<std::uint64_t>(high - low) + 1));
    }
    bool chance(int one_in) { return between(1, one_in) == 1; }

  private:
    std::uint64_t state_;
};

template <class T>
T from_bits(std::uint64_t bits) {
    return wf::bits_as<T>(static_cast<typename wf::float_format<T>::bits>(bits));
}
template <class T>
inline constexpr int width = static_cast<int>(8 * sizeof(T));
template <class T>
inline constexpr int largest_field = (1 << wf::float_format<T>::exponent_bits) - 2;

/// ±significand field · 2^…, by the fields of its encoding.
template <class T>
T from_fields(bool negative, int exponent_field, std::uint64_t fraction) {
    using format = wf::float_format<T>;
    fraction &= (std::uint64_t{1} << format::significand_bits) - 1;
    return from_bits<T>(static_cast<std::uint64_t>(negative) << (width<T> - 1) |
                        static_cast<std::uint64_t>(exponent_field) << format::significand_bits | fraction);
}
/// ±2^exponent, for any exponent that T has, subnormal ones too.
template <class T>
T power_of_two(bool negative, int exponent) {
    int const field = exponent - wf::exponent_range<T>::low - wf::float_format<T>::significand_bits + 1;
    if (field >= 1) return from_fields<T>(negative, field, 0);
    return from_fields<T>(negative, 0, std::uint64_t{1} << (exponent - wf::exponent_range<T>::low));
}
template <class T>
T negate(T x) {
    return from_bits<T>(std::uint64_t{wf::bits_as<typename wf::float_format<T>::bits>(x)} ^ std::uint64_t{1} << (width<T> - 1));
}

/// Any finite item, all encodings alike.
template <class T>
T any_finite(random_bits& random) {
    std::uint64_t const r = random();
    return from_fields<T>(r & 1, random.between(0, largest_field<T>), r >> 1);
}
/// The nearest T to a small integer or float value, cut towards zero.
template <class T>
T item_of(double value) {
    if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float> || wf::is_integer<T>) {
        return static_cast<T>(value);
    } else if constexpr (std::is_same_v<T, wf::bfloat16>) {
        return wf::bfloat16{static_cast<std::uint16_t>(wf::bits_as<std::uint32_t>(static_cast<float>(value)) >> 16)};
    } else {
        if (value == 0) return from_bits<T>(value == 0 && wf::is_negative(value) ? 0x8000U : 0U);
        auto const bits = wf::bits_as<std::uint64_t>(value);
        int const field = static_cast<int>(bits >> 52 & 0x7ff) - 1023 + 15;
        if (field >= 31) return from_fields<T>(value < 0, 31, 0);
        if (field < 1) return from_fields<T>(value < 0, 0, 0);
        return from_fields<T>(value < 0, field, bits >> 42 & 0x3ff);
    }
}

}  // namespace testing_data
