// Lanes of exact sums of products of two items.
#pragma once

#include "../../exact/near_double.hpp"
#include "../../folds/dot.hpp"
#include "block_words.hpp"
#include "float_squares.hpp"
#include "outliers.hpp"
#include "products_shortcut.hpp"

namespace warpfold::device {

/// Σ x·y, or Σ (x − y)², of floats.
template <class T, bool Distance>
class lane<folds::pair_sums<T, Distance>> {
    using gather = folds::pair_sums<T, Distance>;
    using item = typename gather::item;
    using view = item_view<T>;
    static constexpr bool narrow = sizeof(T) < 8, half = sizeof(T) == 2;
    using limbs = exact::sum_of_products<widened<T>>;
    static constexpr int word = special_counts::words;
    static constexpr int home = narrow ? -27 : -7, size = narrow ? 3 : 5, fast = narrow ? 2 : 4, words = narrow ? 1 : Distance ? 4 : 2;
    static constexpr int low = home - window_step * (fast - 1);
    using product_windows = windows<size, fast, words, home, limbs::low, word, view::group>;

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
        return {negative, bits_as<T>(bits{0})};
    }

    __device__ __forceinline__ lane(gather const&, thread_memory memory) : windows_(memory) {}

    template <int U, int V>
    __device__ __forceinline__ void take(item const (&given)[U][V], index_t, index_t, spill_area area) {
        constexpr int K = U * V;
        T x[K], y[K];
        std::uint32_t signs = signs_;
        for (int k = 0; k < K; ++k) {
            x[k] = given[k / V][k % V].first;
            y[k] = given[k / V][k % V].second;
            if constexpr (!Distance) signs &= view::high_word(x[k]) ^ view::high_word(y[k]);
        }
        extent const e = extent_of<false>(x, y);
        bool const held = lies(e, fast, windows_.q());
        // A warp goes one way: float_sums.hpp.
        if (!(U > 1 ? __all_sync(all_lanes, held) : held)) return take_widely<(U > 1)>(x, y, area);
        signs_ = signs;
        if constexpr (half)
            if (e.top - e.low <= 53 - carries) return add_up(x, y);
        add<false>(x, y);
    }
    template <class Input>
    __device__ __forceinline__ partial settle(Input const&, spill_area area) {
        partial p{};
        bool spilled = false;
        p.second = windows_.settle(area, spilled);
        area.touch(spilled);
        special_.settle(area, spilled);
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
        s.only_negative_zeros = !Distance && p.marks.signs(1U << 31);
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
        s.only_negative_zeros = !Distance && p.marks.signs(1U << 31);
        return s;
    }

  private:
    /// A product, exact but of doubles: of 16-bit floats that the fast windows hold in floats, else in doubles.
    template <bool Deep>
    using product = std::conditional_t<half && !Deep, float, double>;
    template <class Product>
    __device__ __forceinline__ static Product product_of(T x, T y) {
        if constexpr (std::is_same_v<Product, float>) return widen(x) * widen(y);
        else return exact::rounded_product(widen(x), widen(y));
    }

