// The rounding step and the long accumulator by themselves, and the reference against MPFR.
#include <gtest/gtest.h>
#include <mpfr.h>

#include "random.hpp"
#include "reference.hpp"
#include "warpfold/exact/near_double.hpp"
#include "warpfold/exact/short_quotients.hpp"

namespace {

using testing_data::cases;
using testing_data::random_bits;
namespace exact = wf::exact;

mpz_class to_integer(wf::uint128 x) {
    mpz_class result = static_cast<std::uint64_t>(x >> 64);
    return (result << 64) + mpz_class{static_cast<std::uint64_t>(x)};
}

template <class Float>
struct rounding : testing::Test {};
using floats = testing::Types<float, double>;
TYPED_TEST_SUITE(rounding, floats);

/// numerator / denominator · 2^exponent by MPFR, in the precision and the exponent range of R.
template <class R>
R by_mpfr(mpq_class value, long exponent) {
    mpfr_set_emin(std::numeric_limits<R>::min_exponent - std::numeric_limits<R>::digits + 1);
    mpfr_set_emax(std::numeric_limits<R>::max_exponent);
    mpfr_t x;
    mpfr_init2(x, std::numeric_limits<R>::digits);
    if (exponent >= 0) value.get_num() <<= static_cast<mp_bitcnt_t>(exponent);
    else value.get_den() <<= static_cast<mp_bitcnt_t>(-exponent);
    value.canonicalize();
    int const ternary = mpfr_set_q(x, value.get_mpq_t(), MPFR_RNDN);
    mpfr_subnormalize(x, ternary, MPFR_RNDN);
    double const result = mpfr_get_d(x, MPFR_RNDN);
    mpfr_clear(x);
    return static_cast<R>(result);
}

/// A number of up to 130 bits that is dense, sparse, or a pattern near a rounding boundary.
mpz_class some_integer(random_bits& random) {
    mpz_class value = random();
    if (random.chance(2)) value = (value << 64) + mpz_class{random()};
    int const kind = random.between(0, 3);
    if (kind == 1) value = (mpz_class{1} << static_cast<mp_bitcnt_t>(random.between(0, 130))) + random.between(-1, 1);
    if (kind == 2) value = ((mpz_class{random() >> random.between(0, 60)} * 2 + 1) << static_cast<mp_bitcnt_t>(random.between(0, 60))) + random.between(-1, 1);
    return value;
}

TYPED_TEST(rounding, reference_agrees_with_mpfr) {
    random_bits random{11};
    constexpr int range = std::numeric_limits<TypeParam>::max_exponent + 60;
    for (std::int64_t i = 0; i < cases(200'000); ++i) {
        mpz_class const a = some_integer(random), b = random.chance(2) ? mpz_class{1} : mpz_class{random() | 1};
        int const exponent = random.between(-range - 100, range - 20);
        ASSERT_EQ(reference::nearest<TypeParam>(a, b, exponent), by_mpfr<TypeParam>(mpq_class{a, b}, exponent))
            << a << " / " << b << " * 2^" << exponent;
    }
}

TYPED_TEST(rounding, reference_roots_agree_with_mpfr) {
    random_bits random{12};
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    mpfr_t x, root;
    mpfr_init2(x, 256);
    mpfr_init2(root, std::numeric_limits<TypeParam>::digits);
    for (std::int64_t i = 0; i < cases(100'000); ++i) {
        mpz_class const a = abs(some_integer(random));
        int const exponent = random.between(-200, 200);  // whose roots are normal numbers
        mpfr_set_z_2exp(x, a.get_mpz_t(), exponent, MPFR_RNDN);
        mpfr_sqrt(root, x, MPFR_RNDN);
        if (sgn(a) != 0 && std::abs(mpfr_get_exp(root)) > std::numeric_limits<TypeParam>::max_exponent - 2) continue;
        ASSERT_EQ(reference::nearest<TypeParam>(a, 1, exponent, true), static_cast<TypeParam>(mpfr_get_d(root, MPFR_RNDN)))
            << a << " * 2^" << exponent;
    }
    mpfr_clear(x);
    mpfr_clear(root);
}

TYPED_TEST(rounding, of_128_bits) {
    random_bits random{13};
    constexpr int precision = std::numeric_limits<TypeParam>::digits;
    constexpr int lowest = std::numeric_limits<TypeParam>::min_exponent - precision;
    constexpr int highest = std::numeric_limits<TypeParam>::max_exponent - 128;
    for (std::int64_t i = 0; i < cases(1'000'000); ++i) {
        wf::uint128 bits = static_cast<wf::uint128>(random() | std::uint64_t{1} << 63) << 64 | random();
        int exponent = random.between(lowest - 260, highest + 4);
        if (random.chance(3)) exponent = random.between(lowest - 131, lowest - 60);
        if (random.chance(2)) {  // at a boundary of the result's last place, or one bit beside
            int const drop = std::max(128 - precision, lowest - exponent);
            wf::uint128 const half = drop <= 128 ? wf::uint128{1} << (drop - 1) : 0;
            bits = (bits & ~(half * 2 - 1)) | half | wf::uint128{1} << 127;
            if (drop == 128) bits = half;
            int const beside = random.between(-1, 1);
            if (beside > 0 || bits > wf::uint128{1} << 127) bits += static_cast<wf::uint128>(static_cast<wf::int128>(beside));
        }
        bool const sticky = random.chance(2), negative = random.chance(2);
        mpz_class value = to_integer(bits) * 2 + (sticky ? 1 : 0);
        if (negative) value = -value;
        auto const expected = reference::nearest<TypeParam>(value, exponent - 1);
        auto const actual = exact::round<TypeParam>(negative, bits, exponent, sticky);
        // The reference has one zero only.
        ASSERT_EQ(actual, expected) << value << " * 2^" << exponent - 1;
        ASSERT_EQ(std::signbit(actual), negative);
    }
}

/// A window of the long accumulator's range that is cheap to generate in.
using accumulator = exact::sum_of<double>;

TYPED_TEST(rounding, of_accumulators_quotients_and_roots) {
    random_bits random{14};
    for (std::int64_t i = 0; i < cases(300'000); ++i) {
        accumulator sum;
        mpz_class total;
        int const base = random.between(-1074, 900);
        for (int k = random.between(0, 6); k > 0; --k) {
            int const exponent = random.chance(8) ? random.between(-1074, 1023 - 64) : std::min(base + random.between(0, 100), 1023 - 64);
            auto const value = static_cast<std::int64_t>(random()) >> random.between(0, 63);
            if (random.chance(2)) {
                sum.add(value, exponent);
                total += mpz_class{value} << static_cast<mp_bitcnt_t>(exponent + 1074);
            } else {
                accumulator part;
                auto const wide = static_cast<wf::int128>(value) * static_cast<std::int64_t>(random() >> random.between(1, 63));
                part.add(wide, exponent);
                if (random.chance(2)) part.carry();
                sum.merge(part);
                mpz_class const magnitude = to_integer(static_cast<wf::uint128>(wide < 0 ? -wide : wide));
                total += (wide < 0 ? -magnitude : magnitude) << static_cast<mp_bitcnt_t>(exponent + 1074);
            }
            if (random.chance(4)) sum.carry();
        }
        ASSERT_EQ(exact::round<TypeParam>(sum), reference::nearest<TypeParam>(total, -1074)) << total;
        std::uint64_t const n = (random() >> random.between(1, 63)) | 1;
        ASSERT_EQ(exact::round_quotient<TypeParam>(sum, n), reference::nearest<TypeParam>(total, n, -1074)) << total << " / " << n;
        bool negative;
        auto const magnitude = exact::magnitude<4>(sum, negative);
        ASSERT_EQ(exact::round_root<TypeParam>(magnitude, -1074 - 128, false), reference::nearest<TypeParam>(abs(total), 1, -1074, true)) << total;
    }
}

TEST(integer_root, is_exact_next_to_every_square) {
    auto const check = [](wf::uint128 x) {
        mpz_class const given = to_integer(x), wanted = sqrt(given);
        bool inexact;
        ASSERT_EQ(mpz_class{exact::integer_root(x, inexact)}, wanted) << given;
        ASSERT_EQ(inexact, wanted * wanted != given) << given;
    };
    random_bits random{20};
    wf::uint128 const least = wf::uint128{1} << 126;
    for (wf::uint128 const x : {least, least + 1, ~wf::uint128{0}, ~wf::uint128{0} - 1}) check(x);
    for (std::int64_t i = 0; i < cases(200'000); ++i) {
        // Also roots next to 2^64, where a guess is clamped and a step might wrap.
        bool const close = random.chance(4);
        std::uint64_t const root = close ? ~(random() >> random.between(50, 63)) : random() | std::uint64_t{1} << 63;
        auto const square = static_cast<wf::uint128>(root) * root;
        check(square);
        check(square - 1);
        check(square + 2 * static_cast<wf::uint128>(root));
        check(square + (random() & root));
    }
}

/// value · 2^exponent as two doubles.
exact::near_double near(wf::int128 value, int exponent) {
    exact::near_double sum{};
    for (int const shift : {86, 43, 0}) {
        auto const piece = static_cast<std::int64_t>(value >> shift);
        auto const units = shift == 86 ? piece : piece & ((std::int64_t{1} << 43) - 1);
        sum = sum + exact::near_double{std::ldexp(static_cast<double>(units), exponent + shift), 0, 0};
    }
    return sum;
}
/// What is near either has the same result or says that it does not.
template <class R>
struct decided_or_equal {
    int asked = 0, decided = 0;

    void check(R got, R wanted, std::int64_t at) {
        ++asked;
        if (std::isnan(got)) return;
        ++decided;
        ASSERT_EQ(got, wanted) << at;
    }
};

/// Sums that fit 127 bits, of every length, and halfway between two results or nearly so.
TYPED_TEST(rounding, short_sums_of_any_length) {
    random_bits random{22};
    for (std::int64_t i = 0; i < cases(1'000'000); ++i) {
        auto bits = static_cast<wf::uint128>(random()) << 63 | random() >> 1;
        bits >>= random.between(0, 126);
        if (random.chance(2)) {  // few bits set, at the upper end and the lower
            int const zeros = random.between(0, 126);
            bits = bits >> zeros << zeros;
            if (random.chance(2)) bits ^= 1;
        }
        auto const value = static_cast<wf::int128>(bits) * (random.chance(2) ? 1 : -1);
        exact::short_sum<-87> const sum{value};
        ASSERT_EQ(exact::round<TypeParam>(sum), exact::round<TypeParam>(exact::lengthened<64>(sum))) << i;
    }
}

/// Quotients and roots of sums that fit 127 bits, and of their approximations, against those of long ones.
TYPED_TEST(rounding, short_sums_agree_with_long_ones) {
    constexpr int low = -89;
    random_bits random{21};
    decided_or_equal<TypeParam> by_two_doubles, by_one;
    for (std::int64_t i = 0; i < cases(300'000); ++i) {
        // Items with weights; of two opposite ones of few bits the variance often lies halfway between two floats.
        wf::int128 first = 0, second = 0;
        std::uint64_t n = 0;
        int const bits = random.between(1, 30), items = random.between(1, 4);
        bool const opposite = random.chance(3);
        for (int k = 0; k < items; ++k) {
            std::int64_t const x = static_cast<std::int64_t>(random() >> (64 - bits)) - (random.chance(2) ? 1 << (bits - 1) : 0);
            std::uint64_t const weight = random() >> random.between(28, 63);
            auto const times = static_cast<wf::int128>(weight);
            n += opposite ? 2 * weight : weight;
            first += opposite ? 0 : times * x;
            second += times * x * x * (opposite ? 2 : 1);
        }
        if (n == 0) continue;
        if (random.chance(8)) second += static_cast<wf::int128>(random() >> random.between(0, 63));
        exact::short_sum<low> const value{first};
        exact::short_sum<2 * low> const square{second};
        auto const long_value = exact::lengthened<64>(value);
        auto const long_square = exact::lengthened<128>(square);
        std::uint64_t const ddof = random.chance(2) ? 0 : random() % n;
        ASSERT_EQ(exact::round_quotient<TypeParam>(value, n), exact::round_quotient<TypeParam>(long_value, n)) << i;
        ASSERT_EQ(exact::round_quotient<TypeParam>(square, n), exact::round_quotient<TypeParam>(long_square, n)) << i;
        ASSERT_EQ(exact::round_root<TypeParam>(square), exact::round_root<TypeParam>(long_square)) << i;
        ASSERT_EQ((exact::round_spread<TypeParam, false>(value, square, n, ddof)),
                  (exact::round_spread<TypeParam, false>(long_value, long_square, n, ddof)))
            << i;
        ASSERT_EQ((exact::round_spread<TypeParam, true>(value, square, n, ddof)),
                  (exact::round_spread<TypeParam, true>(long_value, long_square, n, ddof)))
            << i;
        auto const check_all = [&](auto& those, auto const& a, auto const& b) {
            those.check(exact::round<TypeParam>(a), exact::round<TypeParam>(long_value), i);
            those.check(exact::round_quotient<TypeParam>(a, n), exact::round_quotient<TypeParam>(long_value, n), i);
            those.check(exact::round_root<TypeParam>(b), exact::round_root<TypeParam>(long_square), i);
            those.check(exact::round_spread<TypeParam, false>(a, b, n, ddof), exact::round_spread<TypeParam, false>(long_value, long_square, n, ddof), i);
            those.check(exact::round_spread<TypeParam, true>(a, b, n, ddof), exact::round_spread<TypeParam, true>(long_value, long_square, n, ddof), i);
        };
        check_all(by_two_doubles, near(first, low), near(second, 2 * low));
        // As far off as the errors allow that shortcuts give them, a quarter.
        double const root = std::sqrt(static_cast<double>(second) / static_cast<double>(n));
        double const most = std::ldexp(std::fmax(std::ldexp(1.0, bits), 2 * root), low), error = 0x1p-46 * static_cast<double>(n) * most, off = random.between(-4, 4) / 16.0;
        check_all(by_one, exact::near_sum{near(first, low).high + off * error, error},
                  exact::near_sum{near(second, 2 * low).high - off * error * most, error * most});
    }
    EXPECT_GT(by_two_doubles.decided, by_two_doubles.asked / 2);
    if constexpr (std::is_same_v<TypeParam, float>) EXPECT_GT(by_one.decided, by_one.asked / 4);
    else EXPECT_EQ(by_one.decided, 0);
}

TEST(fixed_point, carries_before_limbs_overflow) {
    // As if most_pending − 4 additions had happened: the limbs at their largest.
    accumulator sum;
    mpz_class total;
    std::uint32_t const before = accumulator::most_pending - 4;
    for (int i = 0; i < 3; ++i) {
        sum.limb[i] = static_cast<std::int64_t>(before) * 0xffffffff;
        total += mpz_class{sum.limb[i]} << static_cast<mp_bitcnt_t>(32 * i);
    }
    sum.pending = before;
    for (int i = 0; i < 16; ++i) {
        sum.add(std::int64_t{-1}, accumulator::low);
        sum.add(std::numeric_limits<std::int64_t>::max(), accumulator::low + 31);
        total += (mpz_class{std::numeric_limits<std::int64_t>::max()} << 31) - 1;
    }
    EXPECT_LT(sum.pending, before);
    EXPECT_EQ(exact::round<double>(sum), reference::nearest<double>(total, -1074));
    accumulator full = sum;
    full.pending = accumulator::most_pending - 1;
    sum.pending = accumulator::most_pending - 1;
    sum.merge(full);
    EXPECT_EQ(exact::round<double>(sum), reference::nearest<double>(2 * total, -1074));
}

TEST(fixed_point, holds_the_sum_of_2_to_the_62_largest_items) {
    accumulator sum;
    sum.add(std::numeric_limits<std::int64_t>::max() - 1023, 1024 - 63);
    for (int i = 0; i < 62; ++i) {
        sum.merge(accumulator{sum});
        sum.carry();
    }
    accumulator one;
    one.add(std::int64_t{1}, accumulator::low);
    sum.merge(one);
    // Taken down again by division: nothing was lost on the way.
    EXPECT_EQ(exact::round_quotient<double>(sum, std::uint64_t{1} << 62), std::numeric_limits<double>::max());
}

}  // namespace
