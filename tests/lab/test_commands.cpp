// The lab's commands, by the program itself: output, errors and exit codes.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace {

run_result lab(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "lab");
    return warpfold_run(arguments);
}

bool contains(std::string const& text, std::string const& part) {
    return text.find(part) != std::string::npos;
}

TEST(lab_list, shows_kernels) {
    EXPECT_TRUE(contains(lab({"list"}).out, "\nA8      A     cub-block             GPU "));
    run_result const study = lab({"list", "--study", "D"});
    EXPECT_EQ(study.code, 0);
    EXPECT_TRUE(contains(study.out, "D4w"));
    EXPECT_FALSE(contains(study.out, "C2"));
    EXPECT_EQ(nlohmann::json::parse(lab({"list", "--json"}).out).size(), 58u);
}

TEST(lab_run, checks_answers) {
    run_result const one = lab({"run", "C2", "-n", "1000", "--type", "i32", "--block", "64", "--seed", "3"});
    EXPECT_EQ(one.code, 0) << one.err;
    EXPECT_TRUE(contains(one.out, "1000 items") && contains(one.out, "16 x 64") && contains(one.out, "right"))
        << one.out;
    EXPECT_TRUE(contains(lab({"run", "C6", "-n", "100000", "--grid", "8"}).out, "8 x 256"));
    EXPECT_TRUE(contains(lab({"run", "A8"}).out, "needs a GPU"));
    run_result const study = lab({"run", "E", "-n", "1000"});
    EXPECT_EQ(study.code, 0) << study.err;
    EXPECT_TRUE(contains(study.out, "H3"));
}

TEST(lab_run, takes_several_ids) {
    run_result const several = lab({"run", "C2", "D4", "H1", "-n", "1000"});
    EXPECT_EQ(several.code, 0) << several.err;
    EXPECT_TRUE(contains(several.out, "C2 ") && contains(several.out, "D4 ") && contains(several.out, "H1 "));
}

TEST(lab_run, on_a_gpu_or_says_what_is_missing) {
    run_result const result = lab({"run", "C2", "-n", "1000", "--engine", "device"});
    if (result.code == 0) {
        EXPECT_TRUE(contains(result.out, "right"));
    } else {
        EXPECT_EQ(result.code, 1);
        EXPECT_TRUE(contains(result.err, "built without a CUDA compiler") || contains(result.err, "cudaError"))
            << result.err;
    }
}

TEST(lab_bench, shows_what_was_measured_before) {
    std::string const results = WARPFOLD_SOURCE "/results/h200";
    run_result const text = lab({"bench", "--study", "D", "--results", results});
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_TRUE(contains(text.out, "3100–3200 GB/s")) << text.out;
    test_folder const folder;
    std::string const path = folder.path("d.svg");
    run_result const json = lab({"bench", "--study", "D", "--results", results, "--json", "--svg", path});
    EXPECT_EQ(json.code, 0) << json.err;
    EXPECT_EQ(nlohmann::json::parse(json.out).at("study"), "D");
    std::string line;
    std::getline(std::ifstream(path) >> std::ws, line);
    EXPECT_TRUE(line.starts_with("<svg")) << line;
}

TEST(lab_run, ends_with_1_where_an_answer_is_wrong) {
    run_result const wrong = lab({"run", "E4", "-n", "5000", "--as-published"});
    EXPECT_EQ(wrong.code, 1);
    EXPECT_TRUE(contains(wrong.out, "WRONG"));
    EXPECT_EQ(wrong.err, "warpfold: 1 of 1 answers are wrong\n");
}

TEST(lab_explain, compares) {
    run_result const text = lab({"explain", "C2", "-n", "65536"});
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_TRUE(contains(text.out, "3.33 times fewer than C1")) << text.out;
    nlohmann::json const page = nlohmann::json::parse(lab({"explain", "C2", "-n", "4096", "--json"}).out);
    EXPECT_EQ(page.at("predecessor").at("id"), "C1");
    EXPECT_EQ(page.at("kernel").at("blocks"), 16);
}

TEST(lab_race, ends_with_1_where_something_was_found) {
    run_result const found = lab({"race", "A6", "--as-published", "--schedules", "2"});
    EXPECT_EQ(found.code, 1);
    EXPECT_TRUE(contains(found.out, "__syncthreads()")) << found.out;
    EXPECT_EQ(found.err, "warpfold: A6 as published is not right\n");
    run_result const clean = lab({"race", "A6", "--schedules", "2"});
    EXPECT_EQ(clean.code, 0) << clean.out;
    EXPECT_TRUE(contains(clean.out, "Nothing found"));
}

TEST(lab_tree, draws) {
    EXPECT_TRUE(
        contains(lab({"tree", "1", "2", "3", "4", "5", "6", "7", "8"}).out, "[3, 7, 11, 15] → [10, 26] → [36]"));
    EXPECT_TRUE(contains(lab({"tree", "1", "5", "2", "--op", "max", "--style", "sequential"}).out, "→ [5]"));
    EXPECT_TRUE(contains(lab({"tree", "-1", "-5.5", "2"}).out, "result -4.5"));
    test_folder const folder;
    std::string const path = folder.path("tree.svg");
    EXPECT_EQ(lab({"tree", "1", "2", "3", "--svg", path}).code, 0);
    std::string line;
    std::getline(std::ifstream(path) >> std::ws, line);
    EXPECT_TRUE(line.starts_with("<svg")) << line;
}

TEST(lab_claims, shows_the_ledger) {
    run_result const text = lab({"claims"});
    EXPECT_EQ(text.code, 0);
    EXPECT_TRUE(contains(text.out, "C.4  does not hold")) << text.out;
    run_result const given = lab({"claims", "--results", WARPFOLD_SOURCE "/results/h200"});
    EXPECT_EQ(given.out, text.out);
}

