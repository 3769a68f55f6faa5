// CUDA's arithmetic intrinsics and the mathematical functions that the host's <cmath> does not have.
#pragma once

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>

#include "simt/cuda/cast.hpp"

using std::isfinite;
using std::isinf;
using std::isnan;
using std::signbit;

inline int min(int a, int b) {
    return std::min(a, b);
}
inline unsigned min(unsigned a, unsigned b) {
    return std::min(a, b);
}
inline long min(long a, long b) {
    return std::min(a, b);
}
inline unsigned long min(unsigned long a, unsigned long b) {
    return std::min(a, b);
}
inline long long min(long long a, long long b) {
    return std::min(a, b);
}
inline unsigned long long min(unsigned long long a, unsigned long long b) {
    return std::min(a, b);
}
inline float min(float a, float b) {
    return std::fmin(a, b);
}
inline double min(double a, double b) {
    return std::fmin(a, b);
}
inline int max(int a, int b) {
    return std::max(a, b);
}
inline unsigned max(unsigned a, unsigned b) {
    return std::max(a, b);
}
inline long max(long a, long b) {
    return std::max(a, b);
}
inline unsigned long max(unsigned long a, unsigned long b) {
    return std::max(a, b);
}
inline long long max(long long a, long long b) {
    return std::max(a, b);
}
inline unsigned long long max(unsigned long long a, unsigned long long b) {
    return std::max(a, b);
}
inline float max(float a, float b) {
    return std::fmax(a, b);
}
inline double max(double a, double b) {
    return std::fmax(a, b);
}

inline int __popc(unsigned x) {
    return std::popcount(x);
}
inline int __popcll(unsigned long long x) {
    return std::popcount(x);
}
inline int __clz(int x) {
    return std::countl_zero(static_cast<unsigned>(x));
}
inline int __clzll(long long x) {
    return std::countl_zero(static_cast<unsigned long long>(x));
}
inline int __ffs(int x) {
    return x == 0 ? 0 : std::countr_zero(static_cast<unsigned>(x)) + 1;
}
inline int __ffsll(long long x) {
    return x == 0 ? 0 : std::countr_zero(static_cast<unsigned long long>(x)) + 1;
}
inline unsigned __brev(unsigned x) {
    unsigned reversed = 0;
    for (int bit = 0; bit < 32; ++bit) reversed |= (x >> bit & 1U) << (31 - bit);
    return reversed;
}
inline unsigned long long __brevll(unsigned long long x) {
    return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 |
           __brev(static_cast<unsigned>(x >> 32));
}
// Bytes of the pair (y, x), each chosen by a nibble of `selector`; a nibble's high bit spreads the byte's sign.
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    std::uint64_t const bytes = std::uint64_t{y} << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i) {
        unsigned const nibble = selector >> (4 * i) & 0xfU;
        unsigned byte = static_cast<unsigned>(bytes >> (8 * (nibble & 7U))) & 0xffU;
        if (nibble & 8U) byte = byte & 0x80U ? 0xffU : 0U;
        result |= byte << (8 * i);
    }
    return result;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>((std::uint64_t{high} << 32 | low) << (shift & 31U) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>((std::uint64_t{high} << 32 | low) >> (shift & 31U));
}
inline int __mulhi(int a, int b) {
    return static_cast<int>(static_cast<long long>(a) * b >> 32);
}
inline unsigned __umulhi(unsigned a, unsigned b) {
    return static_cast<unsigned>(std::uint64_t{a} * b >> 32);
}
inline long long __mul64hi(long long a, long long b) {
    __extension__ using wide = __int128;
    return static_cast<long long>(static_cast<wide>(a) * b >> 64);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    __extension__ using wide = unsigned __int128;
    return static_cast<unsigned long long>(static_cast<wide>(a) * b >> 64);
}
inline unsigned __usad(unsigned a, unsigned b, unsigned c) {
    return (a > b ? a - b : b - a) + c;
}

inline float __saturatef(float x) {
    return x > 0.0F ? std::min(x, 1.0F) : 0.0F;
}
inline float rsqrtf(float x) {
    return 1.0F / std::sqrt(x);
}
inline double rsqrt(double x) {
    return 1.0 / std::sqrt(x);
}
inline float __frsqrt_rn(float x) {
    return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x)));
}
inline float __expf(float x) {
    return std::exp(x);
}
inline float __exp10f(float x) {
    return std::pow(10.0F, x);
}
inline float __logf(float x) {
    return std::log(x);
}
inline float __log2f(float x) {
    return std::log2(x);
}
inline float __log10f(float x) {
    return std::log10(x);
}
inline float __powf(float x, float y) {
    return std::pow(x, y);
}
inline float __sinf(float x) {
    return std::sin(x);
}
inline float __cosf(float x) {
    return std::cos(x);
}
inline float __tanf(float x) {
    return std::tan(x);
}
inline float __fdividef(float x, float y) {
    return x / y;
}

