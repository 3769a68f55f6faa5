// Products: significands are unpacked a tile at a time, then multiplied into several 128-bit chains, so that none waits
// for its own latency. Estimates: the same of doubles and what their rounding left, in lanes.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/products.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each target

#include <hwy/highway.h>

#include "host/route_table.hpp"
#include "host/scan-inl.h"

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
        // A product of `group` significands may have group − 1 leading zeros, and a multiplication by it one more: so
        // many bits go with each multiplication until the next normalisation.
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
                // A multiplication keeps the upper 128 of 192 bits, and `padding` of the 64 dropped are none of the
                // value's.
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

using unsigned_words = hn::RebindToUnsigned<doubles>;
using unsigned_lanes = hn::Vec<unsigned_words>;

/// A running product a lane: head + tail, the tail being what roundings of the head left. One multiplication leaves out
/// the rounding of the tail, 2^-53 of it.
struct rounded_product {
    double_lanes head, tail;

    rounded_product() : head{hn::Set(doubles{}, 1)}, tail{hn::Zero(doubles{})} {}
    HWY_INLINE void multiply(double_lanes x) {
        auto const product = hn::Mul(head, x);
        tail = hn::MulAdd(tail, x, hn::MulSub(head, x, product));
        head = product;
    }
    HWY_INLINE void multiply(rounded_product const& x) {
        auto const product = hn::Mul(head, x.head);
        tail = hn::MulAdd(head, x.tail, hn::MulAdd(tail, x.head, hn::MulSub(head, x.head, product)));
        head = product;
    }
    /// Scales the head into [1, 2), and takes down 1023 less what its exponent was.
    HWY_INLINE void normalise(unsigned_lanes& exponents) {
        unsigned_words const d;
        auto const head_field = hn::And(hn::BitCast(d, head), hn::Set(d, std::uint64_t{2047} << 52));
        auto const scale = hn::Sub(hn::Set(d, std::uint64_t{2046} << 52), head_field);
        exponents = hn::Add(exponents, hn::ShiftRight<52>(scale));
        head = hn::Mul(head, hn::BitCast(doubles{}, scale));
        tail = hn::Mul(tail, hn::BitCast(doubles{}, scale));
    }
    /// Lets the tail be at most half of the head's last place.
    HWY_INLINE void carry() {
        auto const sum = hn::Add(head, tail);
        tail = hn::Sub(tail, hn::Sub(sum, head));
        head = sum;
    }
};

/// The products of one call: four, so that multiplications need not wait, and the exponents that they shed.
class product_estimate {
    static constexpr auto lanes = static_cast<index_t>(hn::MaxLanes(doubles{}));
    static constexpr index_t products = 4, multiplications = 4;

  public:
    static constexpr index_t block = products * multiplications * lanes;

    explicit product_estimate(prefetcher prefetch) : prefetch_{prefetch}, exponents_{hn::Zero(unsigned_words{})} {}

    /// Multiplies n items, a multiple of `block`, or says that one of them is not in [2^-127, 2^129), and does nothing.
    template <class T>
    HWY_NOINLINE bool multiply(T const* x, index_t n) {
        unsigned_words const d;
        auto const lowest = hn::Set(d, std::uint64_t{1023 - 127} << 52);
        auto outside = hn::Zero(d);
        rounded_product p = p_, q = q_, r = r_, s = s_;
        auto exponents = exponents_;
        auto const take = [&](rounded_product& product, T const* from) HWY_ATTR {
            auto const v = load_doubles(from);
            outside = hn::Or(outside, hn::Sub(hn::BitCast(d, v), lowest));
            product.multiply(v);
        };
        for (index_t i = 0; i < n; i += block) {
            // Heads stay between 2^-508 and 2^517, which leaves room for all that rounding them leaves.
            for (index_t k = i; k < i + block; k += products * lanes) {
                prefetch_.ahead(x + k, products * lanes);
                take(p, x + k);
                take(q, x + k + lanes);
                take(r, x + k + 2 * lanes);
                take(s, x + k + 3 * lanes);
            }
            p.normalise(exponents);
            q.normalise(exponents);
            r.normalise(exponents);
            s.normalise(exponents);
        }
        // Exponent fields from `lowest` on count 256 items: above these eight bits, and below the sign, all is zero.
        auto const above = hn::Set(d, std::uint64_t{7} << 60);
        if (!hn::AllTrue(d, hn::Eq(hn::And(outside, above), hn::Zero(d)))) return false;
        p.carry();
        q.carry();
        r.carry();
        s.carry();
        p_ = p, q_ = q, r_ = r, s_ = s;
        exponents_ = exponents;
        items_ += n;
        // A tail is at most 2^-53 of its head, and that much more after each item; its rounding is 2^-53 of it. So k
        // items of a lane are off by less than 2^-106 · k (k + 3) / 2.
        error_ += static_cast<double>(n * (n / (products * lanes) + 3)) * 0x1p-106;
        return true;
    }

