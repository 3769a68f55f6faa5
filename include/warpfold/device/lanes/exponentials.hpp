// Lanes of exponential terms, for log Σ exp(x).
#pragma once

#include "../../folds/logsumexp.hpp"
#include "float_sums.hpp"

namespace warpfold::device {

/// Tiles that lie in the top bin add their terms to registers; others go item by item into bins in shared memory.
template <class T, class Float>
class lane<folds::exponentials<T, Float>> {
    using gather = folds::exponentials<T, Float>;
    static constexpr int bins = gather::bins, fraction_bits = gather::fraction_bits;
    static constexpr bool narrow = std::is_same_v<Float, float>;
    /// Terms are below 2^12 and multiples of 2^-fraction_bits: one window for float, two for double.
    static constexpr int parts = narrow ? 1 : 2;
    WARPFOLD_HD static constexpr int unit(int part) { return part == parts - 1 ? -fraction_bits : -38; }
    static constexpr int endurance = 1 << 11;

  public:
    struct partial {
        index_t nans = 0;
        index_t positive_infinities = 0;
        wide_integer<4> bin[bins];
        Float top = -infinity_of<Float>;
    };
    static constexpr int spill_words = 0, private_words = 2 * bins;
    static constexpr lane_needs needs{.tiles_ahead = true};
    __device__ static T padding()
        requires is_float<T>
    {
        using bits = typename float_format<T>::bits;
        return bits_as<T>(static_cast<bits>(infinity_bits<T> | bits{1} << (8 * sizeof(bits) - 1)));
    }

    __device__ __forceinline__ lane(gather const&, thread_memory memory) : memory_{memory} {
        for (int i = 0; i < private_words; ++i) memory_.word(i) = 0;
    }

    template <int U, int V>
    __device__ __forceinline__ void take(T const (&given)[U][V], index_t, index_t, spill_area) {
        constexpr int K = U * V;
        Float const home = -4 * top_;
        Float x[K], quarter[K];
        std::uint32_t upper = 0;
#pragma unroll
        for (int k = 0; k < K; ++k) {
            x[k] = convert(given[k / V][k % V]);
            quarter[k] = std::fma(x[k], Float{0.25}, home);
            upper |= static_cast<std::uint32_t>(bits_as<typename float_format<Float>::bits>(quarter[k]) >> (8 * sizeof(Float) - 32));
        }
        // All closer than 8 to the middle of the top bin, also before this rounding, which is monotone: no quarter has
        // 2.
        if (upper & 0x40000000U) return take_slowly(x);
#pragma unroll
        for (int k = 0; k < K; ++k) {
            double v = folds::exponential_of_four(quarter[k]);
#pragma unroll
            for (int p = 0; p < parts; ++p) {
                double const t = v + magic(p);
                total_[p] += bits_as<std::uint64_t>(t);
                v -= t - magic(p);
            }
        }
        adds_ += K;
        if (adds_ > endurance - K) keep();
    }

    template <class Input>
    __device__ __forceinline__ partial settle(Input const&, spill_area) {
        keep();
        partial p;
        p.nans = nans_;
        p.positive_infinities = infinities_;
        p.top = top_;
        for (int b = 0; b < bins; ++b) p.bin[b] += bin(b);
        return p;
    }
    __device__ __forceinline__ static partial identity(gather const&) { return {}; }
    __device__ __forceinline__ static void merge(gather const&, partial& p, partial later) {
        p.nans += later.nans;
        p.positive_infinities += later.positive_infinities;
        Float const top = later.top > p.top ? later.top : p.top;
        lower(p, top);
        lower(later, top);
        for (int b = 0; b < bins; ++b) p.bin[b] += later.bin[b].value();
    }
    __device__ __forceinline__ static void merge_warp(gather const&, partial& p) {
        Float top = p.top;
#pragma unroll
        for (int distance = 1; distance < warp_lanes; distance *= 2) {
            Float const other = __shfl_xor_sync(all_lanes, top, distance);
            top = other > top ? other : top;
        }
        lower(p, top);
        for (auto& terms : p.bin) terms = sum_warp(terms);
        if (!__any_sync(all_lanes, (p.nans | p.positive_infinities) != 0)) return;
        p.nans = static_cast<index_t>(sum_warp(int128{p.nans}));
        p.positive_infinities = static_cast<index_t>(sum_warp(int128{p.positive_infinities}));
    }
    __device__ static bool fits(partial const&) { return true; }
    __device__ static auto brief(gather const&, partial const& p, index_t items, spill_area) {
        typename gather::state s;
        s.items = items;
        s.nans = p.nans;
        s.positive_infinities = p.positive_infinities;
        s.top = p.top;
        for (int b = 0; b < bins; ++b) s.bin[b] = static_cast<uint128>(p.bin[b].value());
        return s;
    }
    __device__ static auto full(gather const& g, partial const& p, index_t items, spill_area area) {
        return brief(g, p, items, area);
    }

