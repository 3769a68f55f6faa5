// Item types, and the few words that every other header uses.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

// nvcc, and the SIMT executor: the header of a fold then brings the fold's lane (device/lanes/).
#if defined(__CUDACC__) || defined(SIMT_EXECUTOR)
#define WARPFOLD_DEVICE 1
#define WARPFOLD_HD __host__ __device__
// Long endings: called once, by one thread, and inlined they would take registers from the loops before.
#define WARPFOLD_OUTLINED __noinline__
// Of the loop that follows, device code takes so many rounds at once.
#define WARPFOLD_PRAGMA(text) _Pragma(#text)
#define WARPFOLD_UNROLL(times) WARPFOLD_PRAGMA(unroll times)
#else
#define WARPFOLD_DEVICE 0
#define WARPFOLD_HD
#define WARPFOLD_OUTLINED
#define WARPFOLD_UNROLL(times)
#endif

#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "warpfold: -ffast-math and its parts change results: compile what includes warpfold without -ffast-math, -Ofast, -fassociative-math and -ffinite-math-only"
#endif

namespace warpfold {

/// Position of an item in its input, and every count of items: always 64 bits.
using index_t = std::int64_t;

__extension__ using int128 = __int128;
__extension__ using uint128 = unsigned __int128;

/// The object representation of `from`, read as a To of the same size.
template <class To, class From>
WARPFOLD_HD inline To bits_as(From const& from) {
    return __builtin_bit_cast(To, from);
}

/// Zeros above the highest set bit; x > 0.
WARPFOLD_HD inline int leading_zeros(std::uint64_t x) {
#if defined(__CUDA_ARCH__)
    return __clzll(static_cast<long long>(x));
#else
    return __builtin_clzll(x);
#endif
}

// 16-bit floats: half.hpp.
struct float16;
struct bfloat16;

/// What the library knows of a floating-point item type: its bits, and the range of its exponents. Of others nothing.
template <class T>
struct float_format {
    static constexpr int significand_bits = 0, exponent_bits = 1;
};

template <>
struct float_format<float> {
    using bits = std::uint32_t;
    static constexpr int significand_bits = 23, exponent_bits = 8;
};
template <>
struct float_format<double> {
    using bits = std::uint64_t;
    static constexpr int significand_bits = 52, exponent_bits = 11;
};

/// The floating-point item types.
template <class T>
inline constexpr bool is_float = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16> || std::is_same_v<T, float> || std::is_same_v<T, double>;
/// The others, bool among them.
template <class T>
inline constexpr bool is_integer = std::is_integral_v<T>;

/// float16, bfloat16 and float: results are float unless asked otherwise. double and integers: double.
template <class T>
using float_result = std::conditional_t<is_float<T> && !std::is_same_v<T, double>, float, double>;
/// Exact integer results: int64 for signed items, uint64 for unsigned ones and bool.
template <class T>
using integer_result = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;

/// The bits of a float without its sign: ordered like |x|, NaN above infinity.
template <class T>
WARPFOLD_HD inline typename float_format<T>::bits magnitude_bits(T x) {
    using bits = typename float_format<T>::bits;
    return static_cast<bits>(bits_as<bits>(x) & static_cast<bits>(~bits{0}) / 2);
}
template <class T>
inline constexpr typename float_format<T>::bits infinity_bits =
    static_cast<typename float_format<T>::bits>(((std::uint64_t{1} << float_format<T>::exponent_bits) - 1)
                                                << float_format<T>::significand_bits);

// What std::numeric_limits says, as values, which device code may use: its functions are the host's.
template <class T>
inline constexpr T lowest_of = std::numeric_limits<T>::lowest();
template <class T>
inline constexpr T highest_of = std::numeric_limits<T>::max();
template <class T>
inline constexpr T infinity_of = std::numeric_limits<T>::infinity();
template <class T>
inline constexpr T nan_of = std::numeric_limits<T>::quiet_NaN();
/// What rounding gives that cannot tell the result: another NaN than results are.
template <class T>
inline constexpr T undecided_of = __builtin_bit_cast(T, static_cast<typename float_format<T>::bits>(-1));

/// Of integers never.
template <class T>
WARPFOLD_HD inline bool is_nan(T const& x) {
    if constexpr (is_float<T>) return magnitude_bits(x) > infinity_bits<T>;
    else return false;
}
/// Either infinity; of integers never.
template <class T>
WARPFOLD_HD inline bool is_infinite(T const& x) {
    if constexpr (is_float<T>) return magnitude_bits(x) == infinity_bits<T>;
    else return false;
}
/// The sign bit, also of zeros and NaN.
template <class T>
WARPFOLD_HD inline bool is_negative(T const& x) {
    if constexpr (is_float<T>) return bits_as<typename float_format<T>::bits>(x) != magnitude_bits(x);
    else if constexpr (std::is_signed_v<T>) return x < T{};
    else return false;
}

/// A finite item as significand · 2^exponent, exactly. The significand carries the sign.
template <class Significand>
struct scaled {
    Significand significand;
    int exponent;
};

/// A finite item as `scaled`.
template <class T>
WARPFOLD_HD inline auto decompose(T x) {
    if constexpr (is_float<T>) {
        using format = float_format<T>;
        constexpr int bias = (1 << (format::exponent_bits - 1)) - 1;
        auto const magnitude = magnitude_bits(x);
        int const field = static_cast<int>(magnitude >> format::significand_bits);
        auto const fraction = static_cast<std::int64_t>(magnitude & ((std::uint64_t{1} << format::significand_bits) - 1));
        std::int64_t const significand = field ? fraction | std::int64_t{1} << format::significand_bits : fraction;
        int const exponent = (field ? field : 1) - bias - format::significand_bits;
        return scaled<std::int64_t>{is_negative(x) ? -significand : significand, exponent};
    } else {
        static_assert(sizeof(T) <= 8 && (is_integer<T> || std::is_enum_v<T>), "not an item: bool, integers to 64 bits, float16, bfloat16, float, double");
        using wide = std::conditional_t<sizeof(T) == 8, int128, std::int64_t>;  // room for −x, and for −2x
        return scaled<wide>{static_cast<wide>(x), 0};
    }
}

/// Exponents of the lowest bit that an item can have, and just above the highest.
template <class T>
struct exponent_range {
    static constexpr int range = 1 << (float_format<T>::exponent_bits - 1);
    static constexpr int low = is_float<T> ? 2 - range - float_format<T>::significand_bits : 0, high = is_float<T> ? range : 8 * int{sizeof(T)};
};

/// How a fold ended. The host engine throws the error of each; device results carry it as a flag.
enum class status : std::uint8_t {
    ok,
    empty,      ///< an extreme, or its place, of no items
    overflow,   ///< an exact integer result that does not fit its type
    undecided,  ///< a product too close to a rounding boundary to be rounded (see folds/products.hpp)
};

/// A result, and whether it is one.
template <class R>
struct outcome {
    R value;
    status state = status::ok;
};

}  // namespace warpfold

namespace wf = warpfold;
