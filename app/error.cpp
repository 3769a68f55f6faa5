#include "error.hpp"

#include <fmt/format.h>

namespace warpfold::app {

std::string printable(std::string_view text) {
    constexpr std::size_t limit = 80;
    std::string line;
    for (char const c : text) {
        if (line.size() >= limit) return line + "...";
        auto const byte = static_cast<unsigned char>(c);
        if (c == '\n')
            line += "\\n";
        else if (c == '\t')
            line += "\\t";
        else if (byte < 0x20 || byte == 0x7f)
            line += fmt::format("\\x{:02x}", byte);
        else
            line += c;
    }
    return line;
}

data_error::data_error(std::string_view file, std::string_view place, std::string_view expected)
    : std::runtime_error(fmt::format("{}: {}: {}", printable(file), place, expected)) {}

}  // namespace warpfold::app
