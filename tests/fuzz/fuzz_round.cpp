// Any floats: the rounded sum, mean and root of the sum of squares against MPFR, bit for bit.
//
// The first byte chooses the type and the result; the others are the items. The accumulator is split in two and merged,
// so that carries and merging are part of what is tried.
#include <mpfr.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <warpfold/exact/products.hpp>
#include <warpfold/exact/quotients.hpp>

namespace {

enum class result { sum, mean, root };

/// Bits that hold any sum of 2^16 squares of doubles exactly.
constexpr mpfr_prec_t exact_bits = 4400;

template <class T>
T reference(std::vector<T> const& items, result kind) {
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    mpfr_t total, item;
    mpfr_init2(total, exact_bits);
    mpfr_init2(item, exact_bits);
    mpfr_set_zero(total, 1);
    for (T const x : items) {
        mpfr_set_d(item, static_cast<double>(x), MPFR_RNDN);
        if (kind == result::root) mpfr_sqr(item, item, MPFR_RNDN);
        if (mpfr_add(total, total, item, MPFR_RNDN) != 0) std::abort();
    }
    // The range of T's exponents, as MPFR counts them: significands are in [1/2, 1).
    mpfr_set_emin(warpfold::exponent_range<T>::low + 1);
    mpfr_set_emax(warpfold::exponent_range<T>::high);
    mpfr_t rounded;
    mpfr_init2(rounded, warpfold::float_format<T>::significand_bits + 1);
    int inexact = 0;
    if (kind == result::sum)
        inexact = mpfr_set(rounded, total, MPFR_RNDN);
    else if (kind == result::mean)
        inexact = mpfr_div_ui(rounded, total, items.size(), MPFR_RNDN);
    else
        inexact = mpfr_sqrt(rounded, total, MPFR_RNDN);
    inexact = mpfr_check_range(rounded, inexact, MPFR_RNDN);
    mpfr_subnormalize(rounded, inexact, MPFR_RNDN);
    T const value = static_cast<T>(mpfr_get_d(rounded, MPFR_RNDN));
    mpfr_clears(total, item, rounded, nullptr);
    return value;
}

template <class T>
T folded(std::vector<T> const& items, result kind) {
    using namespace warpfold;
    using namespace warpfold::exact;
    auto const add_half = [&](auto& total, bool second) {
        for (std::size_t i = second ? items.size() / 2 : 0; i < (second ? items.size() : items.size() / 2); ++i) {
            auto const value = decompose(items[i]);
            if (kind == result::root) {
                add_product(total, value.significand, value.significand, 2 * value.exponent);
            } else {
                total.add(value.significand, value.exponent);
            }
        }
    };
    if (kind == result::root) {
        sum_of_products<T> first, second;
        add_half(first, false);
        add_half(second, true);
        first.merge(second);
        bool negative;
        return round_root<T>(magnitude<4>(first, negative), decltype(first)::low - 128, false);
    }
    sum_of<T> first, second;
    add_half(first, false);
    add_half(second, true);
    first.merge(second);
    return kind == result::sum ? round<T>(first) : round_quotient<T>(first, items.size());
}

template <class T>
void check(std::uint8_t const* data, std::size_t size, result kind) {
    std::vector<T> items;
    for (; size >= sizeof(T) && items.size() < 64; data += sizeof(T), size -= sizeof(T)) {
        T x;
        std::memcpy(&x, data, sizeof(T));
        if (!warpfold::is_nan(x) && !warpfold::is_infinite(x)) items.push_back(x);
    }
    if (items.empty()) return;
    T const expected = reference(items, kind), found = folded(items, kind);
    // A sum that is zero is +0 here; the sign of sums of −0 is decided one floor above.
    if (expected == 0 && found == 0) return;
    if (std::memcmp(&expected, &found, sizeof(T)) != 0) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    if (size == 0) return 0;
    auto const kind = static_cast<result>(data[0] / 2 % 3);
    if (data[0] % 2)
        check<double>(data + 1, size - 1, kind);
    else
        check<float>(data + 1, size - 1, kind);
    return 0;
}