    /// Multiplies a state by all of it.
    template <class T>
    void flush(typename estimate<folds::products<T>>::state& s) const {
        if (items_ == 0) return;
        rounded_product all = p_;
        all.multiply(q_);
        all.multiply(r_);
        all.multiply(s_);
        all.carry();
        HWY_ALIGN double head[lanes], tail[lanes];
        HWY_ALIGN std::uint64_t exponent[lanes];
        hn::Store(all.head, doubles{}, head);
        hn::Store(all.tail, doubles{}, tail);
        hn::Store(exponents_, unsigned_words{}, exponent);
        for (index_t i = 0; i < lanes; ++i) {
            auto product = exact_product<T>(head[i], tail[i]);
            product.exponent += 1023 * (items_ / (multiplications * lanes)) - static_cast<index_t>(exponent[i]);
            folds::products<T>{}.merge(s, product);
        }
        s.items += items_;
        // Products of products leave less than 2^-100 of a lane out.
        s.error += error_ + lanes * 0x1p-100;
    }

  private:
    /// head + tail, cut to 128 bits. A tail is at most half of its head's last place.
    template <class T>
    static typename folds::products<T>::state exact_product(double head, double tail) {
        auto const high = decompose(head), low = decompose(tail);
        bool const negative = high.significand < 0;
        std::int64_t const sign = negative ? -1 : 1, rest = sign * low.significand;
        int const exponent = high.exponent - 75, shift = low.exponent - exponent;
        int128 const units = shift < 0 ? rest >> (shift < -63 ? 63 : -shift) : int128{rest} << shift;
        uint128 const sum = (static_cast<uint128>(sign * high.significand) << 75) + static_cast<uint128>(units);
        bool const whole = sum >> 127;
        return {.significand = whole ? sum : sum << 1, .exponent = exponent - !whole, .truncations = 2, .negative = negative};
    }

    prefetcher prefetch_;
    rounded_product p_, q_, r_, s_;
    unsigned_lanes exponents_;
    index_t items_ = 0;
    double error_ = 0;
};

struct product_estimates {
    template <class T>
    static void run(estimate<folds::products<T>> const& gather, typename estimate<folds::products<T>>::state& s,
                    T const* items, index_t count, index_t first) {
        index_t taken = 0;
        if constexpr (HWY_NATIVE_FMA) {
            product_estimate all{prefetcher{count, sizeof(T)}};
            index_t const whole = count / product_estimate::block * product_estimate::block;
            // Where one tile had NaN, the next one probably has some.
            bool nans_likely = false;
            for (index_t n; taken < whole; taken += n) {
                n = whole - taken < tile<T> ? whole - taken : tile<T>;
                if (!nans_likely && all.multiply(items + taken, n)) continue;
                T numbers[tile<T>];
                index_t const nans = take_nans(items + taken, numbers, n);
                bool const without = nans_likely || nans > 0;
                nans_likely = nans > 0;
                if (without && all.multiply(numbers, n)) s.nans += nans;
                else products::run(gather, s, items + taken, n, first + taken);
            }
            all.flush<T>(s);
        }
        products::run(gather, s, items + taken, count - taken, first + taken);
    }

    /// Copies a tile with ones in place of NaN, and says how many there are. n is a multiple of a vector's lanes.
    template <class T>
    static HWY_NOINLINE index_t take_nans(T const* x, T* numbers, index_t n) {
        hn::ScalableTag<T> const d;
        std::size_t nans = 0;
        for (index_t i = 0; i < n; i += static_cast<index_t>(hn::Lanes(d))) {
            auto const v = hn::LoadU(d, x + i);
            nans += hn::CountTrue(d, hn::IsNaN(v));
            hn::StoreU(hn::IfThenElse(hn::IsNaN(v), hn::Set(d, T{1}), v), d, numbers + i);
        }
        return static_cast<index_t>(nans);
    }
};

void run_products(std::size_t route, void* state, void const* items, index_t count, index_t first) {
    route_table<products, for_numbers<routes::products>>::run(route, state, items, count, first);
}
void run_product_estimates(std::size_t route, void* state, void const* items, index_t count, index_t first) {
    route_table<product_estimates, routes::product_estimates>::run(route, state, items, count, first);
}

}  // namespace warpfold::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpfold::host {

HWY_EXPORT(run_products);
void run_products(std::size_t route, void* state, void const* items, index_t count, index_t first) {
    HWY_DYNAMIC_DISPATCH(run_products)(route, state, items, count, first);
}
HWY_EXPORT(run_product_estimates);
void run_product_estimates(std::size_t route, void* state, void const* items, index_t count, index_t first) {
    HWY_DYNAMIC_DISPATCH(run_product_estimates)(route, state, items, count, first);
}

}  // namespace warpfold::host
#endif
