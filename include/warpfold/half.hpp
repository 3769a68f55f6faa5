// The 16-bit floats, float16 and bfloat16.
#pragma once

#include "types.hpp"

namespace warpfold {

template <>
struct float_format<float16> {
    using bits = std::uint16_t;
    static constexpr int significand_bits = 10, exponent_bits = 5;
};
template <>
struct float_format<bfloat16> {
    using bits = std::uint16_t;
    static constexpr int significand_bits = 7, exponent_bits = 8;
};

/// IEEE 754 binary16: storage and an exact conversion to float.
struct float16 {
    std::uint16_t bits;

    WARPFOLD_HD explicit operator float() const {
#if defined(__CUDA_ARCH__)
        float value;  // one instruction, where what follows takes ten
        asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
        return value;
#else
        std::uint32_t const sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16;
        std::uint32_t const magnitude = bits & 0x7fffU;
        if (magnitude >= 0x7c00U) return bits_as<float>(sign | 0x7f800000U | (magnitude & 0x3ffU) << 13);
        if (magnitude >= 0x400U) return bits_as<float>(sign | ((magnitude << 13) + (112U << 23)));
        // Subnormal: magnitude counts units of 2^-24, which the product represents exactly.
        float const value = static_cast<float>(magnitude) * 0x1p-24F;
        return sign ? -value : value;
#endif
    }
};

/// The upper half of an IEEE 754 binary32: storage and an exact conversion to float.
struct bfloat16 {
    std::uint16_t bits;

    WARPFOLD_HD explicit operator float() const { return bits_as<float>(static_cast<std::uint32_t>(bits) << 16); }
};

}  // namespace warpfold

#if WARPFOLD_DEVICE
#include "device/lanes/half_views.hpp"
#endif
