// What the library throws. It never exits, prints or swallows an error.
#pragma once

#include <stdexcept>

#include "types.hpp"

namespace warpfold {

/// Base of every error that the library throws.
struct error : std::runtime_error {
    using std::runtime_error::runtime_error;
};
/// min, max, argmin or argmax of no items.
struct empty_input : error {
    using error::error;
};
/// An exact integer result that does not fit its type.
struct overflow : error {
    using error::error;
};
/// A product that cannot be rounded with certainty (see folds/products.hpp for the odds).
struct undecided_rounding : error {
    using error::error;
};
/// Inputs that do not go together, such as a zip of different lengths.
struct invalid_input : error {
    using error::error;
};

namespace detail {

/// The value of an outcome; throws the error that its status names.
template <class R>
R value_of(outcome<R> const& o) {
    switch (o.state) {
        case status::ok: return o.value;
        case status::empty: throw empty_input("the least or greatest of no items is not defined");
        case status::overflow: throw overflow("the exact result does not fit its 64-bit integer type");
        case status::undecided: throw undecided_rounding("the product lies too close to a rounding boundary to round");
    }
    throw error("unknown status");
}

}  // namespace detail
}  // namespace warpfold