  private:
    __device__ __forceinline__ static Float convert(T x) {
        if constexpr (is_integer<T> || std::is_same_v<T, double>) return static_cast<Float>(x);
        else return static_cast<Float>(widen(x));
    }
    __device__ __forceinline__ static constexpr double magic(int part) { return 1.5 * power_of_two(52 + unit(part)); }

    /// Makes `top`, which is not below p's, the top of p.
    __device__ __forceinline__ static void lower(partial& p, Float top) {
        if (!(p.top < top)) return;
        Float const distance = top - p.top;  // in bins
        p.top = top;
#pragma unroll 1
        for (int left = distance < Float{bins} ? static_cast<int>(distance) : bins; left > 0; --left) {
#pragma unroll
            for (int b = bins - 1; b > 0; --b) p.bin[b] = p.bin[b - 1];
            p.bin[0] = {};
        }
    }

    __device__ __forceinline__ int128 bin(int b) const {
        return memory_.wide(2 * b);
    }
    __device__ __forceinline__ void set_bin(int b, int128 value) {
        memory_.set_wide(2 * b, value);
    }
    /// Empties the registers into bin 0.
    __device__ __forceinline__ void keep() {
#pragma unroll
        for (int p = 0; p < parts; ++p) {
            std::uint64_t const excess = static_cast<std::uint64_t>(adds_) * bits_as<std::uint64_t>(magic(p));
            auto const sum = static_cast<std::int64_t>(total_[p] - excess);
            set_bin(0, bin(0) + (static_cast<int128>(sum) << (unit(p) + fraction_bits)));
            total_[p] = 0;
        }
        adds_ = 0;
    }

    /// Items of any kind.
    template <int K>
    __device__ __forceinline__ void take_slowly(Float const (&x)[K]) {
        keep();
#pragma unroll
        for (int k = 0; k < K; ++k) {
            if (is_nan(x[k])) {
                ++nans_;
            } else if (is_infinite(x[k])) {
                infinities_ += x[k] > 0;
            } else {
                Float const b = folds::exponential_bin(x[k]);
                if (b > top_) raise(b);
                Float const distance = top_ - b;
                if (distance < Float{bins}) {
                    auto const at = static_cast<int>(distance);
                    set_bin(at, bin(at) + static_cast<int128>(gather::to_fixed(folds::exponential_in_bin(x[k], b))));
                }
            }
        }
    }
    __device__ __forceinline__ void raise(Float top) {
        Float const distance = top - top_;
        int const shift = distance < Float{bins} ? static_cast<int>(distance) : bins;
#pragma unroll 1
        for (int b = bins - 1; b >= 0; --b) set_bin(b, b >= shift ? bin(b - shift) : 0);
        top_ = top;
    }

    thread_memory memory_;
    Float top_ = -infinity_of<Float>;
    std::uint64_t total_[parts] = {};  // modulo 2^64
    int adds_ = 0;
    index_t nans_ = 0;
    index_t infinities_ = 0;
};

}  // namespace warpfold::device
