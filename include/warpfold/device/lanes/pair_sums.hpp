// Lanes of exact sums of products of two items.
#pragma once

#include "../../exact/near_double.hpp"
#include "../../folds/dot.hpp"
#include "block_words.hpp"
#include "outliers.hpp"
#include "products_shortcut.hpp"

namespace warpfold::device {

/// Σ x·y, or Σ (x − y)² as Σ x·x − 2 Σ x·y + Σ y·y, of floats.
template <class T, bool Distance>
class lane<folds::pair_sums<T, Distance>> {
    using gather = folds::pair_sums<T, Distance>;
    using item = typename gather::item;
    using value = widened<T>;
    static constexpr bool narrow = std::is_same_v<value, float>;
    using limbs = exact::sum_of_products<value>;
    static constexpr int word = special_counts::words;
    static constexpr int home = narrow ? -27 : -7, size = narrow ? 3 : 5, fast = narrow ? 2 : 4, words = narrow ? 1 : 2;
    static constexpr int terms = Distance ? 3 : 1;
    static constexpr bool half = sizeof(T) == 2;
    static constexpr int low = home - window_step * (fast - 1);
    // Of squared distances of floats each product is a group: H200, 4 GiB, 0.62 of the read limit, in groups of four 0.52.
    using product_windows = windows<size, fast, words, true, home, limbs::low, word, !narrow ? 8 : Distance ? 1 : 4>;

  public:
    using shortcut = products_shortcut<T, Distance>;
    static constexpr bool approximates = true;
    using near_state = products_state<exact::near_double>;
    struct partial {
        [[no_unique_address]] window_totals<0> first;
        window_totals<size> second;
        sum_marks marks;
    };
    static constexpr int spill_words = word + limbs::limbs, private_words = product_windows::private_words;
    static constexpr int pieces = window_totals<size>::pieces + 1;
    static constexpr lane_needs needs{.takes_pairs = true, .tiles_ahead = true};
    /// A product of −0.
    __device__ static item padding() {
        using bits = typename float_format<T>::bits;
        T const negative = bits_as<T>(static_cast<bits>(bits{1} << (8 * sizeof(bits) - 1)));
        return {negative, Distance ? negative : bits_as<T>(bits{0})};
    }

    __device__ __forceinline__ lane(gather const&, thread_memory memory) : windows_(memory) {}

