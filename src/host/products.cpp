// Products: significands are unpacked a tile at a time, then multiplied into several 128-bit chains, so that none waits
// for its own latency.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/products.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each target

#include <hwy/highway.h>

#include "host/route_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::host::HWY_NAMESPACE {

/// A running product of significands: value = (high, low) · 2^exponent. A few multiplications may pass between two
/// normalisations; each costs at most `slack` leading bits.
struct chain {
    std::uint64_t high = std::uint64_t{1} << 63, low = 0;
    std::int64_t exponent = 0;
    std::uint64_t lost = 0;  ///< not zero once a multiplication dropped bits

    HWY_INLINE void multiply(std::uint64_t m) {
        uint128 const low_product = static_cast<uint128>(low) * m;
        uint128 const product = static_cast<uint128>(high) * m + static_cast<std::uint64_t>(low_product >> 64);
        lost |= static_cast<std::uint64_t>(low_product);
        high = static_cast<std::uint64_t>(product >> 64);
        low = static_cast<std::uint64_t>(product);
    }
    HWY_INLINE void normalise() {
        int const shift = leading_zeros(high);
        high = high << shift | low >> 1 >> (63 - shift);
        low <<= shift;
        exponent -= shift;
    }
};

/// The significands of a tile of normal floats, with 2^(bits − 1) ≤ significand < 2^bits, its exponents and its sign.
template <class T>
struct unpacked {
    static constexpr index_t tile = 1024;
    std::uint64_t significand[tile];
    std::int64_t exponents;
    bool negative;
    bool normal;  ///< whether every item is: else nothing else here is meant

    void from(T const* x, index_t n) {
        using format = float_format<T>;
        using bits = typename format::bits;
        std::uint64_t sum = 0, signs = 0, odd = 0;
        for (index_t i = 0; i < n; ++i) {
            auto const b = static_cast<std::uint64_t>(bits_as<bits>(x[i]));
            std::uint64_t const field = b >> format::significand_bits & ((1U << format::exponent_bits) - 1);
            significand[i] = (b & ((std::uint64_t{1} << format::significand_bits) - 1)) | std::uint64_t{1} << format::significand_bits;
            sum += field;
            signs ^= b;
            odd |= (field - 1) | (((1U << format::exponent_bits) - 2) - field);  // wraps for field 0 and for the largest
        }
        constexpr int bias = (1 << (format::exponent_bits - 1)) - 1 + format::significand_bits;
        exponents = static_cast<std::int64_t>(sum) - n * bias;
        negative = signs >> (8 * sizeof(bits) - 1) & 1;
        normal = !(odd >> 63);
    }
};

struct products {
    static constexpr int chains = 4;

    template <class T>
    static void run(folds::products<T> const& gather, typename folds::products<T>::state& s, T const* items,
                    index_t count, index_t first) {
        if constexpr (is_float<T>) {
            for (index_t i = 0; i < count; i += unpacked<T>::tile) {
                index_t const n = count - i < unpacked<T>::tile ? count - i : unpacked<T>::tile;
                take_tile(gather, s, items + i, n, first + i);
            }
        } else {
            typename folds::products<T>::state part[chains] = {};
            index_t i = 0;
            for (; i + chains <= count; i += chains)
                for (int c = 0; c < chains; ++c) gather.step(part[c], items[i + c], first + i + c);
            for (; i < count; ++i) gather.step(s, items[i], first + i);
            for (auto const& p : part) gather.merge(s, p);
        }
    }

    template <class T>
    static void take_tile(folds::products<T> const& gather, typename folds::products<T>::state& s, T const* x,
                          index_t n, index_t first) {
        // As many significands as 64 bits hold are multiplied exactly before they meet a chain.
        constexpr int bits = float_format<T>::significand_bits + 1;
        constexpr index_t group = 64 / bits, padding = 64 - group * bits;
        // A product of `group` significands may have group − 1 leading zeros, and a multiplication by it one more: so many
        // bits go with each multiplication until the next normalisation.
        constexpr index_t multiplications = 4, stretch = multiplications * group * chains;
        index_t const rounds = n / (group * chains);
        index_t taken = rounds * group * chains;
        unpacked<T> u;
        u.from(x, taken);
        if (!u.normal) taken = 0;
        if (taken) {
            chain part[chains];
            for (index_t i = 0; i < taken;) {
                index_t const stop = taken - i < stretch ? taken : i + stretch;
                for (; i < stop; i += group * chains) {
                    for (int c = 0; c < chains; ++c) {
                        std::uint64_t m = u.significand[i + c * group];
                        for (index_t k = 1; k < group; ++k) m *= u.significand[i + c * group + k];
                        part[c].multiply(m << padding);
                    }
                }
                for (chain& c : part) c.normalise();
            }
            for (chain const& c : part) {
                typename folds::products<T>::state product;
                product.significand = static_cast<uint128>(c.high) << 64 | c.low;
                // A multiplication keeps the upper 128 of 192 bits, and `padding` of the 64 dropped are none of the value's.
                product.exponent = -127 + c.exponent + rounds * (64 - padding);
                product.truncations = c.lost ? static_cast<std::uint64_t>(rounds) << (group * multiplications) : 0;
                gather.merge(s, product);
            }
            s.items += taken;
            s.exponent += u.exponents;
            s.negative = s.negative != u.negative;
        }
        for (index_t i = taken; i < n; ++i) gather.step(s, x[i], first + i);
    }
};

void run_products(std::size_t route, void* state, void const* items, index_t count, index_t first) {
    route_table<products, for_numbers<routes::products>>::run(route, state, items, count, first);
}

}  // namespace warpfold::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpfold::host {

HWY_EXPORT(run_products);
void run_products(std::size_t route, void* state, void const* items, index_t count, index_t first) {
    HWY_DYNAMIC_DISPATCH(run_products)(route, state, items, count, first);
}

}  // namespace warpfold::host
#endif
