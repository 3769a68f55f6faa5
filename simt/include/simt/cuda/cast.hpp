// Bit casts, and conversions with a named rounding.
#pragma once

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>

inline int __float_as_int(float x) {
    return std::bit_cast<int>(x);
}
inline unsigned __float_as_uint(float x) {
    return std::bit_cast<unsigned>(x);
}
inline float __int_as_float(int x) {
    return std::bit_cast<float>(x);
}
inline float __uint_as_float(unsigned x) {
    return std::bit_cast<float>(x);
}
inline long long __double_as_longlong(double x) {
    return std::bit_cast<long long>(x);
}
inline double __longlong_as_double(long long x) {
    return std::bit_cast<double>(x);
}
inline int __double2hiint(double x) {
    return static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 32);
}
inline int __double2loint(double x) {
    return static_cast<int>(std::bit_cast<std::uint64_t>(x));
}
inline double __hiloint2double(int high, int low) {
    return std::bit_cast<double>(std::uint64_t{static_cast<std::uint32_t>(high)} << 32 |
                                 static_cast<std::uint32_t>(low));
}

namespace simt::detail {

// A value that the compiler cannot know, nor read earlier or later than here.
template <class T>
T opaque(T value) {
    T volatile kept = value;
    return kept;
}

// Evaluates `compute` under a rounding direction, which the compiler does not know of.
template <class Compute, class... Operands>
auto rounded(int direction, Compute compute, Operands... operands) {
    int const before = std::fegetround();
    std::fesetround(direction);
    auto const result = opaque(compute(opaque(operands)...));
    std::fesetround(before);
    return result;
}

// As the device converts: out of range saturates, NaN gives zero (INT_MIN's pattern for 64-bit results).
template <class Integer, class Float>
Integer to_integer(Float x) {
    using limits = std::numeric_limits<Integer>;
    if (std::isnan(x)) return sizeof(Integer) == 8 ? static_cast<Integer>(std::uint64_t{1} << 63) : Integer{0};
    if (x <= static_cast<Float>(limits::min())) return limits::min();
    // max + 1 is a power of two, exact in any Float
    if (x >= std::ldexp(Float{1}, limits::digits)) return limits::max();
    return static_cast<Integer>(x);
}

}  // namespace simt::detail

inline float __double2float_rn(double x) {
    return static_cast<float>(x);
}
inline float __double2float_rz(double x) {
    return simt::detail::rounded(
        FE_TOWARDZERO, [](double v) { return static_cast<float>(v); }, x);
}
inline float __double2float_ru(double x) {
    return simt::detail::rounded(
        FE_UPWARD, [](double v) { return static_cast<float>(v); }, x);
}
inline float __double2float_rd(double x) {
    return simt::detail::rounded(
        FE_DOWNWARD, [](double v) { return static_cast<float>(v); }, x);
}
inline float __int2float_rn(int x) {
    return static_cast<float>(x);
}
inline float __int2float_rz(int x) {
    return simt::detail::rounded(
        FE_TOWARDZERO, [](int v) { return static_cast<float>(v); }, x);
}
inline float __int2float_ru(int x) {
    return simt::detail::rounded(
        FE_UPWARD, [](int v) { return static_cast<float>(v); }, x);
}
inline float __int2float_rd(int x) {
    return simt::detail::rounded(
        FE_DOWNWARD, [](int v) { return static_cast<float>(v); }, x);
}
inline float __uint2float_rn(unsigned x) {
    return static_cast<float>(x);
}
inline float __uint2float_rz(unsigned x) {
    return simt::detail::rounded(
        FE_TOWARDZERO, [](unsigned v) { return static_cast<float>(v); }, x);
}
inline float __uint2float_ru(unsigned x) {
    return simt::detail::rounded(
        FE_UPWARD, [](unsigned v) { return static_cast<float>(v); }, x);
}
inline float __uint2float_rd(unsigned x) {
    return simt::detail::rounded(
        FE_DOWNWARD, [](unsigned v) { return static_cast<float>(v); }, x);
}
inline float __ll2float_rn(long long x) {
    return static_cast<float>(x);
}
inline float __ll2float_rz(long long x) {
    return simt::detail::rounded(
        FE_TOWARDZERO, [](long long v) { return static_cast<float>(v); }, x);
}
inline float __ll2float_ru(long long x) {
    return simt::detail::rounded(
        FE_UPWARD, [](long long v) { return static_cast<float>(v); }, x);
}
inline float __ll2float_rd(long long x) {
    return simt::detail::rounded(
        FE_DOWNWARD, [](long long v) { return static_cast<float>(v); }, x);
}
inline double __ll2double_rn(long long x) {
    return static_cast<double>(x);
}
inline double __ll2double_rz(long long x) {
    return simt::detail::rounded(
        FE_TOWARDZERO, [](long long v) { return static_cast<double>(v); }, x);
}
inline double __ll2double_ru(long long x) {
    return simt::detail::rounded(
        FE_UPWARD, [](long long v) { return static_cast<double>(v); }, x);
}
inline double __ll2double_rd(long long x) {
    return simt::detail::rounded(
        FE_DOWNWARD, [](long long v) { return static_cast<double>(v); }, x);
}
inline float __ull2float_rn(unsigned long long x) {
    return static_cast<float>(x);
}
inline float __ull2float_rz(unsigned long long x) {
    return simt::detail::rounded(
        FE_TOWARDZERO, [](unsigned long long v) { return static_cast<float>(v); }, x);
}
inline float __ull2float_ru(unsigned long long x) {
    return simt::detail::rounded(
        FE_UPWARD, [](unsigned long long v) { return static_cast<float>(v); }, x);
}
inline float __ull2float_rd(unsigned long long x) {
    return simt::detail::rounded(
        FE_DOWNWARD, [](unsigned long long v) { return static_cast<float>(v); }, x);
}
inline double __ull2double_rn(unsigned long long x) {
    return static_cast<double>(x);
}
inline double __ull2double_rz(unsigned long long x) {
    return simt::detail::rounded(
        FE_TOWARDZERO, [](unsigned long long v) { return static_cast<double>(v); }, x);
}
inline double __ull2double_ru(unsigned long long x) {
    return simt::detail::rounded(
        FE_UPWARD, [](unsigned long long v) { return static_cast<double>(v); }, x);
}
inline double __ull2double_rd(unsigned long long x) {
    return simt::detail::rounded(
        FE_DOWNWARD, [](unsigned long long v) { return static_cast<double>(v); }, x);
}
inline double __int2double_rn(int x) {
    return x;
}
inline double __uint2double_rn(unsigned x) {
    return x;
}

