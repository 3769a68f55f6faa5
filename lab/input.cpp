#include "lab/input.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <type_traits>

namespace warpfold::lab {
namespace {

using generator = std::mt19937_64;
constexpr float grain = 8388608.0f;  // 2^23: a float item is an integer over this, which no multiplication by it rounds

/// A number from 0 to below `limit`, which is at most 2^32.
std::uint64_t below(std::uint64_t limit, generator& random) {
    return (random() >> 32) * limit >> 32;
}

template <class T>
std::vector<T> product_items(std::uint64_t n, generator& random) {
    std::vector<T> items(n);
    for (T& item : items) item = random() % 2 == 0 ? T(1) : T(-1);
    for (int i = 0; i < 16 && n > 0; ++i) items[random() % n] = random() % 2 == 0 ? T(2) : T(3);
    return items;
}

std::vector<float> floats(std::uint64_t n, generator& random) {
    std::vector<float> items(n);
    for (float& item : items) {
        auto const multiple = static_cast<std::int64_t>(below(3u << 23, random)) - (1 << 23);
        item = static_cast<float>(multiple) / grain;
    }
    return items;
}

std::vector<int> ints(std::uint64_t n, generator& random) {
    std::uint64_t const greatest = std::clamp<std::uint64_t>((1u << 30) / std::max<std::uint64_t>(n, 1), 1, 100000);
    std::vector<int> items(n);
    for (int& item : items) {
        item = static_cast<int>(below(2 * greatest + 1, random)) - static_cast<int>(greatest);
    }
    return items;
}

template <class T>
long double exact_sum(std::vector<T> const& items) {
    constexpr T scale = std::is_same_v<T, float> ? static_cast<T>(grain) : T(1);
    std::int64_t sum = 0;
    for (T const item : items) sum += static_cast<std::int64_t>(item * scale);
    return static_cast<long double>(sum) / static_cast<long double>(scale);
}

template <class T>
std::vector<long double> exact_argmax(std::vector<T> const& items) {
    // NaN above all numbers, and of equals the first: std::max_element keeps the first of equals.
    auto const less = [](T a, T b) { return std::isnan(b) ? !std::isnan(a) : a < b; };
    auto const place = std::max_element(items.begin(), items.end(), less);
    if (place == items.end()) {
        using limits = std::numeric_limits<T>;
        return {static_cast<long double>(limits::has_infinity ? -limits::infinity() : limits::lowest()), -1};
    }
    return {static_cast<long double>(*place), static_cast<long double>(place - items.begin())};
}

template <class T>
std::vector<long double> exact(operation op, std::vector<T> const& items) {
    using limits = std::numeric_limits<T>;
    switch (op) {
        case operation::sum:
            return {exact_sum(items)};
        case operation::mean:
            return {exact_sum(items) / static_cast<long double>(items.size())};
        case operation::argmax:
            return exact_argmax(items);
        case operation::maximum:
            return {exact_argmax(items).front()};
        case operation::minimum: {
            auto const place = std::min_element(items.begin(), items.end());
            T const least = place != items.end() ? *place : limits::has_infinity ? limits::infinity() : limits::max();
            return {static_cast<long double>(least)};
        }
        case operation::product: {
            long double product = 1;
            for (T const item : items) product *= static_cast<long double>(item);
            return {product};
        }
        case operation::histogram: {
            std::vector<long double> counts(256);
            if constexpr (std::is_same_v<T, std::uint8_t>) {
                for (T const item : items) counts[item] += 1;
            }
            return counts;
        }
    }
    return {};
}

template <class T>
long double magnitudes(std::vector<T> const& items) {
    double sum = 0;
    for (T const item : items) sum += std::abs(static_cast<double>(item));
    return static_cast<long double>(sum);
}

/// One unit in the last place of the float nearest to x.
long double ulp(long double x) {
    int exponent = 0;
    std::frexp(x, &exponent);  // |x| in [1/2, 1) * 2^exponent
    return std::ldexp(1.0L, std::max(exponent - 24, -149));
}

}  // namespace

item_list make_items(operation op, item_type type, std::uint64_t n, std::uint64_t seed) {
    generator random(seed);
    switch (type) {
        case item_type::f32:
            return op == operation::product ? product_items<float>(n, random) : floats(n, random);
        case item_type::i32:
            return op == operation::product ? product_items<int>(n, random) : ints(n, random);
        case item_type::u8: {
            std::vector<std::uint8_t> items(n);
            for (auto& item : items) item = static_cast<std::uint8_t>(random());
            return items;
        }
    }
    throw std::invalid_argument("no such type");
}

std::vector<long double> exact_answer(operation op, item_list const& items) {
    return std::visit([op](auto const& list) { return exact(op, list); }, items);
}

reference make_reference(operation op, item_list const& items) {
    bool const floats = std::holds_alternative<std::vector<float>>(items);
    bool const bounded = floats && (op == operation::sum || op == operation::mean);
    auto const magnitudes_of = [](auto const& list) { return magnitudes(list); };
    return {.op = op,
            .floats = floats,
            .n = std::visit([](auto const& list) { return std::uint64_t{list.size()}; }, items),
            .exact = exact_answer(op, items),
            .magnitudes = bounded ? std::visit(magnitudes_of, items) : 0};
}

error compare(reference const& right, answer const& found, std::uint64_t k) {
    if (found.size() != right.exact.size()) throw std::logic_error("an answer of another size than the exact one");
    long double worst = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        long double const value = static_cast<long double>(found[i]);
        if (value == right.exact[i] || (std::isnan(value) && std::isnan(right.exact[i]))) continue;
        long double const distance = std::abs(value - right.exact[i]) / ulp(right.exact[i]);
        worst = std::isnan(distance) ? std::numeric_limits<long double>::infinity() : std::max(worst, distance);
    }
    bool const is_mean = right.op == operation::mean;
    long double bound = 0;
    if (right.floats && (right.op == operation::sum || is_mean)) {
        long double const whole = std::ldexp(static_cast<long double>(k) * right.magnitudes, -24);
        bound = (is_mean && right.n > 0 ? whole / static_cast<long double>(right.n) : whole) / ulp(right.exact.front());
    }
    if (is_mean) bound += 2;  // n and the quotient are each rounded
    return {static_cast<double>(worst), static_cast<double>(bound)};
}

std::uint64_t longest_path(summation order, std::uint64_t n, std::uint64_t blocks, unsigned threads) {
    if (order == summation::serial) return n;
    if (order == summation::pairwise) return std::min<std::uint64_t>(n, 16 + 64);
    std::uint64_t const all_threads = blocks * threads;
    std::uint64_t const within = order == summation::per_warp ? 5 + all_threads / 32 : threads + blocks;
    return std::min(n, n / all_threads + 1 + within);
}

}  // namespace warpfold::lab
