// Inputs: what is read; other than memory as it lies, composite.hpp. An input has a value_type, size(), and load(first,
// count, buffer): a pointer to `count` items from position `first` on, either memory of its own or `buffer`, which it
// filled. Several threads load at once.
#pragma once

#include <utility>

#include "error.hpp"
#include "fold.hpp"

namespace warpfold {

/// What the engines ask of an input.
template <class I>
concept input = requires(I const& in, typename I::value_type* buffer) {
    { in.size() } -> std::convertible_to<index_t>;
    { in.load(index_t{}, index_t{}, buffer) } -> std::same_as<typename I::value_type const*>;
};

/// Whether the type says that the items lie in a device's memory: device_span, or a range whose data() is no plain
/// pointer but has one, as that of thrust::device_vector.
template <class R>
inline constexpr bool on_device = requires(R const& range) { range.data().get(); };

/// `size` items that lie side by side from `data` on; the memory is the caller's.
template <class T>
struct contiguous {
    using value_type = T;
    T const* items;
    index_t count;

    index_t size() const { return count; }
    T const* load(index_t first, index_t, T*) const { return items + first; }
};

/// `count` items of device memory, which is the caller's.
template <class T>
struct device_span : contiguous<T> {
    device_span() = default;
    WARPFOLD_HD device_span(T const* items, index_t count) : contiguous<T>{items, count} {}
};
template <class T>
inline constexpr bool on_device<device_span<T>> = true;

/// The input that a range is: itself, or the memory of any contiguous range (std::vector, std::span, an array,
/// thrust::device_vector).
template <class R>
auto as_input(R const& range) {
    if constexpr (input<R>) {
        return range;
    } else if constexpr (std::is_array_v<R>) {
        return contiguous<std::remove_extent_t<R>>{range, static_cast<index_t>(std::extent_v<R>)};
    } else {
        static_assert(on_device<R> || requires { *range.data(); }, "not an array of items: a range has data() and size(), which std::vector<bool> lacks");
        auto const count = static_cast<index_t>(range.size());
        if constexpr (on_device<R>) return device_span<std::remove_cvref_t<decltype(*range.data().get())>>{range.data().get(), count};
        else return contiguous<std::remove_cvref_t<decltype(*range.data())>>{range.data(), count};
    }
}
/// The input that a range of type R is.
template <class R>
using input_of = decltype(as_input(std::declval<R const&>()));

/// Whether an input leaves items out (composite.hpp).
template <class I>
inline constexpr bool is_masked = false;

}  // namespace warpfold