inline int __float2int_rn(float x) {
    return simt::detail::to_integer<int>(std::nearbyint(x));
}
inline int __float2int_rz(float x) {
    return simt::detail::to_integer<int>(std::trunc(x));
}
inline int __float2int_ru(float x) {
    return simt::detail::to_integer<int>(std::ceil(x));
}
inline int __float2int_rd(float x) {
    return simt::detail::to_integer<int>(std::floor(x));
}
inline unsigned __float2uint_rn(float x) {
    return simt::detail::to_integer<unsigned>(std::nearbyint(x));
}
inline unsigned __float2uint_rz(float x) {
    return simt::detail::to_integer<unsigned>(std::trunc(x));
}
inline unsigned __float2uint_ru(float x) {
    return simt::detail::to_integer<unsigned>(std::ceil(x));
}
inline unsigned __float2uint_rd(float x) {
    return simt::detail::to_integer<unsigned>(std::floor(x));
}
inline long long __float2ll_rn(float x) {
    return simt::detail::to_integer<long long>(std::nearbyint(x));
}
inline long long __float2ll_rz(float x) {
    return simt::detail::to_integer<long long>(std::trunc(x));
}
inline long long __float2ll_ru(float x) {
    return simt::detail::to_integer<long long>(std::ceil(x));
}
inline long long __float2ll_rd(float x) {
    return simt::detail::to_integer<long long>(std::floor(x));
}
inline unsigned long long __float2ull_rn(float x) {
    return simt::detail::to_integer<unsigned long long>(std::nearbyint(x));
}
inline unsigned long long __float2ull_rz(float x) {
    return simt::detail::to_integer<unsigned long long>(std::trunc(x));
}
inline unsigned long long __float2ull_ru(float x) {
    return simt::detail::to_integer<unsigned long long>(std::ceil(x));
}
inline unsigned long long __float2ull_rd(float x) {
    return simt::detail::to_integer<unsigned long long>(std::floor(x));
}
inline int __double2int_rn(double x) {
    return simt::detail::to_integer<int>(std::nearbyint(x));
}
inline int __double2int_rz(double x) {
    return simt::detail::to_integer<int>(std::trunc(x));
}
inline int __double2int_ru(double x) {
    return simt::detail::to_integer<int>(std::ceil(x));
}
inline int __double2int_rd(double x) {
    return simt::detail::to_integer<int>(std::floor(x));
}
inline unsigned __double2uint_rn(double x) {
    return simt::detail::to_integer<unsigned>(std::nearbyint(x));
}
inline unsigned __double2uint_rz(double x) {
    return simt::detail::to_integer<unsigned>(std::trunc(x));
}
inline unsigned __double2uint_ru(double x) {
    return simt::detail::to_integer<unsigned>(std::ceil(x));
}
inline unsigned __double2uint_rd(double x) {
    return simt::detail::to_integer<unsigned>(std::floor(x));
}
inline long long __double2ll_rn(double x) {
    return simt::detail::to_integer<long long>(std::nearbyint(x));
}
inline long long __double2ll_rz(double x) {
    return simt::detail::to_integer<long long>(std::trunc(x));
}
inline long long __double2ll_ru(double x) {
    return simt::detail::to_integer<long long>(std::ceil(x));
}
inline long long __double2ll_rd(double x) {
    return simt::detail::to_integer<long long>(std::floor(x));
}
inline unsigned long long __double2ull_rn(double x) {
    return simt::detail::to_integer<unsigned long long>(std::nearbyint(x));
}
inline unsigned long long __double2ull_rz(double x) {
    return simt::detail::to_integer<unsigned long long>(std::trunc(x));
}
inline unsigned long long __double2ull_ru(double x) {
    return simt::detail::to_integer<unsigned long long>(std::ceil(x));
}
inline unsigned long long __double2ull_rd(double x) {
    return simt::detail::to_integer<unsigned long long>(std::floor(x));
}
