// CUDA's vector types, with the alignment that the hardware's vector loads need.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace simt::detail {

template <class T, std::size_t Align>
struct alignas(Align) vector1 {
    T x;
};
template <class T, std::size_t Align>
struct alignas(Align) vector2 {
    T x, y;
};
template <class T, std::size_t Align>
struct alignas(Align) vector3 {
    T x, y, z;
};
template <class T, std::size_t Align>
struct alignas(Align) vector4 {
    T x, y, z, w;
};

// One function object serves every make_*: a vector is an aggregate of one component type.
template <class V>
struct maker {
    template <class... Components>
    constexpr V operator()(Components... components) const {
        V const made{static_cast<decltype(V::x)>(components)...};
        if (std::is_constant_evaluated()) return made;
        // one copy of all bytes: whoever stores the vector then stores it at once, as the device does
        V result;
        std::memcpy(&result, &made, sizeof(V));
        return result;
    }
};

}  // namespace simt::detail

using char1 = simt::detail::vector1<signed char, 1>;
using char2 = simt::detail::vector2<signed char, 2>;
using char3 = simt::detail::vector3<signed char, 1>;
using char4 = simt::detail::vector4<signed char, 4>;
using uchar1 = simt::detail::vector1<unsigned char, 1>;
using uchar2 = simt::detail::vector2<unsigned char, 2>;
using uchar3 = simt::detail::vector3<unsigned char, 1>;
using uchar4 = simt::detail::vector4<unsigned char, 4>;
using short1 = simt::detail::vector1<short, 2>;
using short2 = simt::detail::vector2<short, 4>;
using short3 = simt::detail::vector3<short, 2>;
using short4 = simt::detail::vector4<short, 8>;
using ushort1 = simt::detail::vector1<unsigned short, 2>;
using ushort2 = simt::detail::vector2<unsigned short, 4>;
using ushort3 = simt::detail::vector3<unsigned short, 2>;
using ushort4 = simt::detail::vector4<unsigned short, 8>;
using int1 = simt::detail::vector1<int, 4>;
using int2 = simt::detail::vector2<int, 8>;
using int3 = simt::detail::vector3<int, 4>;
using int4 = simt::detail::vector4<int, 16>;
using uint1 = simt::detail::vector1<unsigned, 4>;
using uint2 = simt::detail::vector2<unsigned, 8>;
using uint3 = simt::detail::vector3<unsigned, 4>;
using uint4 = simt::detail::vector4<unsigned, 16>;
using longlong1 = simt::detail::vector1<long long, 8>;
using longlong2 = simt::detail::vector2<long long, 16>;
using ulonglong1 = simt::detail::vector1<unsigned long long, 8>;
using ulonglong2 = simt::detail::vector2<unsigned long long, 16>;
using float1 = simt::detail::vector1<float, 4>;
using float2 = simt::detail::vector2<float, 8>;
using float3 = simt::detail::vector3<float, 4>;
using float4 = simt::detail::vector4<float, 16>;
using double1 = simt::detail::vector1<double, 8>;
using double2 = simt::detail::vector2<double, 16>;
using double3 = simt::detail::vector3<double, 8>;
using double4 = simt::detail::vector4<double, 16>;
using longlong4 = simt::detail::vector4<long long, 16>;
using ulonglong4 = simt::detail::vector4<unsigned long long, 16>;

inline constexpr simt::detail::maker<char1> make_char1{};
inline constexpr simt::detail::maker<char2> make_char2{};
inline constexpr simt::detail::maker<char3> make_char3{};
inline constexpr simt::detail::maker<char4> make_char4{};
inline constexpr simt::detail::maker<uchar1> make_uchar1{};
inline constexpr simt::detail::maker<uchar2> make_uchar2{};
inline constexpr simt::detail::maker<uchar3> make_uchar3{};
inline constexpr simt::detail::maker<uchar4> make_uchar4{};
inline constexpr simt::detail::maker<short1> make_short1{};
inline constexpr simt::detail::maker<short2> make_short2{};
inline constexpr simt::detail::maker<short3> make_short3{};
inline constexpr simt::detail::maker<short4> make_short4{};
inline constexpr simt::detail::maker<ushort1> make_ushort1{};
inline constexpr simt::detail::maker<ushort2> make_ushort2{};
inline constexpr simt::detail::maker<ushort3> make_ushort3{};
inline constexpr simt::detail::maker<ushort4> make_ushort4{};
inline constexpr simt::detail::maker<int1> make_int1{};
inline constexpr simt::detail::maker<int2> make_int2{};
inline constexpr simt::detail::maker<int3> make_int3{};
inline constexpr simt::detail::maker<int4> make_int4{};
inline constexpr simt::detail::maker<uint1> make_uint1{};
inline constexpr simt::detail::maker<uint2> make_uint2{};
inline constexpr simt::detail::maker<uint3> make_uint3{};
inline constexpr simt::detail::maker<uint4> make_uint4{};
inline constexpr simt::detail::maker<longlong1> make_longlong1{};
inline constexpr simt::detail::maker<longlong2> make_longlong2{};
inline constexpr simt::detail::maker<longlong4> make_longlong4{};
inline constexpr simt::detail::maker<ulonglong1> make_ulonglong1{};
inline constexpr simt::detail::maker<ulonglong2> make_ulonglong2{};
inline constexpr simt::detail::maker<ulonglong4> make_ulonglong4{};
inline constexpr simt::detail::maker<float1> make_float1{};
inline constexpr simt::detail::maker<float2> make_float2{};
inline constexpr simt::detail::maker<float3> make_float3{};
inline constexpr simt::detail::maker<float4> make_float4{};
inline constexpr simt::detail::maker<double1> make_double1{};
inline constexpr simt::detail::maker<double2> make_double2{};
inline constexpr simt::detail::maker<double3> make_double3{};
inline constexpr simt::detail::maker<double4> make_double4{};

struct dim3 {
    unsigned x = 1, y = 1, z = 1;

    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};
