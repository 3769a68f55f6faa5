// Exact sums of the squares of integers.
#pragma once

#include "integer_sums.hpp"

namespace warpfold::device {

template <class T>
class integer_squares<T, true> {
    /// Squares of 64-bit items fill 128 bits: their upper and lower words are summed apart.
    static constexpr int parts = sizeof(T) < 8 ? 1 : 2;

  public:
    struct totals {
        wide_integer<4> part[parts];

        __device__ __forceinline__ void merge(totals const& later) {
            for (int i = 0; i < parts; ++i) part[i] += later.part[i].value();
        }
        __device__ __forceinline__ void merge_warp() {
            for (auto& p : part) p = sum_warp(p);
        }
        /// Whether all of it fits 127 bits.
        __device__ bool fits() const { return parts == 1 || part[parts - 1].value() < int128{1} << 60; }
        __device__ __forceinline__ void add_to(exact::short_sum<0>& sum) const {
            for (int i = 0; i < parts; ++i) sum.value += part[i].value() << (64 * i);
        }
        template <class Limbs>
        __device__ void add_to(Limbs& sum) const {
            for (int i = 0; i < parts; ++i) sum.add(part[i].value(), 64 * i);
        }
    };

    __device__ __forceinline__ void take(T x) {
        if constexpr (parts == 1) {
            using product = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::uint64_t>;
            auto const m = static_cast<product>(folds::magnitude_of(x));
            sum_[0] += static_cast<product>(m * m);
        } else {
            std::uint64_t const m = folds::magnitude_of(x);
            uint128 const square = static_cast<uint128>(m) * m;
            sum_[0] += static_cast<std::uint64_t>(square);
            sum_[1] += static_cast<std::uint64_t>(square >> 64);
        }
    }
    /// sum + the squares of four items of 8 bits.
    __device__ __forceinline__ static int add_bytes(std::uint32_t four, int sum) {
        return add_products_of_bytes<std::is_signed_v<T>>(four, four, sum);
    }
    __device__ __forceinline__ void take_sum(int sum) { sum_[0] += static_cast<second_sum>(sum); }
    __device__ __forceinline__ totals settle() const {
        totals t;
        for (int i = 0; i < parts; ++i) t.part[i] += static_cast<int128>(sum_[i]);
        return t;
    }

  private:
    using second_sum = std::conditional_t<(sizeof(T) < 4), std::uint64_t, uint128>;
    second_sum sum_[parts] = {};
};

}  // namespace warpfold::device
