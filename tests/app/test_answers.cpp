// What each command answers, for every format, type and option.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>

#include "program.hpp"

namespace {

constexpr float nan_f = std::numeric_limits<float>::quiet_NaN();

class answers : public testing::Test {
  protected:
    /// The line that a run prints; its errors show where they were not expected.
    static std::string answer(std::vector<std::string> const& arguments, run_setting const& setting = {}) {
        auto const result = warpfold_run(arguments, setting);
        EXPECT_EQ(result.code, 0) << result.err;
        EXPECT_EQ(result.err, "");
        return result.out;
    }
    test_folder folder;
};

TEST_F(answers, every_fold) {
    auto const x = folder.write("x.npy", npy("<f4", "(4,)", bytes_of<float>({3, -4, 0.5F, 3})));
    EXPECT_EQ(answer({"sum", x}), "2.5\n");
    EXPECT_EQ(answer({"prod", x}), "-18\n");
    EXPECT_EQ(answer({"mean", x}), "0.625\n");
    EXPECT_EQ(answer({"var", x}), "8.171875\n");
    EXPECT_EQ(answer({"var", "--ddof", "1", x}), "10.895833\n");
    EXPECT_EQ(answer({"var", "--ddof", "01", x}), "10.895833\n");
    EXPECT_EQ(answer({"std", x}), "2.8586493\n");
    EXPECT_EQ(answer({"min", x}), "-4\n");
    EXPECT_EQ(answer({"max", x}), "3\n");
    EXPECT_EQ(answer({"argmin", x}), "1\n");
    EXPECT_EQ(answer({"argmax", x}), "0\n");
    EXPECT_EQ(answer({"norm", "--ord", "1", x}), "10.5\n");
    EXPECT_EQ(answer({"norm", x}), "5.8523498\n");
    EXPECT_EQ(answer({"norm", "--ord", "2", x}), "5.8523498\n");
    EXPECT_EQ(answer({"norm", "--ord", "inf", x}), "4\n");
    EXPECT_EQ(answer({"logsumexp", folder.write("zeros.npy", npy("<f8", "(1,)", bytes_of<double>({-2.5})))}), "-2.5\n");
    EXPECT_EQ(answer({"count", x}), "4\n");
    EXPECT_EQ(answer({"any", x}), "true\n");
    EXPECT_EQ(answer({"all", x}), "true\n");
}

TEST_F(answers, every_type_and_byte_order) {
    struct type_case {
        char const* code;
        char const* name;
        std::string data;  // 1, 2, 4 (true, false, true for bool), least significant byte first
        char const* sum;
    };
    type_case const cases[] = {{"b1", "bool", bytes_of<std::uint8_t>({1, 0, 255}), "2\n"},
                               {"i1", "int8", bytes_of<std::int8_t>({1, 2, 4}), "7\n"},
                               {"i2", "int16", bytes_of<std::int16_t>({1, 2, 4}), "7\n"},
                               {"i4", "int32", bytes_of<std::int32_t>({1, 2, 4}), "7\n"},
                               {"i8", "int64", bytes_of<std::int64_t>({1, 2, 4}), "7\n"},
                               {"u1", "uint8", bytes_of<std::uint8_t>({1, 2, 4}), "7\n"},
                               {"u2", "uint16", bytes_of<std::uint16_t>({1, 2, 4}), "7\n"},
                               {"u4", "uint32", bytes_of<std::uint32_t>({1, 2, 4}), "7\n"},
                               {"u8", "uint64", bytes_of<std::uint64_t>({1, 2, 4}), "7\n"},
                               {"f2", "float16", bytes_of<std::uint16_t>({0x3c00, 0x4000, 0x4400}), "7\n"},
                               {"f4", "float32", bytes_of<float>({1, 2, 4}), "7\n"},
                               {"f8", "float64", bytes_of<double>({1, 2, 4}), "7\n"},
                               {"", "bfloat16", bytes_of<std::uint16_t>({0x3f80, 0x4000, 0x4080}), "7\n"}};
    for (auto const& [code, name, data, sum] : cases) {
        EXPECT_EQ(answer({"sum", "--dtype", name, folder.write("x.raw", data)}), sum) << name;
        EXPECT_EQ(answer({"max", "--dtype", name, "-"}, {.input = data}),
                  std::string(name) == "bool" ? "true\n" : "4\n")
            << name;
        if (!*code) continue;
        std::size_t const size = data.size() / 3;
        std::string swapped = data;
        for (std::size_t i = 0; i < 3; ++i)
            std::reverse(swapped.begin() + static_cast<long>(i * size),
                         swapped.begin() + static_cast<long>((i + 1) * size));
        std::string const order = size == 1 ? "|" : "<", other = size == 1 ? "|" : ">";
        EXPECT_EQ(answer({"sum", folder.write("x.npy", npy(order + code, "(3,)", data))}), sum) << name;
        EXPECT_EQ(answer({"sum", folder.write("y.npy", npy(other + code, "(3,)", swapped))}), sum) << name;
        EXPECT_EQ(answer({"sum", "-"}, {.input = npy(other + code, "(3,)", swapped)}), sum) << name;
    }
}

TEST_F(answers, npy_versions_shapes_and_spellings) {
    auto const data = bytes_of<float>({1, 2, 3, 4, 5, 6});
    for (int const version : {1, 2, 3})
        EXPECT_EQ(answer({"sum", folder.write("v.npy", npy("<f4", "(2, 3)", data, false, version))}), "21\n");
    EXPECT_EQ(answer({"sum", folder.write("scalar.npy", npy("<f4", "()", bytes_of<float>({7})))}), "7\n");
    EXPECT_EQ(answer({"sum", folder.write("empty.npy", npy("<f4", "(0,)", ""))}), "0\n");
    EXPECT_EQ(answer({"mean", folder.write("empty.npy", npy("<f4", "(3, 0)", ""))}), "nan\n");
    EXPECT_EQ(
        answer({"count",
                folder.write("order.npy", npy_of("{\"shape\":(6,),\"fortran_order\":False,\"descr\":\"<f4\"}", data))}),
        "6\n");
}

TEST_F(answers, fortran_order_positions_are_those_of_c_order) {
    // [[5, 1, 3], [1, 5, 2]]: the first 1 and the first 5 in C order are not the first ones stored.
    auto const stored = bytes_of<double>({5, 1, 1, 5, 3, 2});
    auto const x = folder.write("x.npy", npy("<f8", "(2, 3)", stored, true));
    EXPECT_EQ(answer({"argmin", x}), "1\n");
    EXPECT_EQ(answer({"argmax", x}), "0\n");
    EXPECT_EQ(answer({"argmin", "-"}, {.input = npy("<f8", "(2, 3)", stored, true)}), "1\n");
    EXPECT_EQ(answer({"argmax", "--concat", x, x}), "0\n");
    // [[0, 0, NaN], [NaN, 0, 0]]
    auto const y = folder.write("y.npy", npy("<f4", "(2, 3)", bytes_of<float>({0, nan_f, 0, 0, nan_f, 0}), true));
    EXPECT_EQ(answer({"argmin", y}), "2\n");
    EXPECT_NE(answer({"stats", y}).find("  at      2\n"), std::string::npos) << answer({"stats", y});
    auto const first = folder.write("first.npy", npy("<f8", "(1,)", bytes_of<double>({2})));
    EXPECT_EQ(answer({"argmin", "--concat", first, x}), "2\n");
}

TEST_F(answers, the_shortest_text_that_reads_back) {
    auto const sum_of = [&](auto... x) {
        return answer({"sum", "--dtype", "float64", folder.write("x", bytes_of<double>({x...}))});
    };
    EXPECT_EQ(sum_of(0.1, 0.2), "0.30000000000000004\n");
    EXPECT_EQ(sum_of(1e16, 1.0, -1e16), "1\n");
    EXPECT_EQ(sum_of(1e300), "1e+300\n");
    EXPECT_EQ(sum_of(-0.0), "-0\n");
    EXPECT_EQ(sum_of(-std::numeric_limits<double>::infinity()), "-inf\n");
    EXPECT_EQ(sum_of(-std::numeric_limits<double>::quiet_NaN()), "nan\n");
    auto const x = folder.write("y", bytes_of<float>({0.1F}));
    EXPECT_EQ(answer({"sum", "--dtype", "float32", x}), "0.1\n");
    EXPECT_EQ(answer({"sum", "--dtype", "float32", "--float64", x}), "0.10000000149011612\n");
}

TEST_F(answers, float64_for_what_is_found_rather_than_computed) {
    auto const x = folder.write("x.npy", npy("<f4", "(2,)", bytes_of<float>({0.1F, 0.3F})));
    EXPECT_EQ(answer({"min", "--float64", x}), "0.10000000149011612\n");
    EXPECT_EQ(answer({"max", "--float64", x}), "0.30000001192092896\n");
    EXPECT_EQ(answer({"max", "--float64", "--skip-nan", x}), "0.30000001192092896\n");
    EXPECT_EQ(answer({"norm", "--ord", "inf", "--float64", x}), "0.30000001192092896\n");
    auto const all = answer({"stats", "--float64", "--json", x});
    EXPECT_NE(all.find("\"min\":0.10000000149011612,"), std::string::npos) << all;
    EXPECT_NE(all.find("\"max\":0.30000001192092896,"), std::string::npos) << all;
    auto const half = folder.write("half.npy", npy("<f2", "(1,)", bytes_of<std::uint16_t>({0x2e66})));
    EXPECT_EQ(answer({"max", "--float64", half}), "0.0999755859375\n");
}

TEST_F(answers, nan_and_skip_nan) {
    auto const x = folder.write("x.npy", npy("<f4", "(3,)", bytes_of<float>({1, nan_f, 3})));
    EXPECT_EQ(answer({"sum", x}), "nan\n");
    EXPECT_EQ(answer({"argmax", x}), "1\n");
    EXPECT_EQ(answer({"sum", "--skip-nan", x}), "4\n");
    EXPECT_EQ(answer({"mean", "--skip-nan", x}), "2\n");
    EXPECT_EQ(answer({"argmax", "--skip-nan", x}), "2\n");
    EXPECT_EQ(answer({"count", x}), "3\n");
    EXPECT_EQ(answer({"count", "--skip-nan", x}), "2\n");
    EXPECT_EQ(answer({"logsumexp", "--float64", x}), "nan\n");
}

TEST_F(answers, csv) {
    std::string const text =
        "\xef\xbb\xbfid,\"a \"\"b\"\", c\",note\r\n"
        "1, 2.5 ,plain\r\n"
        "2,\"-1e3\",\"two\nlines,\rone \"\"cell\"\"\"\r\n"
        "\r\n"
        "3,,\r\n"
        "4,NA,x\r\n"
        "5,+inf,x";
    auto const x = folder.write("x.csv", text);
    EXPECT_EQ(answer({"sum", "--column", "id", x}), "15\n");
    EXPECT_EQ(answer({"count", "--column", "a \"b\", c", x}), "5\n");
    EXPECT_EQ(answer({"count", "--skip-nan", "--column", "a \"b\", c", x}), "3\n");
    EXPECT_EQ(answer({"min", "--skip-nan", "--column", "a \"b\", c", "-"}, {.input = text}), "-1000\n");
    EXPECT_EQ(answer({"mean", folder.write("one.csv", "x\n1\n2")}), "1.5\n");
    EXPECT_EQ(answer({"sum", folder.write("none.csv", "x\n")}), "0\n");
}

TEST_F(answers, standard_input_may_be_a_file) {
    auto const x = folder.write("x.npy", npy("<i4", "(3,)", bytes_of<std::int32_t>({1, 2, 3})));
    EXPECT_EQ(answer({"sum", "-"}, {.input_file = x}), "6\n");
}

TEST_F(answers, standard_input_is_read_from_where_it_stands_to_its_end) {
    auto const x = folder.write("x.raw", std::string(100, '\1'));
    auto const out = folder.path("out");
    auto const shell = [&](std::string const& command) {
        int const status = std::system(("(" + command + ") <'" + x + "' >'" + out + "' 2>&1").c_str());
        EXPECT_TRUE(WIFEXITED(status));
        std::ostringstream text;
        text << std::ifstream(out).rdbuf();
        return text.str();
    };
    std::string const sum = "\"" WARPFOLD_PROGRAM "\" sum --dtype uint8 -";
    EXPECT_EQ(shell(sum + "; " + sum), "100\nwarpfold: standard input: data: expected items, found an empty file\n");
    EXPECT_EQ(shell("dd bs=1 count=30 2>/dev/null >&2; " + sum), "70\n");
    EXPECT_EQ(answer({"sum", "--dtype", "uint8", x, "-"}, {.input_file = x}), x + ": 100\n-: 100\n");
}

TEST_F(answers, several_files) {
    auto const a = folder.write("a.npy", npy("<i2", "(2,)", bytes_of<std::int16_t>({5, 7})));
    auto const b = folder.write("b.npy", npy("<i2", "(3,)", bytes_of<std::int16_t>({1, 9, 1})));
    EXPECT_EQ(answer({"sum", a, b}), a + ": 12\n" + b + ": 11\n");
    EXPECT_EQ(answer({"sum", "--concat", a, b}), "23\n");
    EXPECT_EQ(answer({"argmin", "--concat", a, b}), "2\n");
    EXPECT_EQ(answer({"argmax", "--concat", a, b}), "3\n");
}

TEST_F(answers, names_of_files_are_whole) {
    std::string const long_name(120, 'x'), bytes = npy("<i2", "(1,)", bytes_of<std::int16_t>({5}));
    auto const a = folder.write(long_name + "\xc3\xa4.npy", bytes);
    auto const b = folder.write(long_name + "\xe4\x1b\xc2\x9b.npy", bytes);
    auto const b_shown = folder.path(long_name + "\\xe4\\x1b\\xc2\\x9b.npy");
    EXPECT_EQ(answer({"sum", a, b}), a + ": 5\n" + b_shown + ": 5\n");
    EXPECT_EQ(answer({"stats", b}).find(b_shown + "\n"), 0U);
}

TEST_F(answers, stats) {
    auto const x = folder.write("x.npy", npy("<f8", "(4,)", bytes_of<double>({3, -4, 0.5, 3})));
    EXPECT_EQ(answer({"stats", x}), x + "\n"
                                        "items                   4\n"
                                        "NaN                     0\n"
                                        "sum                   2.5\n"
                                        "mean                0.625\n"
                                        "std     2.858649156507318\n"
                                        "min                    -4\n"
                                        "  at                    1\n"
                                        "max                     3\n"
                                        "  at                    0\n"
                                        "L2      5.852349955359813\n");
    auto const csv = folder.write("x.csv", "a,b\n1,10\n2,NA\n");
    EXPECT_EQ(answer({"stats", "--skip-nan", csv}),
              "                       a   b\n"
              "items                  2   2\n"
              "NaN                    0   1\n"
              "sum                    3  10\n"
              "mean                 1.5  10\n"
              "std                  0.5   0\n"
              "min                    1  10\n"
              "  at                   0   0\n"
              "max                    2  10\n"
              "  at                   1   0\n"
              "L2      2.23606797749979  10\n");
    // Widths are those on a terminal: of ä one, of 価格 four.
    auto const wide = answer({"stats", folder.write("wide.csv", "\xc3\xa4,\xe4\xbe\xa1\xe6\xa0\xbc,b\n1,1,1\n")});
    EXPECT_TRUE(
        wide.starts_with("        \xc3\xa4  \xe4\xbe\xa1\xe6\xa0\xbc  b\n"
                         "items   1     1  1\n"))
        << wide;
    EXPECT_EQ(
        answer({"stats", "--json", "--column", "b", csv}),
        "{\"file\":\"" + csv +
            "\",\"column\":\"b\",\"type\":\"float64\",\"items\":2,\"nan\":1,\"sum\":\"nan\",\"mean\":\"nan\",\"std\":"
            "\"nan\",\"min\":\"nan\",\"argmin\":1,\"max\":\"nan\",\"argmax\":1,\"l2\":\"nan\"}\n");
    EXPECT_NE(answer({"stats", "--json", folder.write("empty.csv", "a\n")}).find("\"min\":null,\"argmin\":null"),
              std::string::npos);
}

TEST_F(answers, json) {
    auto const x = folder.write("x\"y.npy", npy("<f4", "(2,)", bytes_of<float>({0.1F, 0.2F})));
    auto const escaped = folder.path("x\\\"y.npy");
    EXPECT_EQ(answer({"max", "--json", x}),
              "{\"file\":\"" + escaped + "\",\"fold\":\"max\",\"type\":\"float32\",\"items\":2,\"result\":0.2}\n");
    EXPECT_EQ(answer({"any", "--json", "--concat", x, x}),
              "{\"files\":[\"" + escaped + "\",\"" + escaped +
                  "\"],\"fold\":\"any\",\"type\":\"float32\",\"items\":4,\"result\":true}\n");
}

TEST_F(answers, help_and_version) {
    EXPECT_NE(answer({"--help"}).find("Examples:"), std::string::npos);
    EXPECT_NE(answer({"norm", "--help"}).find("warpfold norm --ord inf"), std::string::npos);
    EXPECT_NE(answer({"--help"}).find("wrong answer or a race"), std::string::npos);
    EXPECT_EQ(answer({"--version"}).find("warpfold "), 0U);
}

TEST_F(answers, the_same_for_any_number_of_threads) {
    std::string data;
    for (int i = 0; i < 300000; ++i) data += bytes_of<float>({1.0F / static_cast<float>(1 + i % 997)});
    auto const x = folder.write("x", data);
    auto const one = answer({"stats", "--dtype", "float32", "--threads", "1", x});
    EXPECT_EQ(answer({"stats", "--dtype", "float32", "--threads", "3", x}), one);
}

}  // namespace
