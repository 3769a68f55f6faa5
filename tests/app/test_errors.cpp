// Bad input and bad command lines: one line on standard error, an exit code, and nothing on standard output.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>

#include "program.hpp"

namespace {

class errors : public testing::Test {
  protected:
    /// The message of a run that must fail with `code`, without "warpfold: ".
    static std::string error(int code, std::vector<std::string> const& arguments, run_setting const& setting = {}) {
        auto const result = warpfold_run(arguments, setting);
        EXPECT_EQ(result.code, code) << result.err;
        EXPECT_EQ(result.out, "");
        EXPECT_TRUE(result.err.starts_with("warpfold: ")) << result.err;
        EXPECT_EQ(result.err.find('\n'), result.err.size() - 1) << result.err;
        return result.err.substr(std::min<std::size_t>(10, result.err.size()));
    }
    /// The message for a file of these bytes, without its path.
    std::string error_of(std::string const& name, std::string_view bytes,
                         std::vector<std::string> arguments = {"sum"}) const {
        std::string const path = folder.write(name, bytes);
        arguments.push_back(path);
        std::string const message = error(1, arguments);
        EXPECT_TRUE(message.starts_with(path + ": ")) << message;
        return message.substr(std::min(path.size() + 2, message.size()));
    }
    test_folder folder;
};

TEST_F(errors, npy_headers) {
    auto const data = bytes_of<float>({1, 2, 3});
    auto const good = npy("<f4", "(3,)", data);
    EXPECT_EQ(warpfold_run({"sum", folder.write("good.npy", good)}).out, "6\n");

    EXPECT_EQ(error_of("x.npy", good.substr(0, 4)),
              "header: expected the 8 bytes that begin a .npy file, found the end of the file\n");
    EXPECT_EQ(error_of("x.npy", good.substr(0, 9)),
              "header: expected the length of the header, found the end of the file\n");
    EXPECT_EQ(error_of("x.npy", good.substr(0, 30)),
              "header: expected 58 bytes of header, found the end of the file\n");
    EXPECT_EQ(error_of("x.npy", std::string("\x93NUMPY\4\0", 8) + good.substr(8)),
              "header: expected .npy version 1.0, 2.0 or 3.0, found 4.0\n");
    EXPECT_EQ(error_of("x.npy", std::string("\x93NUMPY\2\0\xff\xff\xff\xff", 12) + good),
              "header: expected at most 1048576 bytes of header, found a length of 4294967295\n");

    auto const header = [&](std::string_view dictionary) { return error_of("x.npy", npy_of(dictionary, data)); };
    EXPECT_EQ(header("[]"), "header: expected '{' before \"[]\"\n");
    EXPECT_EQ(header("{'descr': '<f4', 'fortran_order': False}"),
              "header: expected the keys 'descr', 'fortran_order' and 'shape'\n");
    EXPECT_EQ(header("{'descr': '<f4', 'descr': '<f4'}"),
              "header: expected 'descr', 'fortran_order' and 'shape' once each, found 'descr'\n");
    EXPECT_EQ(header("{'descr': '<f4', 'fortran_order': 0, 'shape': (3,)}"),
              "header: expected True or False for 'fortran_order'\n");
    EXPECT_EQ(header("{'descr': '<f4', 'fortran_order': False, 'shape': (3,)} x"),
              "header: expected nothing after the dictionary but spaces\n");
    EXPECT_EQ(header("{'descr': '<f4"), "header: expected a closing quote\n");
}

TEST_F(errors, npy_types) {
    auto const type = [&](std::string_view descr) { return error_of("x.npy", npy(descr, "(3,)", "123456789abc")); };
    std::string const expected = "header: expected a type of numbers (b1, i1 to i8, u1 to u8, f2, f4, f8), found ";
    EXPECT_EQ(type("|O"), expected + "Python objects '|O'\n");
    EXPECT_EQ(type("<U5"), expected + "strings '<U5'\n");
    EXPECT_EQ(type("|S4"), expected + "strings '|S4'\n");
    EXPECT_EQ(type("<c8"), expected + "complex numbers '<c8'\n");
    EXPECT_EQ(type("<M8[s]"), expected + "dates '<M8[s]'\n");
    EXPECT_EQ(type("|f4"), expected + "'|f4'\n");
    EXPECT_EQ(error_of("x.npy", npy_of("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,)}", "")),
              "header: expected a type of numbers, found a structured type\n");
}

TEST_F(errors, npy_shapes) {
    auto const shape = [&](std::string_view text) {
        return error_of("x.npy", npy("<f4", text, bytes_of<float>({1, 2, 3})));
    };
    EXPECT_EQ(shape("(-3,)"), "header: expected lengths of at least 0 in 'shape', found a negative one\n");
    EXPECT_EQ(shape("(4294967296, 4294967296)"), "header: expected a 'shape' of less than 2^63 bytes in all\n");
    EXPECT_EQ(shape("(9223372036854775807,)"), "header: expected a 'shape' of less than 2^63 bytes in all\n");
    EXPECT_EQ(shape("(9223372036854775808,)"), "header: expected lengths below 2^63 in 'shape'\n");
    EXPECT_EQ(shape("(1.5,)"), "header: expected ',' before \".5,), }\\n\"\n");
    EXPECT_EQ(shape("(3)"), "header: expected ',' before \"), }\\n\"\n");
    EXPECT_EQ(shape("(1,)"), "data: expected 4 bytes (1 item of float32), found 12\n");
    EXPECT_EQ(shape("(2,)"), "data: expected 8 bytes (2 items of float32), found 12\n");
    EXPECT_EQ(shape("(4,)"), "data: expected 16 bytes (4 items of float32), found 12\n");
    EXPECT_EQ(shape("(1000000000000000000,)"),
              "data: expected 4000000000000000000 bytes (1000000000000000000 items of float32), found 12\n");
    auto const stream = [&](std::string_view text) {
        return error(1, {"sum", "-"}, {.input = npy("<f4", text, bytes_of<float>({1, 2, 3}))});
    };
    EXPECT_EQ(stream("(1,)"), "standard input: data: expected the end after 1 item of float32, found more\n");
    EXPECT_EQ(stream("(2,)"), "standard input: data: expected the end after 2 items of float32, found more\n");
    EXPECT_EQ(stream("(4,)"), "standard input: data: expected 4 items of float32, found the end after 3\n");
}

TEST_F(errors, raw) {
    EXPECT_EQ(error_of("x.raw", "1234567", {"sum", "--dtype", "int32"}),
              "data: expected a multiple of 4 bytes (int32), found 7\n");
    EXPECT_EQ(error(1, {"sum", "--dtype", "int32", "-"}, {.input = "1234567"}),
              "standard input: data: expected a multiple of 4 bytes (int32), found 7\n");
    EXPECT_EQ(error_of("x.npy", npy("<f4", "(0,)", ""), {"sum", "--dtype", "uint8"}),
              "header: expected raw items for --dtype, found a .npy file, which states its own type\n");
    EXPECT_EQ(error_of("x.raw", "1234567"),
              "header: expected a .npy file; for raw items add --dtype TYPE, for CSV --column NAME\n");
}

TEST_F(errors, csv) {
    std::string const text = "id,a,a\n1,2,3\n\n2,\"x\ny\",4\n";
    EXPECT_EQ(error_of("x.csv", text, {"sum", "--column", "b"}), "line 1: expected a column 'b', found id, a, a\n");
    EXPECT_EQ(error_of("x.csv", text, {"sum", "--column", "a"}), "line 1: expected one column 'a', found several\n");
    EXPECT_EQ(error_of("x.csv", "id,a\n1,2\n\n2,\"x\ny\"\n", {"sum", "--column", "a"}),
              "line 4, column a: expected a number, found \"x\\ny\"\n");
    EXPECT_EQ(error_of("x.csv", "id,a\n\"1\n2\",2\n3,1e999\n", {"sum", "--column", "a"}),
              "line 4, column a: expected a number, found \"1e999\"\n");
    EXPECT_EQ(error_of("x.csv", "a\n1.5x\n"), "line 2, column a: expected a number, found \"1.5x\"\n");
    EXPECT_EQ(error_of("x.csv", "a,b\n1,2\n3\n", {"sum", "--column", "a"}), "line 3: expected 2 fields, found 1\n");
    EXPECT_EQ(error_of("x.csv", "a,b\n1,2,3\n", {"sum", "--column", "a"}), "line 2: expected 2 fields, found more\n");
    EXPECT_EQ(error_of("x.csv", "a,b\n1,\"2\n3,4\n", {"sum", "--column", "a"}),
              "line 2: expected the quote that is opened here to be closed\n");
    EXPECT_EQ(error_of("x.csv", "a,b\n1,2\"3\"\n", {"sum", "--column", "a"}),
              "line 2: expected a field with a quote in it to be quoted\n");
    EXPECT_EQ(error_of("x.csv", "a,b\n1,\"2\"3\n", {"sum", "--column", "a"}),
              "line 2: expected a comma after a quoted field\n");
    EXPECT_EQ(error_of("x.csv", "a\n1\n2,3\n"), "line 3: expected 1 field, found more\n");
    std::string const lone = "expected a line feed behind a carriage return, which alone ends no line\n";
    EXPECT_EQ(error_of("x.csv", "a\r1\r2\r3\r"), "line 1: " + lone);
    EXPECT_EQ(error_of("x.csv", "a,b\r\n1,2\r\n3\r,4\r\n", {"sum", "--column", "b"}), "line 3: " + lone);
    EXPECT_EQ(error_of("x.csv", "a\n1\n2\r"), "line 3: " + lone);
    EXPECT_EQ(error_of("x.csv", "a,b\n1,2\n"),
              "columns: expected one column for sum, found 2; choose with --column NAME\n");
    EXPECT_EQ(error_of("x.npy", npy("<f4", "(0,)", ""), {"sum", "--column", "a"}),
              "header: expected CSV for --column, found a .npy file\n");
}

TEST_F(errors, files_that_cannot_be_read) {
    EXPECT_EQ(error(1, {"sum", folder.path("missing.npy")}),
              folder.path("missing.npy") + ": open: No such file or directory\n");
    EXPECT_EQ(error(1, {"sum", folder.path("")}), folder.path("") + ": open: expected a file, found a directory\n");
    EXPECT_EQ(error(1, {"sum", "--dtype", "uint8", "/proc/self/mem"}), "/proc/self/mem: read: Input/output error\n");
    EXPECT_EQ(error(1, {"sum", "-"}, {.input_file = folder.path("")}),
              "standard input: open: expected a file, found a directory\n");
    for (char const* name : {"empty.npy", "empty.csv", "empty.raw"})
        EXPECT_EQ(error_of(name, ""), "data: expected items, found an empty file\n");
    EXPECT_EQ(error_of("empty.raw", "", {"sum", "--dtype", "int8"}), "data: expected items, found an empty file\n");
    EXPECT_EQ(error(1, {"sum", "-"}), "standard input: data: expected items, found an empty file\n");
    EXPECT_EQ(error(1, {"sum", folder.path("line\nbreak")}),
              folder.path("line\\nbreak") + ": open: No such file or directory\n");
}

TEST_F(errors, standard_input) {
    auto const x = folder.write("x.raw", "1234567");
    std::string const once = "expected - once at most, as standard input can be read once\n";
    EXPECT_EQ(error(2, {"sum", "--dtype", "uint8", "-", "-"}, {.input_file = x}), once);
    EXPECT_EQ(error(2, {"stats", "--concat", "--dtype", "uint8", "-", x, "-"}, {.input = "1"}), once);
    EXPECT_EQ(error(1, {"sum", "--dtype", "uint8", x, "-"}, {.closed_input = true}),
              "standard input: read: Bad file descriptor\n");
}

TEST_F(errors, control_characters_do_not_reach_a_terminal) {
    EXPECT_EQ(error(2, {"a\x1b[31m\nb"}), "expected a command, found 'a\\x1b[31m\\nb' (see warpfold --help)\n");
    EXPECT_EQ(error(2, {"sum", "--threads", "\x9b\xc3\xa4", "x"}),
              "--threads: expected a whole number from 1 to 4096, found '\\x9b\xc3\xa4' (see warpfold sum --help)\n");
}

TEST_F(errors, what_a_file_holds_is_shown_up_to_a_character) {
    std::string const start(79, 'x');
    EXPECT_EQ(error_of("x.csv", "a\n" + start + "\xc3\xa4yz\n"),
              "line 2, column a: expected a number, found \"" + start + "\xc3\xa4...\"\n");
    std::string const long_name(100, 'c');
    EXPECT_EQ(error(1, {"sum", folder.path(long_name)}),
              folder.path(long_name) + ": open: No such file or directory\n");
}

TEST_F(errors, folds_without_an_answer) {
    auto const empty = npy("<f4", "(0,)", "");
    for (char const* fold : {"min", "max", "argmin", "argmax"})
        EXPECT_EQ(error_of("x.npy", empty, {fold}), std::string(fold) + ": expected an item, found none\n");
    EXPECT_EQ(error_of("x.csv", "a\nNA\n", {"min", "--skip-nan"}),
              "min: expected an item that is not NaN, found none\n");
    EXPECT_EQ(error_of("x.npy", npy("<u8", "(2,)", bytes_of<std::uint64_t>({~0ULL, 1}))),
              "sum: expected a result that fits a 64-bit integer, found a larger one\n");
}

TEST_F(errors, a_later_file_leaves_no_partial_answer) {
    auto const good = folder.write("good.npy", npy("<f4", "(1,)", bytes_of<float>({1})));
    EXPECT_EQ(error(1, {"sum", good, folder.path("missing")}),
              folder.path("missing") + ": open: No such file or directory\n");
    auto const other = folder.write("other.npy", npy("<f8", "(1,)", bytes_of<double>({1})));
    EXPECT_EQ(error(1, {"sum", "--concat", good, other}),
              other + ": type: expected float32 as in " + good + ", found float64\n");
}

TEST_F(errors, standard_error_that_takes_nothing) {
    int const status = std::system("\"" WARPFOLD_PROGRAM "\" sum /nonexistent 2>/dev/full");
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 1);
}
TEST_F(errors, a_closed_pipe) {
    auto const good = folder.write("good.npy", npy("<f4", "(1,)", bytes_of<float>({1})));
    EXPECT_EQ(error(1, {"sum", good}, {.closed_output = true}), "standard output: write: Broken pipe\n");
    EXPECT_EQ(error(1, {"--help"}, {.closed_output = true}), "standard output: write: Broken pipe\n");
}

