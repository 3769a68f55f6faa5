// Items to reduce and the exact answer, for checking any kernel.
#pragma once

#include <variant>

#include "lab/kernel.hpp"

namespace warpfold::lab {

/// Items of one type. Their exact sum is known: floats are multiples of 2^-23 in [-1, 2), so that n of them add up
/// exactly in 64-bit integers; ints are small enough for the sum to fit an int.
using item_list = std::variant<std::vector<float>, std::vector<int>, std::vector<std::uint8_t>>;

/// n items for `op`, drawn from `seed`. For a product all are 1 or -1 but for up to 16 that are 2 or 3, so that it is
/// exact.
item_list make_items(operation op, item_type type, std::uint64_t n, std::uint64_t seed);

/// The exact answer of `op` over `items`, the components as in `answer`. Maximum, minimum and argmax of nothing are the
/// identity; the mean of nothing is NaN.
std::vector<long double> exact_answer(operation op, item_list const& items);

/// How far an answer is from the exact one.
struct error {
    double ulps;        // of the worst component, in units in the last place of a float; 0 where equal
    double bound_ulps;  // what rounding alone can explain; 0 where the answer must be exact
    bool right() const { return ulps <= bound_ulps; }
};

/// What an answer is compared with; made once for many answers.
struct reference {
    operation op;
    bool floats;
    std::uint64_t n;
    std::vector<long double> exact;
    long double magnitudes;  // their sum, where a bound on the error needs it
};

reference make_reference(operation op, item_list const& items);

/// Compares `found` with the exact answer. A float sum may be wrong by k * 2^-24 * (sum of magnitudes), where `k`
/// additions lie on the longest path from an item to the result; a mean by one rounding more; all else must be exact.
error compare(reference const& right, answer const& found, std::uint64_t k);

/// The additions on the longest path from an item to the result, at most, in `blocks` blocks of `threads` threads.
std::uint64_t longest_path(summation order, std::uint64_t n, std::uint64_t blocks, unsigned threads);

}  // namespace warpfold::lab
