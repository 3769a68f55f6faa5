// The long accumulator: a fixed-point number wide enough for any sum of finite items, so that adding is integer
// addition, which commutes and associates. Limbs are carry-save: an addition touches three limbs and no carry travels
// until it must. (The idea of Kulisch's accumulator, with the redundant limbs of Neal's "small superaccumulator",
// arXiv:1505.05571.)
#pragma once

#include "../types.hpp"

namespace warpfold::exact {

/// The integer sum of limb[i] · 2^(Low + 32 i). Holds any sum of fewer than 2^63 values v · 2^e whose bits lie in
/// [2^Low, 2^High).
template <int Low, int High>
struct fixed_point {
    static constexpr int low = Low;
    static constexpr int limbs = (High - Low + 64 + 31) / 32 + 2;
    /// An addition or a merge raises |limb| by less than 2^32 a pending unit: 2^30 of them stay far inside 63 bits.
    static constexpr std::uint32_t most_pending = 1U << 30;
    /// How many limbs a loop of device code takes at once: of doubles four, for unrolled such loops were half of a
    /// kernel (variance, nvcc 13.0: 28,800 instructions instead of 17,400); of others all, which then are registers.
    static constexpr int at_once = limbs > 64 ? 4 : limbs;

    std::int64_t limb[limbs] = {};
    std::uint32_t pending = 0;

    /// Adds value · 2^exponent; exponent ≥ Low.
    WARPFOLD_HD void add(std::int64_t value, int exponent) {
        int const offset = exponent - Low;
        int const first = offset >> 5;
        int128 const shifted = static_cast<int128>(value) * (int128{1} << (offset & 31));
        limb[first] += static_cast<std::uint32_t>(shifted);
        limb[first + 1] += static_cast<std::uint32_t>(shifted >> 32);
        limb[first + 2] += static_cast<std::int64_t>(shifted >> 64);
        if (++pending >= most_pending) carry();
    }

    /// The same for a value of up to 127 bits.
    WARPFOLD_HD void add(int128 value, int exponent) {
        add(static_cast<std::int64_t>(static_cast<std::uint32_t>(value)), exponent);
        add(static_cast<std::int64_t>(static_cast<std::uint32_t>(value >> 32)), exponent + 32);
        add(static_cast<std::int64_t>(value >> 64), exponent + 64);
    }

    WARPFOLD_HD void merge(fixed_point const& other) {
        if (other.pending == 0) return;  // nothing was added to it
        if (pending + other.pending >= most_pending) carry();
        for (int i = 0; i < limbs; ++i) limb[i] += other.limb[i];
        pending += other.pending + 1;
    }

    /// Moves carries up: afterwards every limb but the last is in [0, 2^32), and the last carries the sign.
    WARPFOLD_HD void carry() {
        std::int64_t up = 0;
        WARPFOLD_UNROLL(at_once)
        for (int i = 0; i + 1 < limbs; ++i) {
            std::int64_t const sum = limb[i] + up;
            limb[i] = static_cast<std::uint32_t>(sum);
            up = sum >> 32;
        }
        limb[limbs - 1] += up;
        pending = 1;
    }
};

/// The accumulator for sums of items of type T, and the one for sums of products of two of them.
template <class T>
using sum_of = fixed_point<exponent_range<T>::low, exponent_range<T>::high>;
template <class T>
using sum_of_products = fixed_point<2 * exponent_range<T>::low, 2 * exponent_range<T>::high>;

}  // namespace warpfold::exact
