// Long inputs: memory stays small, and a terminal is told how far the read is.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "program.hpp"

namespace {

// The library promises less than 256 MiB; the program needs a fraction of that. Sanitizers keep memory of their own.
constexpr long most_kib = WARPFOLD_SANITIZED ? std::numeric_limits<long>::max() / 4 : 64 * 1024;

TEST(long_input, a_file_is_read_in_bounded_memory) {
    test_folder const folder;
    auto const path = folder.write("zeros", "");
    std::filesystem::resize_file(path, std::uintmax_t{1} << 29);  // sparse: takes no room on disk
    auto const result = warpfold_run({"stats", "--dtype", "uint16", path});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_NE(result.out.find("items   268435456\n"), std::string::npos) << result.out;
    EXPECT_LT(result.peak_kib, most_kib);
}

TEST(long_input, a_stream_is_read_in_bounded_memory) {
    auto const result =
        warpfold_run({"count", "--dtype", "uint8", "-"}, {.input = std::string(65536, '\0'), .repeats = 4096});
    EXPECT_EQ(result.out, "268435456\n");
    EXPECT_LT(result.peak_kib, most_kib);
}

TEST(long_input, csv_is_read_in_bounded_memory) {
    test_folder const folder;
    constexpr int rows = 1 << 20;
    auto const path =
        folder.write("x.csv", "a,b\n", "123.5,\"some text that is never looked at, but has to be read\"\n", rows);
    auto const result = warpfold_run({"sum", "--column", "a", path});
    EXPECT_EQ(result.out, "129499136\n") << result.err;
    EXPECT_LT(result.peak_kib, most_kib);
}

TEST(long_input, a_quote_left_open_does_not_fill_the_memory) {
    test_folder const folder;
    auto const path = folder.write("x.csv", "a,b\n1,\"", "no quote, no end of the line, and so on; ", 1 << 20);
    auto const result = warpfold_run({"sum", "--column", "a", path});
    EXPECT_EQ(result.err, "warpfold: " + path +
                              ": line 2: expected a record of less than 16777216 bytes; is a quote left open or a "
                              "line feed missing?\n");
    EXPECT_LT(result.peak_kib, most_kib);
}

TEST(long_input, a_wide_csv_is_read_in_bounded_memory) {
    test_folder const folder;
    auto const header = folder.write("header.csv", "a", ",", 8000000);
    auto const too_wide = warpfold_run({"sum", "--column", "a", header});
    EXPECT_EQ(too_wide.err, "warpfold: " + header + ": line 1: expected at most 1048576 columns, found more\n");
    EXPECT_LT(too_wide.peak_kib, most_kib);

    constexpr int columns = 1 << 16;
    std::string names, numbers;
    for (int i = 0; i < columns; ++i) {
        names += (i > 0 ? "," : "") + std::to_string(i);
        numbers += i > 0 ? ",1" : "1";
    }
    auto const x = folder.write("x.csv", names + "\n", numbers + "\n", 2);
    auto const all = warpfold_run({"stats", "--json", x});
    EXPECT_EQ(std::count(all.out.begin(), all.out.end(), '\n'), columns) << all.err;
    EXPECT_LT(all.peak_kib, 4 * most_kib);

    auto const y = folder.write("y.csv", names + ",b\n", numbers + ",2\n", 2);
    EXPECT_EQ(warpfold_run({"sum", "--column", "b", y}).out, "4\n");
    EXPECT_EQ(warpfold_run({"stats", y}).err,
              "warpfold: " + y +
                  ": line 1: expected at most 65536 columns to read, found 65537; choose with --column NAME\n");
}

TEST(long_input, a_terminal_sees_progress_after_a_second) {
    auto const slow =
        warpfold_run({"sum", "--dtype", "uint8", "-"},
                     {.input = std::string(10, '\1'), .repeats = 2, .pause_seconds = 1.3, .terminal = true});
    EXPECT_EQ(slow.out, "20\n");
    EXPECT_NE(slow.err.find("GB/s"), std::string::npos) << slow.err;
    auto const slow_csv = warpfold_run({"sum", "--column", "1000000", "-"},
                                       {.input = "1000000\n", .repeats = 2, .pause_seconds = 1.3, .terminal = true});
    EXPECT_EQ(slow_csv.out, "1000000\n");
    EXPECT_NE(slow_csv.err.find("GB/s"), std::string::npos) << slow_csv.err;
    auto const quick =
        warpfold_run({"sum", "--dtype", "uint8", "-"}, {.input = std::string(10, '\1'), .terminal = true});
    EXPECT_EQ(quick.err, "");
}

TEST(long_input, a_terminal_that_goes_away_costs_no_answer) {
    auto const result = warpfold_run({"sum", "--dtype", "uint8", "-"}, {.input = std::string(10, '\1'),
                                                                        .repeats = 2,
                                                                        .pause_seconds = 1.5,
                                                                        .terminal = true,
                                                                        .terminal_seconds = 0.5});
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.out, "20\n");
}

}  // namespace
