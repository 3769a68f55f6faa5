#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace simt::detail {

inline std::string text_of(std::string_view part) {
    return std::string(part);
}
inline std::string text_of(std::integral auto number) {
    return std::to_string(number);
}

// Strings and whole numbers, one after another.
std::string concat(auto const&... parts) {
    std::string all;
    (all.append(text_of(parts)), ...);
    return all;
}

}  // namespace simt::detail
