// What the library throws. It never exits, prints or swallows an error.
#pragma once

#include <cstdio>
#include <exception>

#include "types.hpp"

namespace warpfold {

/// Base of every error that the library throws. It holds its text, of at most 255 characters: copying allocates
/// nothing, and its header brings no strings (<stdexcept> and <string> took nvcc 0.8 s of each source file's 5.6).
class error : public std::exception {
  public:
    /// The parts in turn: C strings and counts of items.
    template <class... Parts>
    explicit error(char const* text, Parts... more) noexcept {
        append(text);
        (append(more), ...);
    }
    char const* what() const noexcept override { return text_; }

  private:
    void append(char const* part) noexcept { append("%s", part); }
    void append(index_t count) noexcept { append("%lld", static_cast<long long>(count)); }
    template <class Part>
    void append(char const* format, Part part) noexcept {
        std::size_t const length = std::strlen(text_);
        std::snprintf(text_ + length, sizeof(text_) - length, format, part);
    }

    char text_[256] = {};
};
/// min, max, argmin or argmax of no items.
struct empty_input : error { using error::error; };
/// An exact integer result that does not fit its type.
struct overflow : error { using error::error; };
/// A product that cannot be rounded with certainty (see folds/products.hpp for the odds).
struct undecided_rounding : error { using error::error; };
/// Inputs that do not go together, such as a zip of different lengths.
struct invalid_input : error { using error::error; };

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
