// Items for device tests: every kind that takes another path through a lane.
#pragma once

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "warpfold/half.hpp"

namespace items {

/// Items side by side: std::vector packs those of bool, and has no data() then.
template <class T>
using list = std::conditional_t<std::is_same_v<T, bool>, std::basic_string<bool>, std::vector<T>>;

enum class kind { uniform, normal, bit_patterns, finite_patterns, large, tiny, mixed_scales, negative_zeros, special, few_special, equal };
inline constexpr kind kinds[] = {kind::uniform, kind::normal, kind::bit_patterns, kind::finite_patterns, kind::large, kind::tiny,
                                 kind::mixed_scales, kind::negative_zeros, kind::special, kind::few_special, kind::equal};

template <class T>
T from_bits(std::uint64_t bits) {
    if constexpr (wf::is_float<T>) return wf::bits_as<T>(static_cast<typename wf::float_format<T>::bits>(bits));
    else return static_cast<T>(bits);
}
/// The float of the other sign.
template <class T>
T negative(T x) {
    using bits = typename wf::float_format<T>::bits;
    return from_bits<T>(wf::bits_as<bits>(x) ^ (bits{1} << (8 * sizeof(T) - 1)));
}
/// The greatest and the least of all items: infinities, of floats.
template <class T>
T highest() {
    if constexpr (wf::is_float<T>) return from_bits<T>(wf::infinity_bits<T>);
    else return wf::highest_of<T>;
}
template <class T>
T lowest() {
    if constexpr (wf::is_float<T>) return negative(highest<T>());
    else return wf::lowest_of<T>;
}
template <class T>
T nan() {
    return from_bits<T>(wf::infinity_bits<T> + 1);
}
/// The nearest item below or at x in magnitude.
template <class T>
T from_double(double x) {
    if constexpr (std::is_same_v<T, wf::bfloat16>) {
        return {static_cast<std::uint16_t>(wf::bits_as<std::uint32_t>(static_cast<float>(x)) >> 16)};
    } else if constexpr (std::is_same_v<T, wf::float16>) {
        double const m = std::fabs(x);
        std::uint16_t const sign = std::signbit(x) ? 0x8000 : 0;
        if (m >= 65504) return {static_cast<std::uint16_t>(sign | 0x7bff)};
        int e;
        std::frexp(m, &e);
        int const field = m == 0 || e < -13 ? 0 : e + 14;
        double const unit = std::ldexp(1.0, (field ? field : 1) - 25);
        auto const units = static_cast<std::uint16_t>(m / unit);
        return {static_cast<std::uint16_t>(sign | (field ? (field - 1) * 1024 + units : units))};
    } else {
        return static_cast<T>(x);
    }
}

template <class T>
list<T> make(std::size_t n, kind k, unsigned seed) {
    std::mt19937_64 random{seed};
    std::uniform_real_distribution<double> uniform{0, 1};
    std::normal_distribution<double> normal;
    list<T> x(n, T{});
    for (auto& v : x) {
        if constexpr (std::is_same_v<T, bool>) {
            v = k == kind::equal || random() % (k == kind::uniform ? 100 : 2);
        } else if constexpr (!wf::is_float<T>) {
            v = k == kind::equal ? static_cast<T>(7) : k == kind::uniform ? static_cast<T>(random() % 100) : static_cast<T>(random());
        } else {
            std::uint64_t const inf = wf::infinity_bits<T>;
            switch (k) {
                case kind::uniform: v = from_double<T>(uniform(random)); break;
                case kind::normal: v = from_double<T>(normal(random)); break;
                case kind::bit_patterns: v = from_bits<T>(random()); break;
                case kind::large: v = from_double<T>(normal(random) * 1e20); break;
                case kind::tiny: v = from_double<T>(normal(random) * 1e-30); break;
                case kind::mixed_scales: v = from_double<T>(normal(random) * std::ldexp(1.0, static_cast<int>(random() % 60) - 30)); break;
                case kind::negative_zeros: v = from_double<T>(-0.0); break;
                case kind::equal: v = from_double<T>(-1.25); break;
                case kind::finite_patterns:
                    do v = from_bits<T>(random());
                    while (wf::magnitude_bits(v) >= inf);
                    break;
                case kind::special:
                    v = random() % 4 ? from_double<T>(normal(random)) : from_bits<T>(inf + (random() % 2) + (static_cast<std::uint64_t>(random() % 2) << (8 * sizeof(T) - 1)));
                    break;
                case kind::few_special:
                    v = from_double<T>(normal(random) * 30);
                    if (random() % (n + 1) == 0) v = from_bits<T>(inf + random() % 2);
                    break;
            }
        }
    }
    return x;
}

}  // namespace items