inline float __fadd_rn(float a, float b) {
    return a + b;
}
inline float __fadd_rz(float a, float b) {
    return simt::detail::rounded(
        FE_TOWARDZERO, [](float v, float w) { return v + w; }, a, b);
}
inline float __fadd_ru(float a, float b) {
    return simt::detail::rounded(
        FE_UPWARD, [](float v, float w) { return v + w; }, a, b);
}
inline float __fadd_rd(float a, float b) {
    return simt::detail::rounded(
        FE_DOWNWARD, [](float v, float w) { return v + w; }, a, b);
}
inline float __fsub_rn(float a, float b) {
    return a - b;
}
inline float __fsub_rz(float a, float b) {
    return simt::detail::rounded(
        FE_TOWARDZERO, [](float v, float w) { return v - w; }, a, b);
}
inline float __fsub_ru(float a, float b) {
    return simt::detail::rounded(
        FE_UPWARD, [](float v, float w) { return v - w; }, a, b);
}
inline float __fsub_rd(float a, float b) {
    return simt::detail::rounded(
        FE_DOWNWARD, [](float v, float w) { return v - w; }, a, b);
}
inline float __fmul_rn(float a, float b) {
    return a * b;
}
inline float __fmul_rz(float a, float b) {
    return simt::detail::rounded(
        FE_TOWARDZERO, [](float v, float w) { return v * w; }, a, b);
}
inline float __fmul_ru(float a, float b) {
    return simt::detail::rounded(
        FE_UPWARD, [](float v, float w) { return v * w; }, a, b);
}
inline float __fmul_rd(float a, float b) {
    return simt::detail::rounded(
        FE_DOWNWARD, [](float v, float w) { return v * w; }, a, b);
}
inline float __fdiv_rn(float a, float b) {
    return a / b;
}
inline float __fdiv_rz(float a, float b) {
    return simt::detail::rounded(
        FE_TOWARDZERO, [](float v, float w) { return v / w; }, a, b);
}
inline float __fdiv_ru(float a, float b) {
    return simt::detail::rounded(
        FE_UPWARD, [](float v, float w) { return v / w; }, a, b);
}
inline float __fdiv_rd(float a, float b) {
    return simt::detail::rounded(
        FE_DOWNWARD, [](float v, float w) { return v / w; }, a, b);
}
inline float __fmaf_rn(float a, float b, float c) {
    return std::fma(a, b, c);
}
inline float __fsqrt_rn(float a) {
    return std::sqrt(a);
}
inline float __frcp_rn(float a) {
    return 1.0F / a;
}
inline float __fmaf_rz(float a, float b, float c) {
    return simt::detail::rounded(
        FE_TOWARDZERO, [](float u, float v, float w) { return std::fma(u, v, w); }, a, b, c);
}
inline float __fmaf_ru(float a, float b, float c) {
    return simt::detail::rounded(
        FE_UPWARD, [](float u, float v, float w) { return std::fma(u, v, w); }, a, b, c);
}
inline float __fmaf_rd(float a, float b, float c) {
    return simt::detail::rounded(
        FE_DOWNWARD, [](float u, float v, float w) { return std::fma(u, v, w); }, a, b, c);
}
inline double __dadd_rn(double a, double b) {
    return a + b;
}
inline double __dadd_rz(double a, double b) {
    return simt::detail::rounded(
        FE_TOWARDZERO, [](double v, double w) { return v + w; }, a, b);
}
inline double __dadd_ru(double a, double b) {
    return simt::detail::rounded(
        FE_UPWARD, [](double v, double w) { return v + w; }, a, b);
}
inline double __dadd_rd(double a, double b) {
    return simt::detail::rounded(
        FE_DOWNWARD, [](double v, double w) { return v + w; }, a, b);
}
inline double __dsub_rn(double a, double b) {
    return a - b;
}
inline double __dsub_rz(double a, double b) {
    return simt::detail::rounded(
        FE_TOWARDZERO, [](double v, double w) { return v - w; }, a, b);
}
inline double __dsub_ru(double a, double b) {
    return simt::detail::rounded(
        FE_UPWARD, [](double v, double w) { return v - w; }, a, b);
}
inline double __dsub_rd(double a, double b) {
    return simt::detail::rounded(
        FE_DOWNWARD, [](double v, double w) { return v - w; }, a, b);
}
inline double __dmul_rn(double a, double b) {
    return a * b;
}
inline double __dmul_rz(double a, double b) {
    return simt::detail::rounded(
        FE_TOWARDZERO, [](double v, double w) { return v * w; }, a, b);
}
inline double __dmul_ru(double a, double b) {
    return simt::detail::rounded(
        FE_UPWARD, [](double v, double w) { return v * w; }, a, b);
}
inline double __dmul_rd(double a, double b) {
    return simt::detail::rounded(
        FE_DOWNWARD, [](double v, double w) { return v * w; }, a, b);
}
inline double __ddiv_rn(double a, double b) {
    return a / b;
}
inline double __ddiv_rz(double a, double b) {
    return simt::detail::rounded(
        FE_TOWARDZERO, [](double v, double w) { return v / w; }, a, b);
}
inline double __ddiv_ru(double a, double b) {
    return simt::detail::rounded(
        FE_UPWARD, [](double v, double w) { return v / w; }, a, b);
}
inline double __ddiv_rd(double a, double b) {
    return simt::detail::rounded(
        FE_DOWNWARD, [](double v, double w) { return v / w; }, a, b);
}
inline double __fma_rn(double a, double b, double c) {
    return std::fma(a, b, c);
}
inline double __dsqrt_rn(double a) {
    return std::sqrt(a);
}
inline double __drcp_rn(double a) {
    return 1.0 / a;
}
inline double __fma_rz(double a, double b, double c) {
    return simt::detail::rounded(
        FE_TOWARDZERO, [](double u, double v, double w) { return std::fma(u, v, w); }, a, b, c);
}
inline double __fma_ru(double a, double b, double c) {
    return simt::detail::rounded(
        FE_UPWARD, [](double u, double v, double w) { return std::fma(u, v, w); }, a, b, c);
}
inline double __fma_rd(double a, double b, double c) {
    return simt::detail::rounded(
        FE_DOWNWARD, [](double u, double v, double w) { return std::fma(u, v, w); }, a, b, c);
}
