// Results by two doubles, in programs that are compiled in several ways: whatever a compiler fuses or vectorizes, what
// they give is within their error.
#include <gmpxx.h>
#include <gtest/gtest.h>

#include <cmath>

#include "random.hpp"
#include "reference.hpp"
#include "warpfold/exact/near_double.hpp"

namespace {

using testing_data::cases;
using testing_data::random_bits;
using wf::exact::near_double;

mpq_class value(near_double const& x) { return mpq_class{x.high} + mpq_class{x.low}; }

/// How often operations are further off than they say.
class watch {
  public:
    void operator()(near_double const& found, mpq_class const& exact) {
        ++cases_;
        far_ += abs(value(found) - exact) > mpq_class{found.error};
    }
    ~watch() { EXPECT_EQ(far_, 0) << "of " << cases_; }

  private:
    std::int64_t cases_ = 0, far_ = 0;
};

/// As ends of sums are, to within 2^-100 of themselves.
near_double some_sum(random_bits& random) {
    double const high = std::ldexp(static_cast<double>(random() >> 11), random.between(-80, -20)) + 1e-3;
    double const low = high * 0x1p-54 * (static_cast<double>(random() >> 11) * 0x1p-52 - 1);
    return near_double::of(high, low, high * 0x1p-100);
}

// Out of line, so that a compiler sees each by itself, as it does at the end of a user's call.
[[gnu::noinline]] near_double square(near_double const& a) { return a.square(); }
[[gnu::noinline]] near_double less_square(near_double const& a) { return -a.square(); }
[[gnu::noinline]] near_double over(near_double const& a, std::uint64_t n) { return a.over(n); }
[[gnu::noinline]] near_double less_over(near_double const& a, std::uint64_t n) { return -a.over(n); }
[[gnu::noinline]] near_double square_over(near_double const& a, std::uint64_t n) { return a.square().over(n); }
[[gnu::noinline]] near_double sum(near_double const& a, near_double const& b) { return a + b; }
[[gnu::noinline]] near_double difference(near_double const& a, near_double const& b) { return b + -a.square(); }

TEST(near_double, operations_are_within_their_error) {
    random_bits random{17};
    watch squares, less_squares, quotients, less_quotients, quotients_of_squares, sums, differences;
    for (auto i = cases(200'000); i > 0; --i) {
        near_double const a = some_sum(random), b = some_sum(random);
        std::uint64_t const n = random() >> random.between(11, 63) | 1;
        mpq_class const items{mpz_class{n}}, x = value(a);
        // What is known of a to within its error is known of its square to within twice that, times it: the operation
        // says all of it.
        squares(square(a), x * x);
        less_squares(less_square(a), -x * x);
        quotients(over(a, n), x / items);
        less_quotients(less_over(a, n), -x / items);
        quotients_of_squares(square_over(a, n), x * x / items);
        sums(sum(a, b), x + value(b));
        differences(difference(a, b), value(b) - x * x);
    }
}

[[gnu::noinline]] double mean(near_double const& a, std::uint64_t n) { return wf::exact::round_quotient<double>(a, n); }
[[gnu::noinline]] double root(near_double const& a) { return wf::exact::round_root<double>(a); }
template <bool Root>
[[gnu::noinline]] double spread(near_double const& first, near_double const& second, std::uint64_t n) {
    return wf::exact::round_spread<double, Root>(first, second, n, 1);
}
double nearest(mpq_class const& x, bool root = false) { return reference::nearest<double>(x.get_num(), x.get_den(), 0, root); }

TEST(near_double, decide_no_other_result_than_the_nearest) {
    random_bits random{18};
    std::int64_t decided = 0, wrong = 0;
    auto const check = [&](double found, mpq_class const& exact, bool root = false) {
        if (std::isnan(found)) return;
        ++decided;
        wrong += found != nearest(exact, root);
    };
    auto const count = cases(100'000);
    for (auto i = count; i > 0; --i) {
        std::uint64_t const n = static_cast<std::uint64_t>(random.between(2, 1 << random.between(1, 30)));
        near_double const deviation = some_sum(random), a = some_sum(random);
        check(mean(a, n), value(a) / mpz_class{n});
        check(root(a), value(a), true);
        // Of n items near their mean: Σ x² = (Σ x)² / n and what they deviate by.
        mpq_class const whole = value(a) * value(a) / mpz_class{n} + value(deviation);
        double const high = whole.get_d();
        near_double const squares = near_double::of(high, mpq_class{whole - high}.get_d(), high * 0x1p-100);
        mpq_class const variance = (value(squares) - value(a) * value(a) / mpz_class{n}) / mpz_class{n - 1};
        check(spread<false>(a, squares, n), variance);
        check(spread<true>(a, squares, n), variance, true);
    }
    EXPECT_EQ(wrong, 0);
    EXPECT_GT(decided, 3 * count);
}

}  // namespace
