#include "npy.hpp"

#include <fmt/format.h>

#include <bit>
#include <limits>
#include <optional>

#include "error.hpp"

namespace warpfold::app {
namespace {

// NumPy itself stops at 64 axes; its headers stay far below a megabyte.
constexpr std::size_t most_axes = 64;
constexpr std::size_t longest_header = std::size_t{1} << 20;

/// Reads the Python dictionary of a header: exactly the keys 'descr', 'fortran_order' and 'shape', in any order.
class dictionary_parser {
  public:
    dictionary_parser(std::string_view text, std::string const& file) : text_(text), file_(file) {}

    npy_header parse() {
        npy_header header;
        bool has_type = false, has_order = false, has_shape = false;
        expect('{');
        while (!accept('}')) {
            std::string_view const key = string("a key in quotes");
            expect(':');
            if (key == "descr" && !has_type) {
                has_type = true;
                type(header);
            } else if (key == "fortran_order" && !has_order) {
                has_order = true;
                header.fortran_order = boolean();
            } else if (key == "shape" && !has_shape) {
                has_shape = true;
                shape(header);
            } else {
                fail(fmt::format("expected 'descr', 'fortran_order' and 'shape' once each, found '{}'", excerpt(key)));
            }
            if (accept('}')) break;
            expect(',');
        }
        skip_space();
        if (at_ != text_.size()) fail("expected nothing after the dictionary but spaces");
        if (!(has_type && has_order && has_shape)) fail("expected the keys 'descr', 'fortran_order' and 'shape'");
        count_items(header);
        return header;
    }

  private:
    [[noreturn]] void fail(std::string_view expected) const { throw data_error(file_, "header", expected); }

    void skip_space() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    }
    bool accept(char c) {
        skip_space();
        if (at_ == text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    void expect(char c) {
        if (!accept(c)) {
            auto const rest = text_.substr(at_, 20);
            fail(rest.empty() ? fmt::format("expected '{}', found the end of the header", c)
                              : fmt::format("expected '{}' before \"{}\"", c, excerpt(rest)));
        }
    }
    bool accept_word(std::string_view word) {
        skip_space();
        if (!text_.substr(at_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }

    std::string_view string(std::string_view what) {
        skip_space();
        char const quote = at_ < text_.size() ? text_[at_] : '\0';
        if (quote != '\'' && quote != '"') fail(fmt::format("expected {}", what));
        std::size_t const end = text_.find(quote, at_ + 1);
        if (end == std::string_view::npos) fail("expected a closing quote");
        auto const content = text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
        return content;
    }
    bool boolean() {
        if (accept_word("True")) return true;
        if (accept_word("False")) return false;
        fail("expected True or False for 'fortran_order'");
    }

    void type(npy_header& header) {
        skip_space();
        if (at_ < text_.size() && text_[at_] == '[') fail("expected a type of numbers, found a structured type");
        std::string_view const descr = string("a type such as '<f4' for 'descr'");
        auto const known = descr.size() == 3 ? type_of(descr.substr(1)) : std::nullopt;
        std::string_view const orders = known && item_size(*known) == 1 ? "|<>=" : "<>=";
        if (!known || orders.find(descr[0]) == std::string_view::npos) {
            std::string_view const kind = descr.size() > 1 ? descr.substr(1, 1) : "";
            std::string_view const found = kind == "O"                  ? "Python objects "
                                           : kind == "U" || kind == "S" ? "strings "
                                           : kind == "M" || kind == "m" ? "dates "
                                           : kind == "c"                ? "complex numbers "
                                                                        : "";
            fail(fmt::format("expected a type of numbers (b1, i1 to i8, u1 to u8, f2, f4, f8), found {}'{}'", found,
                             excerpt(descr)));
        }
        header.type = *known;
        constexpr char other_order = std::endian::native == std::endian::little ? '>' : '<';
        header.swapped = descr[0] == other_order && item_size(*known) > 1;
    }
    static std::optional<dtype> type_of(std::string_view code) {
        struct entry {
            std::string_view code;
            dtype type;
        };
        static constexpr entry entries[] = {{"b1", dtype::boolean}, {"i1", dtype::int8},    {"i2", dtype::int16},
                                            {"i4", dtype::int32},   {"i8", dtype::int64},   {"u1", dtype::uint8},
                                            {"u2", dtype::uint16},  {"u4", dtype::uint32},  {"u8", dtype::uint64},
                                            {"f2", dtype::float16}, {"f4", dtype::float32}, {"f8", dtype::float64}};
        for (auto const& e : entries) {
            if (e.code == code) return e.type;
        }
        return std::nullopt;
    }

    void shape(npy_header& header) {
        expect('(');
        while (!accept(')')) {
            if (header.shape.size() == most_axes) fail(fmt::format("expected at most {} axes", most_axes));
            header.shape.push_back(length());
            // A single length is a tuple only with its comma.
            if (header.shape.size() == 1)
                expect(',');
            else if (!accept(',')) {
                expect(')');
                break;
            }
        }
    }
    std::int64_t length() {
        skip_space();
        if (at_ < text_.size() && text_[at_] == '-')
            fail("expected lengths of at least 0 in 'shape', found a negative one");
        std::size_t const first = at_;
        std::int64_t value = 0;
        for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
            if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, text_[at_] - '0', &value))
                fail("expected lengths below 2^63 in 'shape'");
        }
        if (at_ == first) fail("expected a whole number in 'shape'");
        return value;
    }

    void count_items(npy_header& header) const {
        std::int64_t bytes = item_size(header.type);
        bool empty = false;
        for (std::int64_t const n : header.shape) {
            if (n == 0)
                empty = true;
            else if (__builtin_mul_overflow(bytes, n, &bytes))
                fail("expected a 'shape' of less than 2^63 bytes in all");
        }
        header.items = empty ? 0 : bytes / item_size(header.type);
    }

    std::string_view text_;
    std::string const& file_;
    std::size_t at_ = 0;
};

}  // namespace

npy_header read_npy_header(byte_source& source, std::string const& file) {
    auto const need = [&](char* to, std::size_t count, std::string_view what) {
        if (source.read_fully(to, count) != count)
            throw data_error(file, "header", fmt::format("expected {}, found the end of the file", what));
    };
    unsigned char start[12] = {};
    char* const bytes = reinterpret_cast<char*>(start);
    need(bytes, 8, "the 8 bytes that begin a .npy file");
    if (std::string_view(bytes, 6) != npy_magic) throw data_error(file, "header", "expected a .npy file");
    unsigned const version = start[6];
    if (version < 1 || version > 3 || start[7] != 0)
        throw data_error(file, "header",
                         fmt::format("expected .npy version 1.0, 2.0 or 3.0, found {}.{}", version, start[7]));
    std::size_t const length_size = version == 1 ? 2 : 4;
    need(bytes + 8, length_size, "the length of the header");
    std::size_t length = 0;
    for (std::size_t i = length_size; i-- > 0;) length = length << 8 | start[8 + i];
    if (length > longest_header)
        throw data_error(
            file, "header",
            fmt::format("expected at most {} bytes of header, found a length of {}", longest_header, length));
    std::string text(length, '\0');
    need(text.data(), length, counted(length, "byte") + " of header");
    npy_header header = dictionary_parser(text, file).parse();
    header.offset = static_cast<std::int64_t>(8 + length_size + length);
    return header;
}

}  // namespace warpfold::app
