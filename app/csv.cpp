#include "csv.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <unordered_map>
#include <utility>

#include "error.hpp"

namespace warpfold::app {
namespace {

/// A record longer than this is taken for a quote that was never closed, or for a file of no lines.
constexpr std::size_t longest_record = std::size_t{1} << 24;
/// What bounds the memory: a name in the header line, and a result of each column that is read.
constexpr std::size_t most_fields = std::size_t{1} << 20, most_columns = std::size_t{1} << 16;

std::string_view trim(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::string list_of(std::vector<std::string> const& names) {
    std::string list;
    for (auto const& name : names) list += fmt::format("{}{}", list.empty() ? "" : ", ", name);
    return excerpt(list);
}

/// Where each name stands in the header line, or `several`.
constexpr int several = -1;
std::unordered_map<std::string_view, int> fields_by_name(std::vector<std::string> const& header) {
    std::unordered_map<std::string_view, int> field_of;
    for (std::size_t i = 0; i < header.size(); ++i) {
        auto const [entry, is_first] = field_of.emplace(header[i], static_cast<int>(i));
        if (!is_first) entry->second = several;
    }
    return field_of;
}

}  // namespace

std::optional<double> number_in(std::string_view cell) {
    cell = trim(cell);
    if (cell.empty() || cell == "NA") return std::numeric_limits<double>::quiet_NaN();
    // fast_float takes no plus sign; data has them.
    if (cell.size() > 1 && cell[0] == '+' && cell[1] != '-') cell.remove_prefix(1);
    double value = 0;
    auto const [end, failure] = fast_float::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (failure != std::errc() || end != cell.data() + cell.size()) return std::nullopt;
    if (std::isinf(value) && std::any_of(cell.begin(), cell.end(), is_digit)) return std::nullopt;
    return value;
}

csv_reader::csv_reader(byte_source& source, std::string file, std::size_t buffer_bytes)
    : source_(source), file_(std::move(file)), buffer_(buffer_bytes, '\0') {
    fill();
    if (std::string_view(buffer_).substr(0, filled_).starts_with("\xef\xbb\xbf")) next_ = 3;
    if (!next_record()) throw data_error(file_, "line 1", "expected a header line, found an empty file");
    for (std::size_t at = 0; at <= record_.size();) {
        if (header_.size() == most_fields)
            fail(at, "", fmt::format("expected at most {} columns, found more", most_fields));
        header_.emplace_back(trim(next_field(at)));
    }
}

void csv_reader::select(std::vector<std::string> names) {
    std::size_t const columns = names.empty() ? header_.size() : names.size();
    if (columns > most_columns)
        fail(0, "",
             fmt::format("expected at most {} columns to read, found {}; choose with --column NAME", most_columns,
                         columns));
    selected_ = names.empty() ? header_ : std::move(names);
    target_.assign(header_.size(), -1);
    auto const field_of = fields_by_name(header_);
    for (std::size_t i = 0; i < selected_.size(); ++i) {
        auto const found = field_of.find(selected_[i]);
        if (found == field_of.end())
            fail(0, "", fmt::format("expected a column '{}', found {}", printable(selected_[i]), list_of(header_)));
        if (found->second == several)
            fail(0, "", fmt::format("expected one column '{}', found several", printable(selected_[i])));
        int& target = target_[static_cast<std::size_t>(found->second)];
        if (target >= 0) throw usage_error(fmt::format("--column: '{}' is named twice", printable(selected_[i])));
        target = static_cast<int>(i);
    }
}

std::int64_t csv_reader::next_block(std::int64_t count, std::span<double* const> columns) {
    std::int64_t row = 0;
    while (row < count && next_record()) parse_row(row++, columns);
    return row;
}

void csv_reader::parse_row(std::int64_t row, std::span<double* const> columns) {
    std::size_t field = 0;
    for (std::size_t at = 0; at <= record_.size(); ++field) {
        std::size_t const begin = at;
        std::string_view const cell = next_field(at);
        if (field == header_.size())
            fail(begin, "", fmt::format("expected {}, found more", counted(header_.size(), "field")));
        if (target_[field] < 0) continue;
        auto const value = number_in(cell);
        if (!value) fail(begin, header_[field], fmt::format("expected a number, found \"{}\"", excerpt(cell)));
        columns[static_cast<std::size_t>(target_[field])][row] = *value;
    }
    if (field < header_.size())
        fail(0, "", fmt::format("expected {}, found {}", counted(header_.size(), "field"), field));
}

std::string_view csv_reader::next_field(std::size_t& at) {
    std::size_t const begin = at;
    if (begin == record_.size() || record_[begin] != '"') {
        std::size_t const end = std::min(record_.find(',', begin), record_.size());
        at = end + 1;
        auto const text = record_.substr(begin, end - begin);
        if (std::memchr(text.data(), '"', text.size()))
            fail(begin, "", "expected a field with a quote in it to be quoted");
        if (has_return_ && text.find('\r') != std::string_view::npos)
            fail(begin, "", "expected a line feed behind a carriage return, which alone ends no line");
        return text;
    }
    unquoted_.clear();
    for (std::size_t i = begin + 1;;) {
        std::size_t const quote = record_.find('"', i);
        if (quote == std::string_view::npos) fail(begin, "", "expected a quoted field to end in a quote");
        unquoted_ += record_.substr(i, quote - i);
        i = quote + 1;
        if (i == record_.size() || record_[i] == ',') {
            at = i + 1;
            return unquoted_;
        }
        if (record_[i] != '"') fail(begin, "", "expected a comma after a quoted field");
        unquoted_ += '"';
        ++i;
    }
}

bool csv_reader::next_record() {
    while (true) {
        line_ = next_line_;
        bool quote_open = false;
        // Both count from next_, because fill() moves the bytes.
        std::size_t scanned = 0, length = 0;
        while (true) {
            char const* const begin = buffer_.data() + next_;
            std::size_t const available = filled_ - next_;
            auto const* const newline =
                static_cast<char const*>(std::memchr(begin + scanned, '\n', available - scanned));
            std::size_t const end = newline ? static_cast<std::size_t>(newline - begin) : available;
            if (std::memchr(begin + scanned, '"', end - scanned))
                quote_open ^= std::count(begin + scanned, begin + end, '"') % 2 != 0;
            scanned = end;
            if (newline) {
                ++next_line_;
                ++scanned;
                if (quote_open) continue;
                length = end > 0 && begin[end - 1] == '\r' ? end - 1 : end;
                break;
            }
            if (fill()) continue;
            if (quote_open) fail(0, "", "expected the quote that is opened here to be closed");
            if (available == 0) return false;
            length = end;
            break;
        }
        record_ = std::string_view(buffer_).substr(next_, length);
        next_ += scanned;
        has_return_ = record_.find('\r') != std::string_view::npos;
        if (!record_.empty()) return true;
    }
}

bool csv_reader::fill() {
    if (ended_) return false;
    std::size_t const kept = filled_ - next_;
    std::memmove(buffer_.data(), buffer_.data() + next_, kept);
    next_ = 0;
    filled_ = kept;
    if (kept >= longest_record)
        fail(0, "",
             fmt::format("expected a record of less than {} bytes; is a quote left open or a line feed missing?",
                         longest_record));
    if (kept > buffer_.size() / 2) buffer_.resize(2 * buffer_.size());
    // What is there, not all that fits: of a slow pipe, too, the header line shall be read at once.
    std::size_t const now = source_.read(buffer_.data() + filled_, buffer_.size() - filled_);
    filled_ += now;
    ended_ = now == 0;
    return now > 0;
}

void csv_reader::fail(std::size_t at, std::string_view column, std::string_view expected) const {
    // The line of the field itself: quoted fields before it may span lines.
    auto const line = line_ + std::count(record_.begin(), record_.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    throw data_error(
        file_, column.empty() ? fmt::format("line {}", line) : fmt::format("line {}, column {}", line, excerpt(column)),
        expected);
}

}  // namespace warpfold::app
