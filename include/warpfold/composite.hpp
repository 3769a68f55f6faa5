// Inputs other than memory as it lies: strided, and those made of others, map, zip, masked.
#pragma once

#include "input.hpp"

namespace warpfold {

/// Items `step` apart, counted in items; a negative step reads backwards from `data`.
template <class T>
struct strided {
    using value_type = T;
    T const* items;
    index_t count;
    index_t step;

    index_t size() const { return count; }
    T const* load(index_t first, index_t n, T* buffer) const {
        T const* from = items + first * step;
        for (index_t i = 0; i < n; ++i) buffer[i] = from[i * step];
        return buffer;
    }
};

/// How many items so many bytes hold, at least one.
template <class Item>
constexpr index_t items_in(index_t bytes) {
    index_t const count = bytes / static_cast<index_t>(sizeof(Item));
    return count > 0 ? count : 1;
}

/// How many items of an input are staged on the stack at a time, where another is made of it: 512, or fewer that are
/// large.
template <class Item>
inline constexpr index_t staged_items = items_in<Item>(1 << 14) < 512 ? items_in<Item>(1 << 14) : 512;

template <class Input, class Mask>
struct masked_input;
template <class Input, class Mask>
inline constexpr bool is_masked<masked_input<Input, Mask>> = true;

/// function(item) of every item of another input.
template <class Function, class Input>
struct mapped {
    static_assert(!is_masked<Input>, "mask the mapped input: masked(map(f, x), mask)");
    using source_type = typename Input::value_type;
    using value_type = std::remove_cvref_t<std::invoke_result_t<Function const&, source_type const&>>;
    Function function;
    Input source;

    index_t size() const { return source.size(); }
    value_type const* load(index_t first, index_t n, value_type* buffer) const {
        constexpr index_t most = staged_items<source_type>;
        source_type stage[most];
        for (index_t done = 0; done < n; done += most) {
            index_t const part = n - done < most ? n - done : most;
            source_type const* from = source.load(first + done, part, stage);
            for (index_t i = 0; i < part; ++i) buffer[done + i] = function(from[i]);
        }
        return buffer;
    }
};
/// `function` of every item of a range. On a device it has an operator() for devices.
template <class Function, class R>
auto map(Function function, R const& range) {
    return mapped<Function, input_of<R>>{function, as_input(range)};
}

/// Items of two inputs of one length, side by side.
template <class A, class B>
struct zipped {
    static_assert(!is_masked<A> && !is_masked<B>, "mask the zipped input: masked(zip(x, y), mask)");
    using value_type = pair<typename A::value_type, typename B::value_type>;
    A first;
    B second;

    index_t size() const { return first.size(); }
    value_type const* load(index_t from, index_t n, value_type* buffer) const {
        constexpr index_t most = staged_items<value_type>;
        typename A::value_type stage_a[most];
        typename B::value_type stage_b[most];
        for (index_t done = 0; done < n; done += most) {
            index_t const part = n - done < most ? n - done : most;
            auto const* a = first.load(from + done, part, stage_a);
            auto const* b = second.load(from + done, part, stage_b);
            for (index_t i = 0; i < part; ++i) buffer[done + i] = {a[i], b[i]};
        }
        return buffer;
    }
};
/// Throws invalid_input where the lengths differ.
template <class A, class B>
auto zip(A const& a, B const& b) {
    zipped<input_of<A>, input_of<B>> both{as_input(a), as_input(b)};
    if (both.first.size() != both.second.size())
        throw invalid_input("zip: the inputs have ", both.first.size(), " and ", both.second.size(),
                            " items, expected as many in both");
    return both;
}

/// The items of `source` where `mask` is true. Indices are positions in `source`. A mask comes last: map, zip and
/// masked itself take inputs that have none.
template <class Input, class Mask>
struct masked_input {
    static_assert(!is_masked<Input> && !is_masked<Mask>, "an input has one mask: combine the masks");
    using value_type = typename Input::value_type;
    Input source;
    Mask mask;

    index_t size() const { return source.size(); }
    value_type const* load(index_t first, index_t n, value_type* buffer) const { return source.load(first, n, buffer); }
};
/// Throws invalid_input where the lengths differ. The mask is an input of bool.
template <class R, class M>
auto masked(R const& range, M const& mask) {
    masked_input<input_of<R>, input_of<M>> both{as_input(range), as_input(mask)};
    if (both.source.size() != both.mask.size())
        throw invalid_input("masked: the mask has ", both.mask.size(), " items, expected ", both.source.size());
    return both;
}

template <class I>
inline constexpr bool is_zipped = false;
template <class A, class B>
inline constexpr bool is_zipped<zipped<A, B>> = true;

template <class Function, class Input>
inline constexpr bool on_device<mapped<Function, Input>> = on_device<Input>;
template <class A, class B>
inline constexpr bool on_device<zipped<A, B>> = on_device<A>;
template <class Input, class Mask>
inline constexpr bool on_device<masked_input<Input, Mask>> = on_device<Input>;

}  // namespace warpfold

#if WARPFOLD_DEVICE
#include "device/composite_load.hpp"
#endif