    /// All terms are less than 2^top, and multiples of 2^low.
    struct extent {
        int top, low;
    };
    static constexpr extent boundless{1 << 20, 0};
    /// Of squares of differences by the items, for differences cancel; else by the products, rounded.
    template <bool Deep, int K>
    __device__ __forceinline__ static extent extent_of(T const (&x)[K], T const (&y)[K]) {
        using looked = std::conditional_t<Distance, T, product<Deep>>;
        constexpr int bias = (1 << (float_format<looked>::exponent_bits - 1)) - 1, bits = float_format<T>::significand_bits;
        auto const exponent = [](std::uint32_t key) { return static_cast<int>(key >> item_view<looked>::key_bits); };
        if constexpr (Distance) {
            outline const a = view::template look<false>(x, 0), b = view::template look<false>(y, 0);
            int const most = exponent(a.most > b.most ? a.most : b.most), fewest = exponent(a.fewest < b.fewest ? a.fewest : b.fewest);
            return most > 2 * bias ? boundless : extent{2 * (most - bias + 2), 2 * (fewest - bias - bits)};
        } else {
            looked p[K];
            bool zero = false;
            for (int k = 0; k < K; ++k) {
                p[k] = product_of<looked>(x[k], y[k]);
                zero = zero || p[k] == 0;
            }
            outline const o = item_view<looked>::template look<false>(p, 0);
            int const most = exponent(o.most), fewest = exponent(o.fewest);
            bool held = most <= 2 * bias && fewest > 0;
            if (zero && float_format<T>::exponent_bits == float_format<looked>::exponent_bits)  // it may have been too small
                for (int k = 0; k < K; ++k) held = held && (p[k] != 0 || magnitude_bits(x[k]) == 0 || magnitude_bits(y[k]) == 0);
            return held ? extent{most - bias + 1, fewest - bias - 2 * bits - 1} : boundless;
        }
    }
    /// Whether so many windows from exponent q on hold terms, and words of them are exact: those of differences of
    /// doubles where the last two rest on less than 2^53 units, others where a double holds the difference.
    __device__ __forceinline__ static bool lies(extent const& e, int windows, int q) {
        constexpr int apart = !Distance ? 4096 : narrow ? 2 * 53 : 158;
        return e.top <= q + product_windows::reach_binades && e.low >= q - window_step * (windows - 1) && e.top - e.low <= apart;
    }

    /// Adds K terms. A square of a difference of floats enters the fast windows as one, rounded by each addition alone,
    /// and all windows as two doubles. A product of doubles is two. A difference of doubles is h + l, and its square
    /// has h h and 2 h l with what they round off, and l l, which the last of these has room for. (Zeros in sums of two
    /// doubles are −0, which a compiler need not add.)
    template <bool Deep, int K>
    __device__ __forceinline__ void add(T const (&x)[K], T const (&y)[K]) {
        constexpr bool fused = narrow && Distance && !Deep;
        std::conditional_t<fused, squared, double> v[words][narrow && Distance && Deep ? 2 * K : K];
        for (int k = 0; k < K; ++k) {
            double const a = widen(x[k]), b = widen(y[k]);
            if constexpr (fused) {
                v[0][k] = {a - b};
            } else if constexpr (Distance) {
                auto const d = exact::two_doubles{a, -0.0} + exact::two_doubles{-b, -0.0};
                double const square = exact::rounded_product(d.high, d.high);
                v[0][k] = square;
                v[narrow ? 0 : 1][narrow ? K + k : k] = fma(d.high, d.high, -square);
                if constexpr (!narrow) {
                    v[2][k] = exact::rounded_product(2 * d.high, d.low);
                    v[3][k] = fma(d.low, d.low, fma(2 * d.high, d.low, -v[2][k]));
                }
            } else {
                v[0][k] = product_of<product<Deep>>(x[k], y[k]);
                if constexpr (!narrow) v[1][k] = fma(a, b, -v[0][k]);
            }
        }
        windows_.template add<Deep>(v);
    }
    /// Adds 16-bit floats whose terms have so few bits together that a double holds their sum.
    static constexpr int carries = 3;
    template <int K>
    __device__ __forceinline__ void add_up(T const (&x)[K], T const (&y)[K]) {
        constexpr int terms = K < 1 << carries ? K : 1 << carries;
        for (int from = 0; from < K; from += terms) {
            double sums[2] = {};
            for (int k = from; k < from + terms; ++k) {
                double const d = double{widen(x[k])} - double{widen(y[k])};
                sums[k % 2] = Distance ? fma(d, d, sums[k % 2]) : sums[k % 2] + double{product_of<float>(x[k], y[k])};
            }
            double const sum[1][1] = {{sums[0] + sums[1]}};
            windows_.template add<false, 1>(sum);
        }
    }

