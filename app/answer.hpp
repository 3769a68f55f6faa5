// One value, as it is printed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <warpfold/types.hpp>

namespace warpfold::app {

using answer = std::variant<bool, std::int64_t, std::uint64_t, float, double>;

/// Any result of a fold as an answer of the same value.
template <class R>
answer answer_of(R value) {
    if constexpr (std::is_same_v<R, bool> || std::is_same_v<R, double>)
        return value;
    else if constexpr (is_float<R>)
        return static_cast<float>(value);
    else
        return static_cast<integer_result<R>>(value);
}

/// The shortest text that reads back to the same value: "3", "0.1", "1e+30", "nan", "-inf", "true".
std::string text_of(answer const& value);
/// The same as a JSON value; NaN and infinities, which JSON lacks, are the strings "nan", "inf" and "-inf".
std::string json_of(answer const& value);
std::string json_of(std::string_view text);

}  // namespace warpfold::app
