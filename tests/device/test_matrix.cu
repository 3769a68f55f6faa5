// Every built-in fold over every type, kind of item, size and grid: the same bits from every engine.
// WARPFOLD_TEST_TYPES names the types.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "engine.hpp"
#include "expect_same.hpp"
#include "extremes.hpp"
#include "few_items.hpp"
#include "items.hpp"

namespace {

struct not_zero {
    template <class T>
    WARPFOLD_HD bool operator()(T const& x) const {
        return !(static_cast<wf::float_result<T>>(x) == 0);
    }
};

/// Floats of the other kinds tell nothing of how NaN is skipped.
bool has_nan(items::kind k) {
    return k == items::kind::bit_patterns || k == items::kind::special || k == items::kind::few_special;
}

template <class T>
bool differs_from_others(items::kind k) {
    return wf::is_float<T> || k <= items::kind::bit_patterns || k == items::kind::equal;
}

template <class T>
class matrix : public testing::Test {};
using item_types = testing::Types<WARPFOLD_TEST_TYPES>;
TYPED_TEST_SUITE(matrix, item_types);

TYPED_TEST(matrix, folds) {
    using T = TypeParam;
    unsigned seed = 1;
    for (std::size_t const n : engine::sizes) {
        for (auto const k : items::kinds) {
            if (!differs_from_others<T>(k)) continue;
            auto const x = items::make<T>(n, k, seed++);
            engine::items<T> const copy{x};
            auto const check = [&](char const* name, auto const& f) { expect_same(name, f, copy.span(), engine::host_span(x), static_cast<int>(k)); };
            check("sum", wf::sum);
            check("norm_l1", wf::norm_l1);
            check("norm_l2", wf::norm_l2);
            check("variance", wf::variance);
            check("minmax", wf::minmax);
            check("argminmax", wf::argminmax);
            check("norm_linf", wf::norm_linf);
            check("any", wf::any);
            check("product", wf::product);
            check("logsumexp", wf::logsumexp);
            check("together", wf::together(wf::sum, wf::mean, wf::variance, wf::min, wf::max, wf::argmin, wf::argmax, wf::norm_l2));
            if (has_nan(k)) check("count_if", wf::count_if{not_zero{}});
            if constexpr (engine::all_folds) {
                check("mean", wf::mean);
                check("standard deviation, ddof 1", wf::standard_deviation.ddof(1));
                check("min", wf::min);
                check("max", wf::max);
                check("argmin", wf::argmin);
                check("argmax", wf::argmax);
                check("count", wf::count);
                check("all", wf::all);
            }
            if constexpr (wf::is_float<T> && engine::all_folds) {
                if (has_nan(k)) {
                    check("skip_nan sum", wf::skip_nan(wf::sum));
                    check("skip_nan argmax", wf::skip_nan(wf::argmax));
                    check("skip_nan count", wf::skip_nan(wf::count));
                    check("skip_nan norm_l1", wf::skip_nan(wf::norm_l1));
                    check("skip_nan norm_linf", wf::skip_nan(wf::norm_linf));
                    check("skip_nan any", wf::skip_nan(wf::any));
                    check("skip_nan all", wf::skip_nan(wf::all));
                    check("skip_nan product", wf::skip_nan(wf::product));
                    check("skip_nan logsumexp", wf::skip_nan(wf::logsumexp));
                    // Folds that share states, in one kernel.
                    auto const alike = wf::together(wf::mean, wf::variance, wf::standard_deviation.ddof(1), wf::norm_l2,
                                                    wf::max, wf::minmax, wf::argmin, wf::argminmax);
                    check("skip_nan together", wf::skip_nan(alike));
                }
                check("sum as double", wf::as<double>(wf::sum));
                check("logsumexp as double", wf::as<double>(wf::logsumexp));
            }
        }
    }
}

/// On grids of one block to 4096, and with all that other calls left in workspaces.
TYPED_TEST(matrix, repeats_give_the_same_bits) {
    using T = TypeParam;
    for (auto const kind : items::kinds) {
        if (!differs_from_others<T>(kind)) continue;
        auto const x = items::make<T>(engine::is_fast ? 70'001 : 9001, kind, 41), y = items::make<T>(x.size(), kind, 42);
        engine::items<T> const device_x{x}, device_y{y};
        auto const repeat = [&](auto const& f, auto const& in, auto const& host_in) {
            auto const wanted = engine::wanted(f, host_in);
            for (int i = 0; i < (engine::is_fast ? 100 : 3); ++i) {
                int const blocks = i % 2 == 0 ? 0 : 1 + (i * i * 7 + i) % (engine::is_fast ? 4096 : 40);
                auto const got = engine::reduce(in, f, blocks);
                ASSERT_TRUE(got.state == wanted.state && (got.state != wf::status::ok || engine::same(got.value, wanted.value)))
                    << "kind " << static_cast<int>(kind) << ", " << blocks << " blocks";
            }
        };
        auto const in = device_x.span();
        auto const host_in = engine::host_span(x);
        repeat(wf::sum, in, host_in);
        repeat(wf::norm_l1, in, host_in);
        repeat(wf::norm_l2, in, host_in);
        repeat(wf::variance, in, host_in);
        repeat(wf::argminmax, in, host_in);
        repeat(wf::together(wf::sum, wf::mean, wf::variance, wf::min, wf::max, wf::argmin, wf::argmax, wf::norm_l2), in, host_in);
        repeat(wf::dot, wf::zip(in, device_y.span()), wf::zip(host_in, engine::host_span(y)));
        repeat(wf::squared_distance, wf::zip(in, device_y.span()), wf::zip(host_in, engine::host_span(y)));
    }
}

TYPED_TEST(matrix, pairs_and_inputs) {
    using T = TypeParam;
    unsigned seed = 1000;
    for (std::size_t const n : engine::sizes) {
        for (auto const k : items::kinds) {
            if (!differs_from_others<T>(k)) continue;
            auto const x = items::make<T>(n + 1, k, seed++), y = items::make<T>(n + 1, k, seed++);
            engine::items<T> const cx{x}, cy{y};
            auto const count = static_cast<wf::index_t>(n);
            auto const from = [&](T const* items, int offset) { return engine::span<T>(items + offset, count); };
            auto const host_from = [&](auto const& of, int offset) {
                return wf::contiguous<T>{of.data() + offset, count};
            };
            for (int const offset : {0, 1}) {
                auto const check = [&](char const* name, auto const& f, auto const& in, auto const& host_in) { expect_same(name, f, in, host_in, static_cast<int>(k)); };
                auto const pairs = wf::zip(from(cx.data(), 0), from(cy.data(), offset));
                auto const host_pairs = wf::zip(host_from(x, 0), host_from(y, offset));
                check("dot", wf::dot, pairs, host_pairs);
                check("squared distance", wf::squared_distance, pairs, host_pairs);
                if constexpr (wf::is_float<T> && engine::all_folds) {
                    if (has_nan(k)) {
                        check("skip_nan dot", wf::skip_nan(wf::dot), pairs, host_pairs);
                        check("skip_nan squared distance", wf::skip_nan(wf::squared_distance), pairs, host_pairs);
                    }
                }
                check("sum, any alignment", wf::sum, from(cx.data(), offset), host_from(x, offset));
                check("argmin, any alignment", wf::argmin, from(cx.data(), offset), host_from(x, offset));
            }
            auto const last = n ? count - 1 : 0;
            expect_same("strided sum", wf::sum, wf::strided<T>{cx.data() + last, count, -1}, wf::strided<T>{x.data() + last, count, -1}, static_cast<int>(k));
        }
    }
}

/// A fold of one's own that shows the last bit of a sum of squares.
template <class T>
struct sum_of_squares : wf::folds::power_sums<T, wf::folds::powers::second> {
    template <class State>
    WARPFOLD_HD double finish(State const& s) const {
        return wf::exact::round<double>(s.second);
    }
};

/// Items of so many binades and no more, around one, at the top and at the bottom of what T holds: some lanes add
/// squares in a double as long as those are few enough. In short inputs, where the first and the last of the binades
/// meet and what is rounded off is seen, and in longer ones.
TYPED_TEST(matrix, items_of_few_binades) {
    using T = TypeParam;
    if constexpr (wf::is_float<T>) {
        using format = wf::float_format<T>;
        std::mt19937_64 random{7};
        auto const below = [&](int n) { return random() % static_cast<std::uint64_t>(n); };
        int const most = (1 << format::exponent_bits) - 2, one = most / 2, held = 24 - format::significand_bits;
        for (int const binades : {1, held, held + 1, held + 2, one}) {
            for (int const top : {one, most, binades - 1}) {
                if (binades < 1) continue;
                for (int const n : {24, 24, 24, 24, 24, 24, 24, 24, 5000}) {
                    std::vector<T> x(static_cast<std::size_t>(n));
                    for (auto& v : x) {  // of exponent field 0: subnormal
                        std::uint64_t const field = static_cast<std::uint64_t>(top) - (n < 100 ? below(2) * static_cast<std::uint64_t>(binades - 1) : below(binades)), sign = below(2);
                        v = items::from_bits<T>(sign << (8 * sizeof(T) - 1) | field << format::significand_bits | below(1 << std::min(format::significand_bits, 30)));
                        if (below(8) == 0) v = T{};
                    }
                    engine::items<T> const copy{x};
                    auto const check = [&](char const* name, auto const& f) { expect_same(name, f, copy.span(), engine::host_span(x), 100 * binades + top); };
                    check("sum of squares", sum_of_squares<T>{});
                    check("together", wf::together(wf::mean, wf::variance, wf::norm_l1, wf::norm_l2, wf::min));
                }
            }
        }
    }
}

/// value · 2^exponent modulo 2^31 − 1, where 2^31 is 1: no bit of an exact sum can be lost unseen.
WARPFOLD_HD inline std::int64_t residue(wf::int128 value, int exponent) {
    constexpr std::int64_t modulus = 0x7fffffff;
    auto const rest = static_cast<std::int64_t>(value % modulus);
    return ((rest < 0 ? rest + modulus : rest) << ((exponent % 31 + 31) % 31)) % modulus;
}
template <int Low, int High>
WARPFOLD_HD double residue(wf::exact::fixed_point<Low, High> const& sum) {
    std::int64_t all = 0;
    for (int i = 0; i < sum.limbs; ++i) all += residue(sum.limb[i], Low + 32 * i);
    return static_cast<double>(all % 0x7fffffff);
}
template <int Low>
WARPFOLD_HD double residue(wf::exact::short_sum<Low> const& sum) {
    return static_cast<double>(residue(sum.value, Low));
}
/// Of what is near a sum, nothing is known: the exact one is asked for then.
WARPFOLD_HD inline double residue(wf::exact::near_sum const&) { return wf::nan_of<double>; }
WARPFOLD_HD inline double residue(wf::exact::near_double const&) { return wf::nan_of<double>; }

template <class T, wf::folds::powers Powers>
struct residue_of_powers : wf::folds::power_sums<T, Powers> {
    template <class State>
    WARPFOLD_HD double finish(State const& s) const {
        if constexpr (Powers == wf::folds::powers::first) return residue(s.first);
        else if constexpr (Powers == wf::folds::powers::second) return residue(s.second);
        else return residue(s.first) + 3 * residue(s.second);
    }
};
template <class T, bool Distance>
struct residue_of_products : wf::folds::pair_sums<T, Distance> {
    template <class State>
    WARPFOLD_HD double finish(State const& s) const {
        return residue(s.sum);
    }
};

/// Exact sums of items of every magnitude, to which lanes move their windows; in several stretches, to and fro.
TYPED_TEST(matrix, items_of_any_magnitude) {
    using T = TypeParam;
    if constexpr (wf::is_float<T>) {
        using format = wf::float_format<T>;
        std::mt19937_64 random{13};
        int const fields = (1 << format::exponent_bits) - 1;
        auto const append = [&](std::vector<T>& x, std::size_t n, int field, int binades) {
            for (std::size_t i = 0; i < n; ++i) {
                auto const own = static_cast<std::uint64_t>(std::max(field - (binades > 0 ? static_cast<int>(random() % static_cast<unsigned>(binades)) : 0), 0));
                std::uint64_t const bits = random() % (std::uint64_t{1} << format::significand_bits), few_bits = std::uint64_t{1} << (format::significand_bits - 1) | bits % 4;
                x.push_back(items::from_bits<T>(own << format::significand_bits | (random() % 2 ? few_bits : bits)));
            }
        };
        auto const check_all = [](std::vector<T> const& x, int kind, std::vector<int> const& grids) {
            std::vector<T> others(x.size());  // two places on, every other one negative
            for (std::size_t i = 0; i < x.size(); ++i) others[i] = i % 2 ? items::negative(x[(i + 2) % x.size()]) : x[(i + 2) % x.size()];
            engine::items<T> const copy{x}, second{others};
            auto const check = [&](char const* name, auto const& f) { expect_same(name, f, copy.span(), engine::host_span(x), kind, grids); };
            check("residue of the sum", residue_of_powers<T, wf::folds::powers::first>{});
            check("residue of squares", residue_of_powers<T, wf::folds::powers::second>{});
            check("residue of both", residue_of_powers<T, wf::folds::powers::both>{});
            check("variance as double", wf::as<double>(wf::variance));
            if constexpr (engine::all_folds) check("together", wf::together(wf::sum, wf::variance, wf::min));
            auto const check_pairs = [&](char const* name, auto const& f) {
                expect_same(name, f, wf::zip(copy.span(), second.span()), wf::zip(engine::host_span(x), engine::host_span(others)), kind, grids);
            };
            check_pairs("residue of dot", residue_of_products<T, false>{});
            check_pairs("residue of squared distance", residue_of_products<T, true>{});
            check_pairs("dot as double", wf::as<double>(wf::dot));
        };
        bool const few = engine::few_cases < 100;
        for (int field = 0; field < fields; field += fields / (few ? 11 : 85) + 1) {
            std::vector<T> x;
            append(x, 100, field, 0);
            check_all(x, field, {1});
        }
        // Around where a lane's windows end, of any type: four items lie so far below the others.
        for (int const end : {2, 13, 18, 25, 30, 39, 44, 49, 54, 64, 74}) {
            for (int distance = end - 2; distance <= end + 2; ++distance) {
                for (int const top : {fields / 2, fields / 2 + 10, fields * 3 / 4}) {
                    if (few && top > fields / 2 && (top + distance) % 2 != 0) continue;
                    std::vector<T> x;
                    append(x, 64, top, 0);
                    append(x, 4, std::max(top - distance, 0), 0);
                    check_all(x, distance, {1});
                }
            }
        }
        for (int seed = 0; seed < (few ? 2 : 6); ++seed) {
            std::vector<T> x;
            for (int stretch = 0; stretch < 5; ++stretch)
                append(x, 4096 + random() % 8192, static_cast<int>(random() % static_cast<unsigned>(fields)), seed % 2 ? 0 : 1 << random() % 7);
            check_all(x, seed, {1});
            std::vector<T> cancelling{x};
            for (std::size_t i = x.size(); i-- > 0;) cancelling.push_back(items::negative(x[i]));
            append(cancelling, 3, fields / 4, 0);
            check_all(cancelling, seed, {1, 3});
        }
    }
}

/// Pairs of which large products cancel in other vectors, so that the last bits of small ones beside them are seen:
/// some lanes add products in a double as long as these lie near enough.
TYPED_TEST(matrix, products_far_apart) {
    using T = TypeParam;
    if constexpr (wf::is_float<T>) {
        std::mt19937_64 random{11};
        auto const item = [&](double least, int exponent) {
            return items::from_double<T>(std::ldexp(least + (2 - least) * static_cast<double>(random() >> 11) * 0x1p-53, exponent));
        };
        for (int distance = 20; distance < 44; ++distance) {
            std::vector<T> x(1024), y(1024);
            for (std::size_t i = 0; i < x.size(); i += 16) {
                for (std::size_t k = i; k < i + 8; ++k) x[k] = item(1.75, 4), y[k] = item(1.75, 4), x[k + 8] = items::negative(x[k]), y[k + 8] = y[k];
                x[i + 3] = item(1, (8 - distance) / 2), y[i + 3] = item(1, (8 - distance) - (8 - distance) / 2), x[i + 11] = T{};
            }
            engine::items<T> const cx{x}, cy{y};
            auto const check = [&](char const* name, auto const& f) {
                expect_same(name, f, wf::zip(cx.span(), cy.span()), wf::zip(engine::host_span(x), engine::host_span(y)), distance);
            };
            check("dot as double", wf::as<double>(wf::dot));
            check("squared distance as double", wf::as<double>(wf::squared_distance));
        }
    }
}

/// Products that a float would round, or take for zero, of items that it holds.
TYPED_TEST(matrix, products_too_small_for_a_float) {
    using T = TypeParam;
    if constexpr (wf::is_float<T> && !std::is_same_v<T, wf::float16>) {
        double const near = 1 + 0x1p-7;
        for (int const exponent : {-60, -70, -80, -100}) {
            std::vector<T> x(1024), y(1024), z(1024);
            for (std::size_t i = 0; i < x.size(); i += 4) {  // two that a float takes for opposite numbers, and a zero
                x[i] = items::from_double<T>(std::ldexp(near, exponent)), y[i] = x[i];
                x[i + 1] = items::from_double<T>(std::ldexp(1 + 0x1p-6, exponent)), y[i + 1] = items::from_double<T>(std::ldexp(-1, exponent));
                x[i + 2] = x[i];
            }
            engine::items<T> const cx{x}, cy{y}, cz{z};
            auto const check = [&](char const* name, auto const& f, auto const& in, auto const& host_in) { expect_same(name, f, in, host_in, exponent); };
            check("dot as double", wf::as<double>(wf::dot), wf::zip(cx.span(), cy.span()), wf::zip(engine::host_span(x), engine::host_span(y)));
            check("squared distance as double", wf::as<double>(wf::squared_distance), wf::zip(cx.span(), cz.span()), wf::zip(engine::host_span(x), engine::host_span(z)));
        }
    }
}

}  // namespace
