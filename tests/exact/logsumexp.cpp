// logsumexp within its documented bound: terms to 2^-21 (float) or 2^-50 (double) relative, and what is dropped.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "random.hpp"
#include "warpfold/warpfold.hpp"

namespace {

using testing_data::cases;

template <class T>
struct logsumexp : testing::Test {};
using item_types = testing::Types<wf::float16, wf::bfloat16, float, double>;
TYPED_TEST_SUITE(logsumexp, item_types);

template <class T>
double value_of(T x) {
    return static_cast<double>(static_cast<wf::float_result<T>>(x));
}

/// log Σ exp(x) to about 200 bits, less `shift`.
class by_mpfr {
  public:
    by_mpfr() {
        mpfr_set_emin(mpfr_get_emin_min());
        mpfr_set_emax(mpfr_get_emax_max());
        mpfr_inits2(200, sum_, term_, nullptr);
    }
    ~by_mpfr() { mpfr_clears(sum_, term_, nullptr); }
    by_mpfr(by_mpfr const&) = delete;
    by_mpfr& operator=(by_mpfr const&) = delete;

    /// |computed − log Σ exp(x)|.
    template <class T>
    double error_of(double computed, std::vector<T> const& items) {
        double top = value_of(items[0]);
        for (T const x : items) top = std::max(top, value_of(x));
        mpfr_set_zero(sum_, 1);
        for (T const x : items) {
            mpfr_set_d(term_, value_of(x), MPFR_RNDN);
            mpfr_sub_d(term_, term_, top, MPFR_RNDN);
            mpfr_exp(term_, term_, MPFR_RNDN);
            mpfr_add(sum_, sum_, term_, MPFR_RNDN);
        }
        mpfr_log(sum_, sum_, MPFR_RNDN);
        mpfr_add_d(sum_, sum_, top, MPFR_RNDN);
        mpfr_sub_d(sum_, sum_, computed, MPFR_RNDN);
        return std::abs(mpfr_get_d(sum_, MPFR_RNDN));
    }

  private:
    mpfr_t sum_, term_;
};

/// A relative error of all terms is an absolute error of the logarithm; then one rounding, of half a last place.
template <class Float>
double bound(Float result, std::size_t items) {
    bool const single = std::is_same_v<Float, float>;
    double const terms = single ? 0x1p-21 : 0x1p-50;
    double const dropped = static_cast<double>(items) * std::exp(single ? -48.0 : -80.0);
    double const half_place = (std::nextafter(std::abs(result), std::numeric_limits<Float>::infinity()) - std::abs(result)) / Float{2};
    return terms + dropped + half_place;
}

template <class T>
T some_item(testing_data::random_bits& random, int kind, double centre) {
    double const unit = static_cast<double>(random() >> 11) * 0x1p-53;
    switch (kind) {
        case 0: return testing_data::item_of<T>(unit);
        case 1: return testing_data::item_of<T>(centre + 40 * unit);
        case 2: return testing_data::item_of<T>(-200 * unit);
        case 3: return testing_data::item_of<T>(16 * random.between(-9, 9) + 8);  // where bins meet
        default: return testing_data::any_finite<T>(random);
    }
}

TYPED_TEST(logsumexp, is_within_its_bound) {
    using T = TypeParam;
    testing_data::random_bits random{21};
    by_mpfr reference;
    constexpr double far = std::is_same_v<T, wf::float16> ? 6e4 : 1e6;
    double worst = 0;
    for (std::int64_t i = 0; i < cases(60'000); ++i) {
        int const n = random.chance(300) ? random.between(60, 3000) : random.between(1, 12);
        int const kind = random.between(0, 4);
        double const centre = random.chance(2) ? value_of(testing_data::any_finite<T>(random)) : 0;
        std::vector<T> items;
        for (int k = 0; k < n; ++k) items.push_back(some_item<T>(random, kind, std::clamp(centre, -far, far)));
        auto const result = wf::reduce(items, wf::logsumexp);
        double const error = reference.error_of(result, items), allowed = bound(result, items.size());
        ASSERT_LE(error, allowed) << "result " << result << " of " << n << " items of kind " << kind << ", the first "
                                  << std::hexfloat << value_of(items[0]);
        worst = std::max(worst, error / allowed);
    }
    testing::Test::RecordProperty("worst_error_of_bound", std::to_string(worst));
}

template <class Float>
struct logsumexp_of_wide : testing::Test {};
using wide_types = testing::Types<float, double>;
TYPED_TEST_SUITE(logsumexp_of_wide, wide_types);

TYPED_TEST(logsumexp_of_wide, of_values_beyond_the_range_of_exp) {
    using Float = TypeParam;
    // The steps between such values are wider than a bin: the greatest decides alone, however often it comes.
    for (int exponent : {22, 23, 24, 25, 26, 27, 28, 29, 30, 40, 50, 52, 53, 54, 55, 56, 57, 58, 60, 100}) {
        for (Float const sign : {Float{1}, Float{-1}}) {
            Float const x = sign * static_cast<Float>(std::ldexp(1.0, exponent));
            Float const down = std::nextafter(x, -std::numeric_limits<Float>::infinity());
            Float const further = std::nextafter(down, -std::numeric_limits<Float>::infinity());
            std::vector<Float> items(100, x);
            items.insert(items.end(), 50, down);
            items.insert(items.end(), 70, further);
            by_mpfr reference;
            do {
                auto const result = wf::reduce(items, wf::logsumexp);
                ASSERT_LE(reference.error_of(result, items), bound(result, items.size())) << exponent << " " << result;
                std::rotate(items.begin(), items.begin() + 55, items.end());
            } while (items[0] != x);
        }
    }
}

}  // namespace
