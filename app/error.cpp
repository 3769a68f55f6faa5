#include "error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpfold::app {

namespace {

/// Bytes of the UTF-8 character that `text` begins with; 0 where there is none, or a control character.
std::size_t character_bytes(std::string_view text) {
    auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    unsigned const first = byte(0);
    if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
    std::size_t const count = first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0;
    if (count == 0 || text.size() < count) return 0;
    unsigned code = first & (0x7fU >> count);
    for (std::size_t i = 1; i < count; ++i) {
        if ((byte(i) & 0xc0U) != 0x80) return 0;
        code = code << 6 | (byte(i) & 0x3fU);
    }
    // The least that needs so many bytes, less the control characters below U+00A0.
    constexpr unsigned least[] = {0xa0, 0x800, 0x10000};
    bool const surrogate = code >= 0xd800 && code <= 0xdfff;
    return code >= least[count - 2] && code <= 0x10ffff && !surrogate ? count : 0;
}

/// `text` on one line, until this has `most` bytes.
std::string on_one_line(std::string_view text, std::size_t most) {
    std::string line;
    while (!text.empty()) {
        if (line.size() >= most) return line + "...";
        std::size_t const count = character_bytes(text);
        if (count > 0)
            line += text.substr(0, count);
        else if (text[0] == '\n')
            line += "\\n";
        else if (text[0] == '\t')
            line += "\\t";
        else
            line += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
        text.remove_prefix(std::max<std::size_t>(count, 1));
    }
    return line;
}

}  // namespace

std::string printable(std::string_view text) {
    return on_one_line(text, std::string_view::npos);
}

std::string excerpt(std::string_view text) {
    return on_one_line(text, 80);
}

std::string counted(std::uint64_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

data_error::data_error(std::string_view file, std::string_view place, std::string_view expected)
    : std::runtime_error(fmt::format("{}: {}: {}", printable(file), place, expected)) {}

}  // namespace warpfold::app
