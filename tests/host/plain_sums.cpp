// Sums of floats by plain additions, as long as none of them rounds: the same exact ones, and no trace of how they
// came.
#include <gtest/gtest.h>

#include <array>
#include <cfenv>
#include <cmath>
#include <vector>

#include "bytes.hpp"
#include "items.hpp"
#include "targets.hpp"

namespace {

using testing_data::bytes_by_steps;
using testing_data::bytes_or_error;
using testing_data::for_each_target;
using testing_data::from_fields;
using testing_data::items;
using testing_data::largest_field;
using testing_data::random_bits;

using floats = std::vector<float>;

std::string bytes_of_sums(auto const& bytes_of) {
    auto const sum = wf::as<double>(wf::sum);
    auto const norm = wf::as<double>(wf::norm_l1);
    return bytes_of(sum) + bytes_of(norm) + bytes_of(wf::skip_nan(wf::mean)) + bytes_of(wf::skip_nan(sum)) +
           bytes_of(wf::skip_nan(norm));
}
void check(floats const& x) {
    std::string const expected = bytes_of_sums([&](auto const& fold) { return bytes_by_steps(x, fold); });
    auto const bytes_of = [&](auto const& fold) { return bytes_or_error([&] { return wf::reduce(x, fold, {1}); }); };
    for_each_target([&] { EXPECT_EQ(bytes_of_sums(bytes_of), expected); });
}

TEST(plain_sums, of_wide_and_narrow_stretches_are_exact) {
    random_bits random{1};
    for (std::int64_t i = testing_data::cases(2'000); i > 0 && !testing::Test::HasFailure(); --i) {
        floats x;
        for (int stretch = random.between(1, 5); stretch > 0; --stretch) {
            // A double holds the sums of some widths always, of some perhaps, of others never.
            int const width = random.between(0, 40), low = random.between(0, largest_field<float> - width);
            bool const one_sign = random.chance(2);
            for (int k = random.between(1'000, 9'000); k > 0; --k)
                x.push_back(
                    from_fields<float>(!one_sign && random.chance(2), low + random.between(0, width), random()));
            if (random.chance(4)) x[x.size() - 1 - random() % 1'000] = testing_data::special_item<float>(random);
        }
        check(x);
    }
}

TEST(plain_sums, that_round_once_are_noticed_wherever_that_is) {
    // Two large items, one before and one after a small one, which plain additions lose where all three share a total;
    // and a large and a small one, which do not fit a double together however they meet.
    for (std::size_t const n : {4'096, 8'192, 5'000}) {
        for (std::size_t const begin : {std::size_t{0}, n - 192}) {
            for (std::size_t distance = 1; distance <= 64; distance *= 2) {
                for (std::size_t at = begin; at < begin + 64; ++at) {
                    floats x(n, 0.0F);
                    x[at] = 0x1p100F;
                    x[at + distance] = 3;
                    x[at + 2 * distance] = -0x1p100F;
                    for_each_target(
                        [&] { ASSERT_EQ(wf::reduce(x, wf::sum, {1}), 3) << n << ' ' << at << ' ' << distance; });
                }
            }
        }
    }
}

TEST(plain_sums, of_special_items_are_those_of_steps) {
    using limits = std::numeric_limits<float>;
    float const infinity = limits::infinity();
    for (float const common : {0.0F, -0.0F, 1.5F, limits::denorm_min(), limits::max(), infinity, -infinity}) {
        floats x(12'288, common);
        check(x);
        for (float const special : {0.0F, -0.0F, infinity, -infinity, limits::quiet_NaN(), limits::denorm_min()}) {
            for (std::size_t const at : {std::size_t{0}, std::size_t{4'095}, std::size_t{10'000}, x.size() - 1}) {
                x[at] = special;
                check(x);
                x[at] = common;
            }
        }
        x.front() = infinity;
        x.back() = -infinity;
        check(x);
        x.resize(4'096 + 1'056, common);  // the end of the last tile is padding
        check(x);
    }
}

TEST(plain_sums, without_nan_are_those_of_steps) {
    using limits = std::numeric_limits<float>;
    random_bits random{2};
    for (std::int64_t i = testing_data::cases(300); i > 0 && !testing::Test::HasFailure(); --i) {
        // Stretches of their own, so that a tile follows one of its kind, or of another, or has both.
        floats x;
        for (int stretch = random.between(2, 6); stretch > 0; --stretch) {
            auto const sign = [&] { return random.chance(2) ? 1.0F : -1.0F; };
            bool const zeros = random.chance(4), infinities = random.chance(4), far_apart = random.chance(4);
            // One NaN in so many items.
            int const nans = std::array{0, 1, 2, 30, 1'000}[static_cast<std::size_t>(random.between(0, 4))];
            for (int k = random.between(500, 9'000); k > 0; --k) {
                float item = zeros ? -0.0F : static_cast<float>(random.between(-300, 1'000));
                if (far_apart && random.chance(500)) item = std::ldexp(item, random.between(-120, 100));
                if (infinities && random.chance(2'000)) item = sign() * limits::infinity();
                if (nans > 0 && random.chance(nans)) item = std::copysign(limits::quiet_NaN(), sign());
                x.push_back(item);
            }
        }
        check(x);
    }
}

/// Items whose sums fit doubles, in each lane and in all: large ones, which cancel, and after the first tiles a small
/// one for each, of which a window would round off the last bit.
items<float> exact_items() {
    items<float> x(65'536);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = i / 64 % 2 ? 0.375F : -0.375F;
    for (std::size_t i = 8'199; i < x.size(); i += 2'048) x[i] = 0x1p-26F + 0x1p-49F;
    return x;
}
/// The same, but for one: its tile needs another way.
items<float> items_rounded_once() {
    items<float> x = exact_items();
    x[100] = 0x1p-60F;
    return x;
}

TEST(plain_sums, keep_the_callers_environment) {
    for (bool const rounded : {false, true}) {
        auto const x = rounded ? items_rounded_once() : exact_items();
        std::string const expected = bytes_by_steps(x, wf::as<double>(wf::sum));
        for_each_target([&] {
            for (int const flags : {0, FE_INEXACT, FE_DIVBYZERO | FE_OVERFLOW}) {
                for (int const mode : {FE_TONEAREST, FE_DOWNWARD, FE_TOWARDZERO}) {
                    std::feclearexcept(FE_ALL_EXCEPT);
                    std::feraiseexcept(flags);
                    std::fesetround(mode);
                    auto const bytes = bytes_or_error([&] { return wf::reduce(x, wf::as<double>(wf::sum), {1}); });
                    int const mode_after = std::fegetround(), flags_after = std::fetestexcept(FE_ALL_EXCEPT);
                    std::fesetenv(FE_DFL_ENV);
                    EXPECT_EQ(bytes, expected);
                    EXPECT_EQ(mode_after, mode);
                    EXPECT_EQ(flags_after & ~FE_INEXACT, flags & ~FE_INEXACT);
                    EXPECT_TRUE(flags_after & FE_INEXACT || !(flags & FE_INEXACT));
                }
            }
        });
    }
}

TEST(plain_sums, of_opposite_items_are_positive_zero_whatever_the_rounding_mode) {
    floats x(8'192, 1.0F);
    for (std::size_t i = 0; i < x.size(); i += 2) x[i] = -1;
    for_each_target([&] {
        std::fesetround(FE_DOWNWARD);
        float const sum = wf::reduce(x, wf::sum, {1});
        std::fesetenv(FE_DFL_ENV);
        EXPECT_EQ(sum, 0);
        EXPECT_FALSE(std::signbit(sum));
    });
}

#ifdef __x86_64__
TEST(plain_sums, are_taken_where_nothing_rounds) {
    auto const rounds = [](items<float> const& x) {
        std::feclearexcept(FE_ALL_EXCEPT);
        EXPECT_NE(wf::reduce(x, wf::sum, {1}), 0);
        return std::fetestexcept(FE_INEXACT) != 0;
    };
    for_each_target([&] {
        EXPECT_FALSE(rounds(exact_items()));
        EXPECT_FALSE(rounds(items_rounded_once())) << "the flag was not lowered again";
        items<float> x = exact_items();
        x[65'000] = 0x1p-60F;
        EXPECT_TRUE(rounds(x));
    });
}
#endif

}  // namespace
