// The caller's floating-point environment: whatever its modes, results have the same bits, and afterwards it is as it
// was.
#include <gtest/gtest.h>
#include <xmmintrin.h>

#include <cfenv>
#include <cmath>
#include <string>

#include "bytes.hpp"
#include "items.hpp"

namespace {

using testing_data::bytes_or_error;
using testing_data::random_bits;

/// Modes of the SSE control word: what a program linked with -ffast-math runs in, directed rounding, and no exception
/// masked.
struct mode {
    char const* name;
    unsigned word;
};
constexpr unsigned masked = 0x1f80;
constexpr mode modes[] = {{"subnormals are zero", masked | 0x8040},
                          {"down", masked | _MM_ROUND_DOWN},
                          {"up", masked | _MM_ROUND_UP},
                          {"toward zero", masked | _MM_ROUND_TOWARD_ZERO},
                          {"traps", 0}};

/// Runs as the thread's caller may have set it.
class caller {
  public:
    explicit caller(mode const& m) : before_{_mm_getcsr()} { _mm_setcsr(m.word); }
    ~caller() { _mm_setcsr(before_); }

  private:
    unsigned before_;
};

/// What folds of every kind give, in bytes.
template <class T>
std::string results(std::vector<T> const& x, std::vector<T> const& y, wf::host::options const& how) {
    std::string all;
    auto const put = [&](auto evaluate) { all += bytes_or_error(evaluate); };
    put([&] { return wf::sum(x, how); });
    put([&] { return wf::mean(x, how); });
    put([&] { return wf::variance(x, how); });
    put([&] { return wf::standard_deviation(x, how); });
    put([&] { return wf::norm_l1(x, how); });
    put([&] { return wf::norm_l2(x, how); });
    put([&] { return wf::product(x, how); });
    put([&] { return wf::min(x, how); });
    put([&] { return wf::argmax(x, how); });
    put([&] { return wf::logsumexp(x, how); });
    put([&] { return wf::dot(x, y, how); });
    put([&] { return wf::squared_distance(x, y, how); });
    put([&] { return wf::reduce(x, wf::together(wf::mean, wf::variance, wf::min), how); });
    put([&] { return wf::reduce(x, wf::as<double>(wf::norm_l2), how); });
    put([&] { return wf::sum(wf::strided<T>{x.data(), static_cast<wf::index_t>(x.size() / 2), 2}, how); });
    put([&] { return wf::mean(wf::map([](T v) { return v * T{0.75}; }, x), how); });
    auto halves = wf::gather(std::span{x}.first(x.size() / 2), wf::variance, 0, how);
    halves.merge(wf::gather(std::span{x}.subspan(x.size() / 2), wf::variance, static_cast<wf::index_t>(x.size() / 2), how));
    put([&] { return halves.result(); });
    return all;
}

template <class T>
struct environment : testing::Test {};
using item_types = testing::Types<float, double>;
TYPED_TEST_SUITE(environment, item_types);

TYPED_TEST(environment, of_the_caller_changes_no_bit) {
    using T = TypeParam;
    random_bits random{91};
    for (std::size_t const n : {std::size_t{3}, std::size_t{1000}, std::size_t{70'000}, std::size_t{3'000'000} / testing_data::slowdown}) {
        // Uniform around 1; subnormal; of any magnitude whose squares are finite.
        for (int const kind : {0, 1, 2}) {
            std::vector<T> x(n), y(n);
            for (auto* const to : {&x, &y})
                for (T& item : *to) {
                    auto const uniform = static_cast<T>(static_cast<double>(random()) * 0x1p-63 - 1);
                    item = kind == 0 ? uniform + 1 : kind == 1 ? uniform * std::numeric_limits<T>::min() : std::ldexp(uniform, random.between(-60, 60));
                }
            for (int const threads : {0, 1}) {
                wf::host::options const how{threads, 1 << 12};
                std::string const expected = results(x, y, how);
                for (mode const& m : modes) {
                    caller const here{m};
                    std::string const found = results(x, y, how);
                    EXPECT_EQ(_mm_getcsr() & ~_MM_EXCEPT_MASK, m.word);
                    EXPECT_TRUE(found == expected) << m.name << ", " << n << " items of kind " << kind << ", threads " << threads;
                }
            }
        }
    }
}

TEST(environment_of_a_scheduler, that_began_under_the_callers_modes) {
    std::vector<float> const x(3000000, 0x1p-130F);
    wf::host::options const how{0, 1 << 12};
    caller const here{modes[0]};
    // Bits: to this thread subnormals are zeros. Where this test runs alone, it is the first call of its process.
    EXPECT_EQ(wf::bits_as<std::uint32_t>(wf::mean(x, how)), wf::bits_as<std::uint32_t>(0x1p-130F));
}

TEST(environment_of_the_caller, is_there_again_after_an_exception) {
    struct failure {};
    std::vector<float> const x(10, 1.0F);
    caller const here{modes[1]};
    EXPECT_THROW(wf::sum(wf::map([](float v) -> float { return v > 0 ? throw failure{} : v; }, x)), failure);
    EXPECT_EQ(_mm_getcsr() & ~_MM_EXCEPT_MASK, modes[1].word);
}

TEST(environment_of_the_caller, keeps_its_flags_and_gets_those_that_were_raised) {
    std::vector<double> const tenths(10, 0.1);
    caller const here{modes[2]};
    std::feraiseexcept(FE_DIVBYZERO);
    EXPECT_EQ(wf::sum(tenths), 1);
    EXPECT_TRUE(std::fetestexcept(FE_DIVBYZERO));
}

}  // namespace