    template <int U, int V>
    __device__ __forceinline__ void take(item const (&given)[U][V], index_t, index_t, spill_area area) {
        constexpr int K = U * V;
        value x[K], y[K];
#pragma unroll
        for (int k = 0; k < K; ++k) {
            x[k] = widen(given[k / V][k % V].first);
            y[k] = widen(given[k / V][k % V].second);
        }
        double v[words][K * terms];
        std::uint32_t signs = signs_;
        if constexpr (half) {
            double sum[1][1];
            if (add_up(x, y, sum[0][0], signs) && windows_.template add<false, 1>(sum)) {
                signs_ = signs;
                return;
            }
            signs = signs_;
        }
        bool ok = multiply(x, y, v, signs);
        if (windows_.add(v, ok)) signs_ = signs;
        else take_slowly(x, y, area);
    }
    template <class Input>
    __device__ __forceinline__ partial settle(Input const&, spill_area area) {
        partial p{};
        bool spilled = false;
        special_.settle(area, spilled);
        p.second = windows_.settle(area, spilled);
        p.marks = {signs_, spilled};
        return p;
    }
    __device__ __forceinline__ static partial identity(gather const&) { return {}; }
    __device__ __forceinline__ static void merge(gather const&, partial& p, partial const& later) {
        p.second.merge(later.second);
        p.marks.merge(later.marks);
    }
    __device__ __forceinline__ static void merge_warp(gather const&, partial& p) {
        for (auto& total : p.second.total) total = sum_warp(total);
        p.marks.merge_warp();
    }
    __device__ __forceinline__ static std::uint64_t piece(partial const& p, int i) {
        return i == pieces - 1 ? p.marks.piece() : p.second.piece(i);
    }
    __device__ __forceinline__ static partial sum_of(std::uint64_t const (&sums)[pieces], int blocks) {
        partial p{};
        p.second.set_sums(sums, blocks);
        p.marks = sum_marks::of_sum(sums[pieces - 1], blocks);
        return p;
    }
    __device__ static bool spilled(partial const& p) { return p.marks.spilled(); }
    __device__ static bool fits(partial const& p) {
        int128 ignored;
        return !p.marks.spilled() && p.second.template sum<fast>(ignored);
    }
    __device__ static auto brief(gather const&, partial const& p, index_t items, spill_area) {
        products_state<exact::short_sum<low>> s{};
        s.items = items;
        p.second.template sum<fast>(s.sum.value);
        s.only_negative_zeros = !Distance && s.sum.value == 0 && p.marks.signs(1U << 31);
        return s;
    }
    /// Products of doubles seldom fit a brief state.
    __device__ static bool approximate(gather const&, partial const& p, index_t items, spill_area area, bool spilled, near_state& s) {
        s.items = items;
        if (spilled) s.special = special_counts::read(area);
        s.sum = exact::near_double::of(near_of<limbs>(p.second.near(home), area, word, spilled));
        return true;
    }
    __device__ static auto full(gather const&, partial const& p, index_t items, spill_area area) {
        products_state<limbs> s{};
        s.items = items;
        s.special = special_counts::read(area);
        read_limbs(area, word, s.sum);
        p.second.add_to(s.sum, home);
        s.sum.carry();
        bool zero = true;
        for (std::int64_t const limb : s.sum.limb) zero = zero && limb == 0;
        s.only_negative_zeros = !Distance && zero && p.marks.signs(1U << 31);
        return s;
    }

  private:
    /// The products of K pairs as doubles; false where one of them does not lie where the windows are, or is no sum of
    /// two doubles.
    template <int K>
    __device__ __forceinline__ bool multiply(value const (&x)[K], value const (&y)[K], double (&v)[words][K * terms],
                                             std::uint32_t& signs) const {
        bool ok = true;
#pragma unroll
        for (int k = 0; k < K; ++k) {
            double const a = x[k], b = y[k];
#pragma unroll
            for (int t = 0; t < terms; ++t) {
                double const left = !Distance || t == 0 ? a : t == 1 ? -2 * a : b;
                double const right = t == 0 && Distance ? a : b;
                double const p = rounded_product(left, right);
                v[0][k * terms + t] = p;
                ok = ok && fabs(p) < windows_.limit();
                if constexpr (words > 1) {
                    v[1][k * terms + t] = fma(left, right, -p);
                    ok = ok && (fabs(p) > 0x1p-900 || left == 0 || right == 0);
                }
                if constexpr (!Distance) signs &= static_cast<std::uint32_t>(bits_as<std::uint64_t>(p) >> 32);
            }
        }
        return ok;
    }