TEST(lab_errors, are_one_line_and_an_exit_code) {
    auto const error = [](std::vector<std::string> const& arguments, int code) {
        run_result const result = lab(arguments);
        EXPECT_EQ(result.code, code) << result.err;
        EXPECT_EQ(result.out, "");
        EXPECT_EQ(result.err.find('\n'), result.err.size() - 1) << result.err;
        return result.err;
    };
    EXPECT_EQ(error({"run", "Z1"}, 2), "warpfold: no kernel or study is called Z1; `warpfold lab list` shows all\n");
    EXPECT_EQ(error({"run", "C2", "--type", "f64"}, 2), "warpfold: type f64 is not one of f32, i32, u8\n");
    EXPECT_EQ(error({"run", "C2", "--type", "u8"}, 2), "warpfold: C2 takes items of type f32 and i32, not u8\n");
    EXPECT_EQ(error({"run", "C2", "--block", "100"}, 2),
              "warpfold: C2 takes blocks of powers of two from 32 to 1024 threads, not 100\n");
    EXPECT_EQ(error({"run", "C2", "--grid", "9"}, 2),
              "warpfold: C2 has no grid-stride loop: its grid is given by n and the block\n");
    EXPECT_EQ(error({"explain", "Z1"}, 2), "warpfold: no kernel is called Z1; `warpfold lab list` shows all\n");
    EXPECT_EQ(error({"explain", "B8"}, 2), "warpfold: B8 runs on the host: it has no counters\n");
    EXPECT_TRUE(contains(error({"explain", "A8"}, 1), "A8 needs a GPU"));
    EXPECT_EQ(error({"race", "C2", "--as-published"}, 2),
              "warpfold: C2 has no known defect, so it has no as-published variant\n");
    EXPECT_EQ(error({"tree", "1", "--style", "spiral"}, 2),
              "warpfold: style spiral is not one of sequential, interleaved, shuffle\n");
    EXPECT_EQ(error({"run", "C2", "--engine", "gpu"}, 2), "warpfold: engine gpu is not one of executor, device\n");
    EXPECT_EQ(error({"bench", "--study", "F"}, 2), "warpfold: study F is not one of A, B, C, D, E\n");
    EXPECT_EQ(error({"bench", "--svg", "a.svg"}, 2), "warpfold: --json, --svg and --peers are for one --study\n");
    EXPECT_EQ(error({"bench", "--study", "A", "--results", "/nowhere"}, 1),
              "warpfold: /nowhere: expected a folder of results\n");
    EXPECT_EQ(error({"claims", "--results", "/nowhere"}, 1), "warpfold: /nowhere: expected a folder of results\n");
    EXPECT_EQ(error({"tree", "C2"}, 2),
              "warpfold: items: expected numbers to reduce, not C2 (of a kernel, lab explain tells) (see warpfold lab "
              "tree --help)\n");
    EXPECT_EQ(error({}, 2), "warpfold: expected a command (see warpfold lab --help)\n");
    EXPECT_EQ(error({"foo"}, 2), "warpfold: expected a command, found 'foo' (see warpfold lab --help)\n");
    EXPECT_EQ(error({"sum"}, 2), "warpfold: expected a command, found 'sum' (see warpfold lab --help)\n");
    EXPECT_EQ(error({"run", "C2", "max"}, 2),
              "warpfold: no kernel or study is called max; `warpfold lab list` shows all\n");
    EXPECT_EQ(error({"tree"}, 2), "warpfold: items is required (see warpfold lab tree --help)\n");
    EXPECT_TRUE(contains(error({"tree", "[1,2]"}, 2), "expected numbers to reduce, not [1,2]"));
    error({"tree", "1", "--svg", "/nowhere/tree.svg"}, 1);
}

TEST(lab_errors, numbers_out_of_range) {
    auto const refused = [](std::vector<std::string> const& arguments, std::string const& range) {
        run_result const result = lab(arguments);
        EXPECT_EQ(result.code, 2) << result.err;
        EXPECT_TRUE(contains(result.err, ": expected a whole number from " + range + ", found '" + arguments.back() +
                                             "' (see warpfold lab "))
            << result.err;
    };
    for (char const* items : {"-1", "many", "1099511627777", "18446744073709551616"})
        refused({"run", "C6", "-n", items}, "0 to 1099511627776");
    refused({"run", "C6", "--block", "-1"}, "1 to 1024");
    refused({"run", "C6", "--block", "4294967297"}, "1 to 1024");
    refused({"run", "C6", "--grid", "0"}, "1 to 2147483647");
    refused({"run", "C6", "--grid", "2147483648"}, "1 to 2147483647");
    refused({"explain", "C6", "--seed", "-1"}, "0 on");
    for (char const* schedules : {"4294967294", "4294967295", "-1"})
        refused({"race", "A1", "-n", "10", "--schedules", schedules}, "0 to 1000000");
}

TEST(lab_race, counts_in_words) {
    std::string const page = lab({"race", "A1", "-n", "1", "--schedules", "0"}).out;
    EXPECT_TRUE(contains(page, ": 1 item, 1 block of 256 threads, 2 schedules\n")) << page;
}

TEST(lab_help, shows_all_commands) {
    run_result const help = lab({"--help"});
    EXPECT_EQ(help.code, 0) << help.err;
    for (char const* command : {"list", "run", "explain", "race", "tree", "bench", "claims", "tables"})
        EXPECT_TRUE(contains(help.out, std::string("\n  ") + command + " ")) << command;
}

}  // namespace
