// Generated items that are hard to sum: the kinds that broke summation schemes before, and those at rounding
// boundaries.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "random.hpp"

namespace testing_data {

enum class kind {
    full_range, narrow, cancelling, halfway, subnormal, overflowing, special, negative_zeros, short_spread, right_triangle,
    count
};

/// Fills `items` with a case. Precision is that of the result whose rounding boundaries are sought.
template <class T>
class case_generator {
  public:
    explicit case_generator(std::uint64_t seed) : random_{seed} {}

    void next(std::vector<T>& items, int precision) {
        items.clear();
        int const n = random_.chance(500) ? random_.between(60, 300) : random_.between(0, 7);
        switch (static_cast<kind>(random_.between(0, static_cast<int>(kind::count) - 1))) {
            case kind::full_range: fill(items, n, 0, largest_field<T>); break;
            case kind::narrow: narrow(items, n); break;
            case kind::cancelling: cancel(items, n); break;
            case kind::halfway: halfway(items, precision); break;
            case kind::subnormal: fill(items, n, 0, 2); break;
            case kind::overflowing: overflow(items, precision); break;
            case kind::special: special(items, n); break;
            case kind::negative_zeros: items.assign(static_cast<std::size_t>(n), from_fields<T>(true, 0, 0)); break;
            case kind::short_spread: short_spread(items, precision); break;
            case kind::right_triangle: right_triangle(items, precision); break;
            case kind::count: break;
        }
    }
    random_bits& random() { return random_; }

  private:
    static constexpr int low = wf::exponent_range<T>::low, high = wf::exponent_range<T>::high;

    void fill(std::vector<T>& items, int n, int low_field, int high_field) {
        for (int i = 0; i < n; ++i) {
            std::uint64_t const r = random_();
            items.push_back(from_fields<T>(r & 1, random_.between(low_field, high_field), r >> 1));
        }
    }
    void narrow(std::vector<T>& items, int n) {
        int const field = random_.between(0, largest_field<T>);
        fill(items, n, field, std::min(field + random_.between(0, 8), largest_field<T>));
    }
    /// Pairs that cancel, but for a bit here and there.
    void cancel(std::vector<T>& items, int n) {
        fill(items, n, 0, largest_field<T>);
        for (int i = 0; i < n; ++i) {
            T x = negate(items[static_cast<std::size_t>(i)]);
            if (random_.chance(3)) {
                auto const flipped = static_cast<std::uint64_t>(wf::bits_as<typename wf::float_format<T>::bits>(x)) ^ 1U;
                x = from_bits<T>(flipped);
            }
            items.push_back(x);
        }
        std::shuffle(items.begin(), items.end(), random_);
    }
    /// A value, half a unit of its last place in the result, and perhaps a little more or less.
    void halfway(std::vector<T>& items, int precision) {
        if (high - 1 - precision < low) return fill(items, 3, 0, largest_field<T>);
        int const top = random_.between(low + precision, high - 1);
        bool const negative = random_.chance(2);
        items.push_back(power_of_two<T>(negative, top));
        items.push_back(power_of_two<T>(negative, top - precision));
        if (random_.chance(2)) items.push_back(power_of_two<T>(negative, top - precision + 1));
        if (random_.chance(2)) items.push_back(power_of_two<T>(negative, random_.between(top - precision + 1, top)));
        int const beside = random_.between(0, 3);
        if (beside == 1) items.push_back(power_of_two<T>(!negative, low));
        if (beside == 2) items.push_back(power_of_two<T>(negative, low));
        if (beside == 3) items.push_back(power_of_two<T>(random_.chance(2), random_.between(low, top - precision)));
        // The same mean from more items.
        std::size_t const part = items.size();
        for (int copies = random_.between(0, 3); copies > 0; --copies)
            for (std::size_t i = 0; i < part; ++i) items.push_back(items[i]);
        std::shuffle(items.begin(), items.end(), random_);
    }
    /// At and beside the sum that is the first to round to infinity.
    void overflow(std::vector<T>& items, int precision) {
        bool const negative = random_.chance(2);
        T const largest = from_fields<T>(negative, largest_field<T>, ~std::uint64_t{0});
        items.push_back(largest);
        int const last = high - wf::float_format<T>::significand_bits - 1;
        // Up to the largest result, and half of its last place beyond.
        for (int e = last - 1; e >= std::max(low, high - precision); --e) items.push_back(power_of_two<T>(negative, e));
        if (high - precision - 1 >= low && !random_.chance(4)) items.push_back(power_of_two<T>(negative, high - precision - 1));
        if (random_.chance(2)) items.push_back(power_of_two<T>(random_.chance(2), random_.between(low, last)));
        if (random_.chance(3)) {
            items.push_back(largest);
            if (random_.chance(2)) items.push_back(negate(largest));
        }
        std::shuffle(items.begin(), items.end(), random_);
    }
    void special(std::vector<T>& items, int n) {
        fill(items, n, 0, largest_field<T>);
        for (int i = random_.between(0, 2); i > 0; --i) {
            bool const nan = random_.chance(3);
            items.push_back(from_fields<T>(random_.chance(2), largest_field<T> + 1, nan ? random_() | 1 : 0));
        }
        if (random_.chance(2)) items.push_back(from_fields<T>(true, 0, 0));
        std::shuffle(items.begin(), items.end(), random_);
    }
    /// m ± d with a short d, whose square has one bit more than the result: the variance lies halfway.
    void short_spread(std::vector<T>& items, int precision) {
        int const bits = std::min((precision + 2) / 2, wf::float_format<T>::significand_bits);
        int const scale = random_.between(low, high - bits - 2);
        double const d = static_cast<double>((random_() & ((std::uint64_t{1} << bits) - 1)) | 1);
        T const plus = scaled<T>(d, scale);
        for (int copies = random_.between(1, 3); copies > 0; --copies) {
            items.push_back(plus);
            items.push_back(negate(plus));
        }
        if (random_.chance(3)) items.push_back(power_of_two<T>(false, low));
    }
    /// a² − b² and 2ab: the root of their squares is a² + b², often of one bit more than the result.
    void right_triangle(std::vector<T>& items, int precision) {
        int const bits = std::min(precision, wf::float_format<T>::significand_bits + 1) / 2;
        double const a = static_cast<double>((random_() & ((std::uint64_t{1} << bits) - 1)) | 1);
        double const b = 2 * std::floor(a / 4);
        int const scale = random_.between(low, high - 2 * bits - 3);
        items.push_back(scaled<T>(a * a - b * b, scale));
        items.push_back(scaled<T>(2 * a * b, scale));
        if (random_.chance(3)) items.push_back(power_of_two<T>(false, random_.between(low, scale)));
    }
    /// value · 2^scale for an integer value.
    template <class U>
    static U scaled(double value, int scale) {
        if (value == 0) return from_fields<U>(false, 0, 0);
        int exponent;
        double const fraction = std::frexp(std::abs(value), &exponent);
        auto const significand = static_cast<std::uint64_t>(std::ldexp(fraction, wf::float_format<U>::significand_bits + 1));
        int const field = exponent + scale - low - wf::float_format<U>::significand_bits;
        if (field < 1) return from_fields<U>(value < 0, 0, significand >> std::min(1 - field, 63));
        return from_fields<U>(value < 0, field, significand);
    }

    random_bits random_;
};

}  // namespace testing_data
