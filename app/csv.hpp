// Numbers from the columns of a CSV file: RFC 4180 with a header line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "file.hpp"

namespace warpfold::app {

/// The number that a cell states; spaces around it are ignored. An empty cell, "NA" and "nan" are NaN. Nothing if the
/// cell is no number, or a finite one that float64 cannot hold.
std::optional<double> number_in(std::string_view cell);

/// Reads rows in order, with at most a few megabytes in memory. Fields may be quoted (a quote inside is doubled, commas
/// and newlines are literal), lines end in \n or \r\n, the last one's end may be missing, and blank lines are skipped.
/// Every row must have as many fields as the header line, a million at most. Every failure is a data_error naming file,
/// line and column.
class csv_reader {
  public:
    /// Reads the header line. The buffer of `buffer_bytes` grows to hold the longest record.
    csv_reader(byte_source& source, std::string file, std::size_t buffer_bytes = std::size_t{1} << 18);

    /// Chooses the columns that next_block() reads, in the order given; all of them if `names` is empty. A name that
    /// the header line lacks or has twice is an error, and so are more than 65536 columns.
    void select(std::vector<std::string> names);
    std::vector<std::string> const& selected() const { return selected_; }

    /// Reads at most `count` rows: the selected column i goes to columns[i][0...]. Returns the rows read, 0 at the end.
    std::int64_t next_block(std::int64_t count, std::span<double* const> columns);

  private:
    bool next_record();
    bool fill();
    void parse_row(std::int64_t row, std::span<double* const> columns);
    /// The field that begins at `at`, which moves behind its comma, or behind the record after its last field.
    std::string_view next_field(std::size_t& at);
    [[noreturn]] void fail(std::size_t at, std::string_view column, std::string_view expected) const;

    byte_source& source_;
    std::string file_;
    std::vector<std::string> header_;
    std::vector<std::string> selected_;
    std::vector<int> target_;  ///< of each field: the selected column that it is, or -1

    std::string buffer_;
    std::size_t next_ = 0;    ///< where in the buffer the next record begins
    std::size_t filled_ = 0;  ///< bytes of the buffer that are read
    bool ended_ = false;
    std::string_view record_;  ///< the current record, without its line's end
    bool has_return_ = false;  ///< whether a carriage return is in it, which only quotes allow
    std::int64_t line_ = 1;    ///< the line on which the current record begins
    std::int64_t next_line_ = 1;
    std::string unquoted_;
};

}  // namespace warpfold::app