    /// The sum of all terms of K pairs of 16-bit floats, in one double; false where that may not be exact, or lies above the windows. A
    /// float holds such a product but where it is too small, and a double their sum where they lie no further apart than it has
    /// bits.
    template <int K>
    __device__ __forceinline__ bool add_up(float const (&x)[K], float const (&y)[K], double& sum, std::uint32_t& signs) const {
        constexpr int carries = Distance ? 5 : 3, apart = 51 - 2 * float_format<T>::significand_bits - carries;
        static_assert(K * terms <= 1 << carries);
        constexpr bool always_held = float_format<T>::exponent_bits < 8;
        std::uint32_t most = 0, fewest = ~0U;
        bool zero = false;
        double sums[2] = {};
#pragma unroll
        for (int k = 0; k < K; ++k) {
#pragma unroll
            for (int t = 0; t < terms; ++t) {
                float const left = !Distance || t == 0 ? x[k] : t == 1 ? -2 * x[k] : y[k];
                float const p = left * (Distance && t == 0 ? x[k] : y[k]);
                std::uint32_t const magnitude = magnitude_bits(p);
                most = magnitude > most ? magnitude : most;
                fewest = magnitude - 1 < fewest ? magnitude - 1 : fewest;  // 0 is no small product
                zero = zero || p == 0;
                if constexpr (!Distance) signs &= bits_as<std::uint32_t>(p);
                sums[k % 2] += double{p};
            }
        }
        sum = sums[0] + sums[1];
        bool ok = most <= fewest + (std::uint32_t{apart} << 23) && fabs(sum) < windows_.limit();
        if constexpr (!always_held) {
            ok = ok && fewest >= (1U << 23) - 1;
            auto const held = [](float a, float b) { return a == 0 || b == 0 || a * b != 0; };
            if (zero)
                for (int k = 0; k < K; ++k) ok = ok && (Distance ? held(x[k], x[k]) && held(y[k], y[k]) : held(x[k], y[k]));
        }
        return ok;
    }

    /// Pairs of any kind.
    template <int K>
    __device__ __forceinline__ void take_slowly(value (&x)[K], value (&y)[K], spill_area area) {
#pragma unroll
        for (int k = 0; k < K; ++k) {
            if (magnitude_bits(x[k]) >= infinity_bits<value> || magnitude_bits(y[k]) >= infinity_bits<value>) {
                special_.add(special_of(x[k], y[k]), false);
                x[k] = -value{0};
                y[k] = Distance ? -value{0} : value{0};
            }
            if constexpr (!narrow) spill_far(x[k], y[k], area);
        }
        double v[words][K * terms];
        std::uint32_t signs = signs_;
        multiply(x, y, v, signs);
        signs_ = signs;
        double most = 0, least = infinity_of<double>;
        for (int k = 0; k < K * terms; ++k) {
            most = fmax(most, fabs(v[0][k]));
            if (v[0][k] != 0) least = fmin(least, fabs(v[0][k]));
        }
        reach(most, least, area);
        if (windows_.template add<true>(v, most < windows_.limit())) return;
#pragma unroll 1
        for (int k = 0; k < K * terms; ++k) {
#pragma unroll
            for (int w = 0; w < words; ++w) {
                windows_.spill(windows_.add_one(v[w][0]), area);
                move_round<1, K * terms>(v[w]);
            }
        }
    }
    /// Moves the windows to products of `least`, but for zeros, to `most`, if that helps and they then hold all of them; products of all
    /// magnitudes would move them to and fro.
    __device__ __forceinline__ void reach(double most, double least, spill_area area) {
        constexpr int reached = product_windows::reach_binades, bits = window_step * size - 53;
        double const held = windows_.limit() * power_of_two(windows_.q() == home ? -product_windows::held_binades : -window_step * size);
        if (!((most >= windows_.limit() || most < held) && most > 0 && least >= most * power_of_two(-bits))) return;
        int const top = static_cast<int>(bits_as<std::uint64_t>(most) >> 52) - 1022;
        // A multiple of 16, with 4 binades to spare: threads that read alike then agree on it.
        int const q = ((top - reached + 4 + 15 + 4096) / 16) * 16 - 4096;
        windows_.move(q > windows_.highest ? windows_.highest : q < windows_.lowest ? windows_.lowest : q, area);
    }
    __device__ static double special_of(value x, value y) { return folds::pair_sums<value, Distance>::special_value(x, y); }

