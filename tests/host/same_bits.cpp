// One result, bit for bit, whatever runs a fold: threads, chunks, SIMD targets, alignments, orders and splits.
// Built once for each group of item types, WARPFOLD_ITEMS.
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <functional>

#include "bytes.hpp"
#include "items.hpp"
#include "targets.hpp"

namespace {

using testing_data::bytes_by_steps;
using testing_data::bytes_or_error;
using testing_data::items;
using testing_data::random_bits;
using testing_data::targets;
using testing_data::use_target;

template <class T>
struct same_bits : testing::Test {};
using item_types = testing::Types<WARPFOLD_ITEMS>;
TYPED_TEST_SUITE(same_bits, item_types);

/// One fold over items of type T, its ways to a result behind functions: templates made once, however many tests.
template <class T>
struct fold_case {
    std::string name;
    bool has_index;
    std::function<std::string(items<T> const&)> by_steps;
    std::function<std::string(items<T> const&, wf::host::options)> by_engine;
    /// Splits the items at random and merges the partials two at a time, any two: every tree of merges can come up.
    std::function<std::string(items<T> const&, random_bits&)> by_partials;
};

template <class T, class Fold>
std::string bytes_by_partials(Fold const& fold, items<T> const& set, random_bits& random) {
    std::vector<wf::partial<Fold, T>> parts{wf::partial<Fold, T>{fold}};
    for (std::size_t begin = 0; begin < set.size();) {
        std::size_t const n = std::min(set.size() - begin, static_cast<std::size_t>(random.between(0, random.chance(2) ? 40 : 3000)));
        wf::contiguous<T> const part{set.data() + begin, static_cast<wf::index_t>(n)};
        parts.push_back(wf::gather(part, fold, static_cast<wf::index_t>(begin), {1}));
        begin += n;
    }
    while (parts.size() > 1) {
        std::shuffle(parts.begin(), parts.end(), random);
        for (std::size_t k = parts.size() / 2; k > 0; --k) {
            parts[k - 1].merge(parts.back());
            parts.pop_back();
        }
    }
    return bytes_or_error([&] { return parts[0].result(); });
}

template <class T>
std::vector<fold_case<T>> fold_cases() {
    std::vector<fold_case<T>> all;
    auto const add = [&]<class Fold>(char const* name, Fold const& fold, bool has_index) {
        all.push_back({name, has_index, [fold](items<T> const& set) { return bytes_by_steps(set, fold); },
                       [fold](items<T> const& set, wf::host::options how) { return bytes_or_error([&] { return wf::reduce(set, fold, how); }); },
                       [fold](items<T> const& set, random_bits& random) { return bytes_by_partials(fold, set, random); }});
    };
    // Folds that read alike share their gather, and stand together in one case.
    add("sum, mean", wf::together(wf::sum, wf::mean), false);
    add("mean", wf::mean, false);  // an integer sum may overflow, and its mean does not
    add("product", wf::product, false);
    add("min, max, minmax", wf::together(wf::min, wf::max, wf::minmax), false);
    add("argmin, argmax, argminmax", wf::together(wf::argmin, wf::argmax, wf::argminmax), true);
    add("any", wf::any, false);
    add("all", wf::all, false);
    add("variance, deviation", wf::together(wf::variance, wf::standard_deviation.ddof(1)), false);
    add("norm_l1", wf::norm_l1, false);
    add("norm_l2", wf::norm_l2, false);
    add("norm_linf", wf::norm_linf, false);
    add("logsumexp", wf::logsumexp, false);
    add("count", wf::count, false);
    add("count_if", wf::count_if{[](T const& x) { return !wf::is_negative(x); }}, false);
    if constexpr (wf::is_float<T>) {
        add("skip_nan sum, mean, variance, min, argmax", wf::skip_nan(wf::together(wf::sum, wf::mean, wf::variance, wf::min, wf::argmax)), true);
        add("skip_nan product", wf::skip_nan(wf::product), false);
        add("skip_nan any", wf::skip_nan(wf::any), false);
        add("skip_nan all, count, norms", wf::skip_nan(wf::together(wf::all, wf::count, wf::norm_l1, wf::norm_l2, wf::norm_linf)), false);
        add("skip_nan logsumexp", wf::skip_nan(wf::logsumexp), false);
        if constexpr (!std::is_same_v<T, double>) add("sum, logsumexp as double", wf::together(wf::as<double>(wf::sum), wf::as<double>(wf::logsumexp)), false);
    }
    return all;
}

/// Calls f(case, items, expected bytes) for every fold and every data set of `count` items.
template <class T, class Function>
void for_each_case(std::size_t count, std::uint64_t seed, Function f) {
    auto const sets = testing_data::sets<T>(count, seed);
    for (auto const& fold : fold_cases<T>()) {
        for (auto const& set : sets) {
            SCOPED_TRACE(fold.name + " of " + set.name);
            f(fold, set.items, fold.by_steps(set.items));
            if (testing::Test::HasFailure()) return;
        }
    }
}

constexpr std::size_t count = testing_data::slowdown > 1 ? 1500 : 9001;

TYPED_TEST(same_bits, over_threads_and_chunks) {
    tbb::global_control const eight(tbb::global_control::max_allowed_parallelism, 8);
    for_each_case<TypeParam>(count, 1, [](auto const& fold, auto const& set, std::string const& expected) {
        for (int threads = 1; threads <= 8; ++threads)
            for (wf::index_t const chunk : {97, 512, 1000, 4097, 0})
                EXPECT_EQ(fold.by_engine(set, {threads, chunk}), expected) << threads << " threads, chunks of " << chunk;
    });
}

TYPED_TEST(same_bits, over_simd_targets) {
    auto const all = targets();
    EXPECT_TRUE(std::find(all.begin(), all.end(), HWY_STATIC_TARGET) != all.end());
    testing_data::for_each_target([] {
        for (std::size_t const n : {count, std::size_t{131}})
            for_each_case<TypeParam>(n, 2, [](auto const& fold, auto const& set, std::string const& expected) {
                EXPECT_EQ(fold.by_engine(set, {1}), expected);
            });
    });
}

TYPED_TEST(same_bits, over_alignments) {
    std::size_t const offsets = 64 / sizeof(TypeParam);
    for_each_case<TypeParam>(testing_data::cases(1000) + 67, 3, [&](auto const& fold, auto const& set, std::string const& expected) {
        for (std::size_t offset = 0; offset < offsets; ++offset)
            EXPECT_EQ(fold.by_engine(items<TypeParam>(set, offset), {1}), expected) << offset << " items off a 64-byte boundary";
    });
}

TYPED_TEST(same_bits, over_sizes) {
    for (std::size_t n = 0; n < 140; n += n < 70 ? 1 : 13)
        for_each_case<TypeParam>(n, 4 + n, [&](auto const& fold, auto const& set, std::string const& expected) {
            EXPECT_EQ(fold.by_engine(set, {1}), expected) << n << " items";
        });
}

TYPED_TEST(same_bits, over_permutations) {
    random_bits random{5};
    for_each_case<TypeParam>(count, 5, [&](auto const& fold, auto const& set, std::string const& expected) {
        for (int k = 0; k < 3; ++k) {
            items<TypeParam> permuted{set};
            std::shuffle(permuted.begin(), permuted.end(), random);
            EXPECT_EQ(fold.by_engine(permuted, {2, 700}), fold.has_index ? fold.by_steps(permuted) : expected);
        }
    });
}

TYPED_TEST(same_bits, over_partials_in_any_order) {
    random_bits random{6};
    for_each_case<TypeParam>(count, 6, [&](auto const& fold, auto const& set, std::string const& expected) {
        EXPECT_EQ(fold.by_partials(set, random), expected);
    });
}

/// Pairs: two columns, each at its own alignment, and the plain loop over pairs.
TYPED_TEST(same_bits, of_folds_of_pairs) {
    using T = TypeParam;
    auto const first = testing_data::sets<T>(count, 7), second = testing_data::sets<T>(count, 8);
    random_bits random{9};
    auto const check = [&](char const* name, auto const& fold) {
        for (std::size_t k = 0; k < first.size() && !testing::Test::HasFailure(); ++k) {
            // Every set against itself, one like it, and one unlike it.
            for (auto const* other : {&first[k], &second[k], &second[(k + 1) % second.size()]}) {
                SCOPED_TRACE(std::string(name) + " of " + first[k].name + " and " + other->name);
                items<wf::pair<T, T>> pairs(count);
                for (std::size_t i = 0; i < count; ++i) pairs[i] = {first[k].items[i], other->items[i]};
                std::string const expected = bytes_by_steps(pairs, fold);
                for (std::int64_t const target : targets()) {
                    use_target(target);
                    items<T> const x(first[k].items, static_cast<std::size_t>(random.between(0, 15))), y(other->items, static_cast<std::size_t>(random.between(0, 15)));
                    EXPECT_EQ(bytes_or_error([&] { return wf::reduce(wf::zip(x, y), fold, {1}); }), expected) << hwy::TargetName(target);
                }
                use_target(0);
                for (wf::index_t const chunk : {97, 512, 1000, 4097, 0})
                    EXPECT_EQ(bytes_or_error([&] { return wf::reduce(wf::zip(first[k].items, other->items), fold, {3, chunk}); }), expected);
                EXPECT_EQ(bytes_or_error([&] { return wf::reduce(pairs, fold, {1}); }), expected);
            }
        }
    };
    check("dot", wf::dot);
    check("squared_distance", wf::squared_distance);
    if constexpr (wf::is_float<T>) check("skip_nan dot", wf::skip_nan(wf::dot));
}

}  // namespace
