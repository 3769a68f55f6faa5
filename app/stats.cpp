// stats: every statistic in one read, as a table with a column an array.
#include <fmt/format.h>

#include <algorithm>

#include "command.hpp"
#include "file_options.hpp"
#include "folds.hpp"

namespace warpfold::app {
namespace {

/// What a row is of: FILE, COLUMN, or both where there are several FILEs.
std::string title_of(file_result const& result, result_row const& row, bool several) {
    std::string const file =
        result.files.size() == 1 ? printable(result.files[0]) : fmt::format("{} files", result.files.size());
    if (row.column.empty()) return file;
    return several ? fmt::format("{}: {}", file, printable(row.column)) : printable(row.column);
}

/// Columns of a terminal that `text` takes. fmt pads by these, so that what it adds to reach the bytes of `text` tells.
std::size_t display_width(std::string_view text) {
    return 2 * text.size() - fmt::formatted_size("{:>{}}", text, text.size());
}

/// The statistics downwards, the arrays across; the title of a single array stands above, as it may be long.
std::string table(std::vector<file_result> const& results) {
    bool const single = results.size() == 1 && results[0].rows.size() == 1;
    std::size_t constexpr label_width = 6;
    std::vector<std::string> lines{std::string(label_width, ' ')};
    for (auto const& [label, key] : statistics) lines.push_back(fmt::format("{:<{}}", label, label_width));
    for (auto const& result : results) {
        for (auto const& row : result.rows) {
            std::string const title = title_of(result, row, results.size() > 1 || single);
            std::vector<std::string> cells{single ? "" : title};
            if (single) lines[0] = title;
            for (auto const& value : row.answers) cells.push_back(value ? text_of(*value) : "-");
            std::size_t width = 0;
            for (auto const& cell : cells) width = std::max(width, display_width(cell));
            for (std::size_t i = single; i < cells.size(); ++i) lines[i] += fmt::format("  {:>{}}", cells[i], width);
        }
    }
    return fmt::format("{}\n", fmt::join(lines, "\n"));
}

std::string json_lines(std::vector<file_result> const& results) {
    std::string text;
    for (auto const& result : results) {
        for (auto const& row : result.rows) {
            text += fmt::format("{{{},\"type\":\"{}\"", json_place(result, row), name_of(row.type));
            for (std::size_t i = 0; i < statistics.size(); ++i)
                text +=
                    fmt::format(",\"{}\":{}", statistics[i].key, row.answers[i] ? json_of(*row.answers[i]) : "null");
            text += "}\n";
        }
    }
    return text;
}

}  // namespace

void add_stats(command const& program) {
    command const added = program.add_command("stats", "All of these in one read, as a table");
    added.footer(
        "Examples:\n"
        "  warpfold stats --skip-nan delays.npy\n"
        "  warpfold stats --column dep_delay --column arr_delay flights.csv\n"
        "The table has a column for each FILE, or for each column of a CSV FILE. `at` is a position, from 0, in C "
        "order.");
    auto options = add_file_options(added);
    added.option("--ddof", options->request.ddof, "divisor of std: the number of items less this (default 0)")
        .type_name("N")
        .from_to(0);
    added.callback([options] {
        auto const results = fold_each(*options, fold_stats);
        print(options->json ? json_lines(results) : table(results));
    });
}

}  // namespace warpfold::app
