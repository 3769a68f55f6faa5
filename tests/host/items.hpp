// Data that reductions go wrong on, for every item type.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "exact/random.hpp"

namespace testing_data {

/// Items at any distance from a 64-byte boundary; also of bool, which std::vector packs.
template <class T>
class items {
  public:
    using value_type = T;
    explicit items(std::size_t count, std::size_t offset = 0)
        : memory_{new (std::align_val_t{64}) std::byte[(count + offset + 1) * sizeof(T)]},
          first_{reinterpret_cast<T*>(memory_.get()) + offset},
          count_{count} {
        std::uninitialized_fill_n(first_, count, T{});
    }
    items(items const& other, std::size_t offset) : items(other.count_, offset) { std::copy_n(other.first_, count_, first_); }
    items(items const& other) : items(other, 0) {}
    items(items&&) = default;
    items& operator=(items const&) = delete;

    T* data() { return first_; }
    T const* data() const { return first_; }
    std::size_t size() const { return count_; }
    T* begin() { return first_; }
    T* end() { return first_ + count_; }
    T const* begin() const { return first_; }
    T const* end() const { return first_ + count_; }
    T& operator[](std::size_t i) { return first_[i]; }
    T const& operator[](std::size_t i) const { return first_[i]; }

  private:
    struct release {
        void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{64}); }
    };
    std::unique_ptr<std::byte, release> memory_;
    T* first_;
    std::size_t count_;
};

template <class T>
struct data_set {
    std::string name;
    testing_data::items<T> items;
};

/// NaN, ±infinity and ±0, for floats.
template <class T>
T special_item(random_bits& random) {
    switch (random.between(0, 4)) {
        case 0: return from_fields<T>(random.chance(2), largest_field<T> + 1, random() | 1);
        case 1: return from_fields<T>(false, largest_field<T> + 1, 0);
        case 2: return from_fields<T>(true, largest_field<T> + 1, 0);
        default: return from_fields<T>(random.chance(2), 0, 0);
    }
}

inline double normal(random_bits& random) {
    double sum = 0;
    for (int i = 0; i < 12; ++i) sum += static_cast<double>(random() >> 11) * 0x1p-53;
    return sum - 6;
}

template <class T, class Make>
data_set<T> make_set(std::string name, std::size_t count, Make make) {
    data_set<T> set{std::move(name), items<T>(count)};
    for (std::size_t i = 0; i < count; ++i) set.items[i] = make(i);
    return set;
}

template <class T>
std::vector<data_set<T>> float_sets(std::size_t n, random_bits& random) {
    std::vector<data_set<T>> sets;
    auto const add = [&](std::string name, auto make) { sets.push_back(make_set<T>(std::move(name), n, make)); };
    add("normal", [&](std::size_t) { return item_of<T>(normal(random)); });
    add("near one", [&](std::size_t) { return item_of<T>(1 + static_cast<double>(random() >> 11) * 0x1p-60); });
    add("small integers", [&](std::size_t) { return item_of<T>(random.between(-40, 40)); });
    add("all exponents", [&](std::size_t) { return any_finite<T>(random); });
    add("random bits", [&](std::size_t) { return from_bits<T>(random()); });
    add("subnormal", [&](std::size_t) { return from_fields<T>(random.chance(2), 0, random()); });
    add("largest", [&](std::size_t) { return from_fields<T>(random.chance(2), largest_field<T>, random()); });
    add("mostly zeros", [&](std::size_t) { return random.chance(1000) ? any_finite<T>(random) : from_fields<T>(random.chance(2), 0, 0); });
    add("negative zeros", [&](std::size_t) { return from_fields<T>(true, 0, 0); });
    add("negative zeros and NaN", [&](std::size_t) { return from_fields<T>(true, random.chance(9) ? largest_field<T> + 1 : 0, random.chance(9)); });
    add("a few specials", [&](std::size_t) { return random.chance(700) ? special_item<T>(random) : item_of<T>(normal(random)); });
    add("infinities", [&](std::size_t) { return from_fields<T>(false, largest_field<T> + 1, 0); });
    add("NaN", [&](std::size_t) { return from_fields<T>(random.chance(2), largest_field<T> + 1, random() | 1); });
    add("one NaN late", [&](std::size_t i) { return i + 2 == n ? from_fields<T>(true, largest_field<T> + 1, 1) : item_of<T>(normal(random)); });
    add("descending", [&](std::size_t i) { return item_of<T>(static_cast<double>(n) / 2 - static_cast<double>(i)); });
    add("bands of exponents", [&](std::size_t i) {
        int const field = static_cast<int>((i / 300 * 37) % static_cast<std::size_t>(largest_field<T>));
        return from_fields<T>(random.chance(2), std::max(field - random.between(0, 20), 0), random());
    });
    return sets;
}

template <class T>
std::vector<data_set<T>> integer_sets(std::size_t n, random_bits& random) {
    std::vector<data_set<T>> sets;
    auto const add = [&](std::string name, auto make) { sets.push_back(make_set<T>(std::move(name), n, make)); };
    using limits = std::numeric_limits<T>;
    add("random bits", [&](std::size_t) { return static_cast<T>(random()); });
    add("small", [&](std::size_t) { return static_cast<T>(random.between(0, 9)); });
    add("ones", [&](std::size_t) { return T{1}; });
    add("zeros", [&](std::size_t) { return T{0}; });
    add("one zero late", [&](std::size_t i) { return static_cast<T>(i + 2 != n); });
    add("highest", [&](std::size_t) { return limits::max(); });
    add("lowest", [&](std::size_t) { return limits::lowest(); });
    add("extremes", [&](std::size_t) { return random.chance(2) ? limits::max() : limits::lowest(); });
    add("descending", [&](std::size_t i) { return static_cast<T>(n - i); });
    add("descending slowly", [&](std::size_t i) { return static_cast<T>((n - i) / 128); });
    return sets;
}

template <class T>
std::vector<data_set<T>> sets(std::size_t n, std::uint64_t seed) {
    random_bits random{seed};
    if constexpr (wf::is_float<T>) return float_sets<T>(n, random);
    else return integer_sets<T>(n, random);
}

}  // namespace testing_data