    /// Spills the products of doubles that are no sums of two doubles, and leaves −0 in their place.
    __device__ __forceinline__ void spill_far(value& x, value& y, spill_area area) {
        auto const near = [](double p) { return p == 0 || (fabs(p) < 0x1p960 && fabs(p) > 0x1p-900); };
        bool const zero = x == 0 || y == 0;
        bool const exact = Distance ? near(x * x) && near(y * y) && near(x * y) && (x * x != 0 || x == 0) &&
                                          (y * y != 0 || y == 0) && (x * y != 0 || zero)
                                    : near(x * y) && (x * y != 0 || zero);
        if (exact) return;
        if constexpr (!Distance) signs_ &= static_cast<std::uint32_t>(bits_as<std::uint64_t>(x * y) >> 32);
        auto const a = decompose(x), b = decompose(y);
        int128 const left = a.significand, right = b.significand;
        if constexpr (Distance) {
            windows_.spill(left * left, 2 * a.exponent, area);
            windows_.spill(right * right, 2 * b.exponent, area);
        }
        windows_.spill((Distance ? -2 : 1) * left * right, a.exponent + b.exponent, area);
        x = -value{0};
        y = Distance ? -value{0} : value{0};
    }

    product_windows windows_;
    special_counts special_;
    std::uint32_t signs_ = ~0U;
};

/// The same of integers. Products of 64-bit integers fill 128 bits: their upper and lower words are summed apart.
template <class T, bool Distance>
    requires is_integer<T>
class lane<folds::pair_sums<T, Distance>> {
    using gather = folds::pair_sums<T, Distance>;
    using item = typename gather::item;

  public:
    struct partial {
        wide_integer<4> low, high;
    };
    static constexpr int spill_words = 0, private_words = 0;
    static constexpr lane_needs needs{.takes_pairs = true};
    __device__ static item padding() { return {}; }

    __device__ __forceinline__ lane(gather const&, thread_memory) {}

    template <int U, int V>
    __device__ __forceinline__ void take(item const (&x)[U][V], index_t, index_t, spill_area) {
#pragma unroll
        for (int u = 0; u < U; ++u) {
#pragma unroll
            for (int v = 0; v < V; ++v) {
                int128 const a = x[u][v].first, b = x[u][v].second;
                if constexpr (Distance) {
                    add(a * a, 1);
                    add(a * b, -2);
                    add(b * b, 1);
                } else {
                    add(a * b, 1);
                }
            }
        }
    }
    template <class Input>
    __device__ __forceinline__ partial settle(Input const&, spill_area) {
        partial p;
        p.low += low_;
        p.high += high_;
        return p;
    }
    __device__ __forceinline__ static partial identity(gather const&) { return {}; }
    __device__ __forceinline__ static void merge(gather const&, partial& p, partial const& later) {
        p.low += later.low.value();
        p.high += later.high.value();
    }
    __device__ __forceinline__ static void merge_warp(gather const&, partial& p) {
        p.low = sum_warp(p.low);
        p.high = sum_warp(p.high);
    }
    __device__ static bool fits(partial const& p) {
        int128 const high = p.high.value(), most = int128{1} << 60;
        return high < most && high > -most;
    }
    __device__ static auto brief(gather const&, partial const& p, index_t, spill_area) {
        return state<exact::short_sum<0>>{{p.low.value() + p.high.value() * (int128{1} << 64)}};
    }
    __device__ static auto full(gather const&, partial const& p, index_t, spill_area) {
        state<exact::sum_of_products<T>> s{};
        s.sum.add(p.low.value(), 0);
        if constexpr (sizeof(T) == 8) s.sum.add(p.high.value(), 64);
        return s;
    }

  private:
    template <class Sum>
    struct state {
        Sum sum;
    };
    __device__ __forceinline__ void add(int128 product, int times) {
        if constexpr (sizeof(T) < 8) {
            low_ += product * times;
        } else if constexpr (std::is_signed_v<T>) {
            low_ += static_cast<int128>(static_cast<std::uint64_t>(product)) * times;
            high_ += (product >> 64) * times;
        } else {
            auto const bits = static_cast<uint128>(product);
            low_ += static_cast<int128>(static_cast<std::uint64_t>(bits)) * times;
            high_ += static_cast<int128>(static_cast<std::uint64_t>(bits >> 64)) * times;
        }
    }
    int128 low_ = 0, high_ = 0;
};

}  // namespace warpfold::device