TEST_F(errors, usage) {
    EXPECT_EQ(error(2, {}), "expected a command (see warpfold --help)\n");
    EXPECT_EQ(error(2, {"total"}), "expected a command, found 'total' (see warpfold --help)\n");
    EXPECT_EQ(error(2, {"--fast"}), "expected a command, found '--fast' (see warpfold --help)\n");
    EXPECT_EQ(error(2, {"sum"}), "FILE is required (see warpfold sum --help)\n");
    EXPECT_EQ(error(2, {"sum", "--fast", "x"}),
              "The following argument was not expected: --fast (see warpfold sum --help)\n");
    EXPECT_EQ(error(2, {"sum", "--ddof", "1", "x"}).find("The following argument"), 0U);
    EXPECT_EQ(error(2, {"sum", "--dtype", "f4", "x"}).find("--dtype: expected one of bool, int8"), 0U);
    EXPECT_EQ(error(2, {"sum", "--dtype", "int8", "--column", "a", "x"}).find("--dtype excludes --column"), 0U);
    EXPECT_EQ(error(2, {"norm", "--ord", "3", "x"}),
              "--ord: expected 1, 2 or inf; found 3 (see warpfold norm --help)\n");
    EXPECT_EQ(error(2, {"sum", "--threads", "0", "x"}),
              "--threads: expected a whole number from 1 to 4096, found '0' (see warpfold sum --help)\n");
    for (std::string const ddof : {"-1", "inf", "", "1_000", "0x1", "18446744073709551616"})
        EXPECT_EQ(error(2, {"var", "--ddof", ddof, "x"}),
                  "--ddof: expected a whole number from 0 on, found '" + ddof + "' (see warpfold var --help)\n");
    EXPECT_EQ(error(2, {"stats", "--column", "a", "--column", "a", folder.write("x.csv", "a\n1\n")}),
              "--column: 'a' is named twice\n");
}

TEST_F(errors, files_are_named_as_they_are) {
    auto const good = folder.write("good.npy", npy("<f4", "(1,)", bytes_of<float>({1})));
    for (std::string const name : {"max", "stats", "++", "[]", "[x]", "[a,b]", "%%", "{}", ""}) {
        EXPECT_EQ(error(1, {"sum", name}), name + ": open: No such file or directory\n");
        EXPECT_EQ(error(1, {"sum", good, name}), name + ": open: No such file or directory\n");
        EXPECT_EQ(error(1, {"sum", good, "--", name}), name + ": open: No such file or directory\n");
    }
    EXPECT_EQ(error(1, {"sum", "--", "--json"}), "--json: open: No such file or directory\n");
    EXPECT_EQ(error(1, {"sum", "--column", "[x]", folder.write("x.csv", "a\n1\n")}),
              folder.path("x.csv") + ": line 1: expected a column '[x]', found a\n");
    EXPECT_EQ(error(2, {"sum", "--dtype", "[x]", good}).find("--dtype: expected one of bool, int8"), 0U);
}

}  // namespace