    /// Pairs that the fast windows do not hold: by all windows, some at a time, or, what these do not hold either, one
    /// by one. (Rolled, so that this is there once.)
    template <bool Together, int K>
    __device__ __forceinline__ void take_widely(T (&x)[K], T (&y)[K], spill_area area) {
        for (int k = 0; k < K; ++k) {
            if (magnitude_bits(x[k]) >= infinity_bits<T> || magnitude_bits(y[k]) >= infinity_bits<T>) {
                special_.add(gather::special_value(x[k], y[k]), false);
                x[k] = padding().first;
                y[k] = padding().second;
            }
            if constexpr (!Distance) signs_ &= view::high_word(x[k]) ^ view::high_word(y[k]);
        }
        extent const e = extent_of<true>(x, y);
        place(e, Together ? max_warp(e.top) : e.top, area);
        bool const lie = lies(e, size, windows_.q()), held = Together ? __all_sync(all_lanes, lie) : lie;
        constexpr int group = K % 4 == 0 ? 4 : K % 2 == 0 ? 2 : 1;
#pragma unroll 1
        for (int k = 0; k < K; k += group) {
            T a[group], b[group];
            for (int g = 0; g < group; ++g) a[g] = x[g], b[g] = y[g];
#pragma unroll 1
            for (int g = 0; !held && g < group; ++g) {
                T const one[1] = {a[0]}, other[1] = {b[0]};
                if (!lies(extent_of<true>(one, other), size, windows_.q())) {
                    take_alone(one[0], other[0], area);
                    a[0] = padding().first;
                    b[0] = padding().second;
                }
                move_round<1, group>(a);
                move_round<1, group>(b);
            }
            add<true>(a, b);
            move_round<group, K>(x);
            move_round<group, K>(y);
        }
    }
    /// Moves the windows, by multiples of 8 binades, to 4 to 12 above 2^top, below which are all terms of a warp, so
    /// that it moves them to one place: where they miss some or have all near their lower end, and hold all there.
    /// Terms of all magnitudes would move them to and fro.
    __device__ __forceinline__ void place(extent const& e, int top, spill_area area) {
        constexpr int own = 2 * float_format<T>::significand_bits + 2;  // bits of a term
        if (lies(e, size, windows_.q()) && top >= windows_.q() - window_step * (fast - 1) + own + 8) return;
        int const wanted = room_above(top - product_windows::reach_binades);
        int const q = wanted > windows_.highest ? windows_.highest : wanted < windows_.lowest ? windows_.lowest : wanted;
        if (lies(e, size, q)) windows_.move(q, area);
    }
    /// Finite floats whose term the windows do not hold.
    __device__ __forceinline__ void take_alone(T x, T y, spill_area area) {
        constexpr int bits = 2 * (float_format<T>::significand_bits + 1);
        auto const a = decompose(x), b = decompose(y);
        std::conditional_t<narrow, std::int64_t, int128> const left = a.significand, right = b.significand;
        if constexpr (Distance) {
            windows_.template spill<bits>(left * left, 2 * a.exponent, area);
            windows_.template spill<bits>(right * right, 2 * b.exponent, area);
        }
        windows_.template spill<bits>(Distance ? -left * right : left * right, a.exponent + b.exponent + Distance, area);
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
                T const a = x[u][v].first, b = x[u][v].second;
                if constexpr (Distance) {
                    add(product(a, a), 1);
                    add(product(a, b), -2);
                    add(product(b, b), 1);
                } else {
                    add(product(a, b), 1);
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
    /// In 128 bits, which those of uint64 fill.
    __device__ __forceinline__ static int128 product(T a, T b) {
        if constexpr (std::is_signed_v<T> || sizeof(T) < 8) return int128{a} * b;
        else return static_cast<int128>(uint128{a} * b);
    }
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
