// logsumexp of items that lie in few of its bins, or in many: the same bits as by single steps.
#include <gtest/gtest.h>

#include <vector>

#include "bytes.hpp"
#include "items.hpp"
#include "targets.hpp"

namespace {

using testing_data::bytes_by_steps;
using testing_data::bytes_or_error;
using testing_data::random_bits;

template <class T>
class exponentials_of : public testing::Test {};
using floats = testing::Types<float, double>;
TYPED_TEST_SUITE(exponentials_of, floats);

/// Items around the middle of a bin, up to `reach` away from it, and some at its ends.
template <class T>
void add_stretch(std::vector<T>& x, random_bits& random, T middle, T reach) {
    for (int k = random.between(1, 2'000); k > 0; --k) {
        T const unit = static_cast<T>(random() >> 40) * T{0x1p-23} - 1;
        x.push_back(random.chance(500) ? middle + (random.chance(2) ? T{8} : T{-8}) : middle + unit * reach);
    }
}

TYPED_TEST(exponentials_of, stretches_in_any_bins_have_the_bits_of_steps) {
    random_bits random{11};
    for (std::int64_t i = testing_data::cases(2'000); i > 0 && !testing::Test::HasFailure(); --i) {
        std::vector<TypeParam> x;
        // Bins that are exact, or so far out that few vectors at once are taken.
        TypeParam const base = static_cast<TypeParam>(random.between(-10, 10)) * (random.chance(4) ? 10'000'000 : 16);
        for (int stretch = random.between(1, 6); stretch > 0; --stretch) {
            TypeParam const middle = base - static_cast<TypeParam>(16 * random.between(0, 8));
            add_stretch(x, random, middle, random.chance(3) ? TypeParam{20} : TypeParam{7.9F});
        }
        if (random.chance(4)) x[random() % x.size()] = testing_data::special_item<TypeParam>(random);
        std::string const expected = bytes_by_steps(x, wf::skip_nan(wf::logsumexp));
        testing_data::for_each_target([&] {
            EXPECT_EQ(bytes_or_error([&] { return wf::reduce(x, wf::skip_nan(wf::logsumexp), {1}); }), expected);
        });
    }
}

}  // namespace
