// Items of a source as an input of the library, and the step from a type named at run time to one of the language.
#pragma once

#include <stdexcept>
#include <vector>
#include <warpfold/warpfold.hpp>

#include "source.hpp"

namespace warpfold::app {

/// visitor.template operator()<T>() for the item type that `type` names.
template <class Visitor>
decltype(auto) visit(dtype type, Visitor&& visitor) {
    switch (type) {
        case dtype::boolean:
            return visitor.template operator()<bool>();
        case dtype::int8:
            return visitor.template operator()<std::int8_t>();
        case dtype::int16:
            return visitor.template operator()<std::int16_t>();
        case dtype::int32:
            return visitor.template operator()<std::int32_t>();
        case dtype::int64:
            return visitor.template operator()<std::int64_t>();
        case dtype::uint8:
            return visitor.template operator()<std::uint8_t>();
        case dtype::uint16:
            return visitor.template operator()<std::uint16_t>();
        case dtype::uint32:
            return visitor.template operator()<std::uint32_t>();
        case dtype::uint64:
            return visitor.template operator()<std::uint64_t>();
        case dtype::float16:
            return visitor.template operator()<wf::float16>();
        case dtype::bfloat16:
            return visitor.template operator()<wf::bfloat16>();
        case dtype::float32:
            return visitor.template operator()<float>();
        case dtype::float64:
            return visitor.template operator()<double>();
    }
    throw std::logic_error("a dtype without a type");
}

/// The library's input for a whole source that can be read at any position, or for a block that is in memory already:
/// one type for both, so that each fold is compiled once an item type.
template <class T>
struct items {
    using value_type = T;
    source const* from;
    T const* block;
    index_t count;

    index_t size() const { return count; }
    T const* load(index_t first, index_t n, T* buffer) const {
        if (block) return block + first;
        from->load(first, n, buffer);
        return buffer;
    }
};

/// Where an item stored in Fortran order stands in C order, the order in which NumPy counts.
class c_order {
  public:
    /// `origin`: the position of the array's first item.
    c_order(std::vector<std::int64_t> const& shape, index_t origin)
        : shape_(shape), strides_(shape.size(), 1), origin_(origin) {
        for (std::size_t axis = shape.size() - 1; axis > 0; --axis) strides_[axis - 1] = strides_[axis] * shape[axis];
    }
    index_t position(index_t stored) const {
        index_t rest = stored - origin_, position = origin_;
        for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
            position += rest % shape_[axis] * strides_[axis];
            rest /= shape_[axis];
        }
        return position;
    }

  private:
    std::vector<std::int64_t> shape_;
    std::vector<std::int64_t> strides_;
    index_t origin_;
};

/// The extrema with positions in C order. Merging keeps the lowest of these, so ties come out as in a C-order array.
template <class T>
struct extrema_in_c_order : folds::extrema<T, true> {
    using base = folds::extrema<T, true>;
    using gather = extrema_in_c_order;
    c_order const* positions;

    void step(typename base::state& s, T x, index_t i) const {
        // Positions cost a division an axis: they are worked out for items that can win only.
        if (!is_nan(x)) {
            auto const rank = base::order::tie(base::order::of(x));
            if (rank > base::order::tie(s.min) && rank < base::order::tie(s.max)) {
                ++s.items;
                return;
            }
        }
        base::step(s, x, positions->position(i));
    }
};

/// A gather for items stored in Fortran order; only those that keep positions change.
template <class Gather>
Gather reordered(Gather const& gather, c_order const&) {
    return gather;
}
template <class T>
extrema_in_c_order<T> reordered(folds::extrema<T, true> const&, c_order const& order) {
    return {{}, &order};
}
template <class A, class B>
auto reordered(gathers<A, B> const& both, c_order const& order) {
    auto const a = reordered(get<0>(both.members), order);
    auto const b = reordered(get<1>(both.members), order);
    return gathers<std::remove_const_t<decltype(a)>, std::remove_const_t<decltype(b)>>{{a, {b, {}}}};
}

}  // namespace warpfold::app
