// The command line program: parses, runs one command, and turns every error into one line and an exit code.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <sstream>

#include "command.hpp"
#ifdef WARPFOLD_LAB
#include "lab.hpp"
#endif

namespace {

using namespace warpfold::app;

int fail(int code, std::string message) {
    std::replace(message.begin(), message.end(), '\n', ' ');
    // No fmt::print: it throws where standard error takes nothing, and then nobody is left to tell.
    std::fputs(fmt::format("warpfold: {}\n", message).c_str(), stderr);
    return code;
}

int run(int argc, char** argv) {
    CLI::App app{"Reductions of numbers in files: exact, and the same bits on any machine, thread count or order.",
                 "warpfold"};
    app.set_version_flag("--version", "warpfold " WARPFOLD_VERSION, "Show the version and leave");
    app.footer(
        "Examples:\n"
        "  warpfold stats --skip-nan delays.npy           every statistic in one read\n"
        "  warpfold sum --skip-nan --column price a.csv   one column of a CSV file\n"
        "  warpfold argmax --dtype float32 big.raw        a file of nothing but float32\n"
        "  zcat big.npy.gz | warpfold mean -              standard input\n"
        "  warpfold sum --concat part-*.npy               many files as one array\n"
        "`warpfold COMMAND --help` tells more.\n"
        "Exit codes: 0 answered, 1 the data cannot be read or folded, 2 the command line is wrong.");
    // One vocabulary: what CLI11 calls a subcommand is a command here, in its messages and in ours.
    app.get_formatter()->label("SUBCOMMAND", "COMMAND");
    app.get_formatter()->label("REQUIRED", "");
    add_folds(app);
    add_stats(app);
#ifdef WARPFOLD_LAB
    add_lab(app);
#endif
    for (CLI::App* const command : app.get_subcommands({})) command->group("Commands");
    try {
        app.parse(argc, argv);
    } catch (CLI::ParseError const& e) {
        std::ostringstream out, ignored;
        if (app.exit(e, out, ignored) == 0) {
            print(out.str() + (out.str().ends_with('\n') ? "" : "\n"));
            return 0;
        }
        auto const chosen = app.get_subcommands();
        return fail(exit_usage, fmt::format("{} (see warpfold {}--help)", e.what(),
                                            chosen.empty() ? "" : chosen[0]->get_name() + " "));
    }
    if (app.get_subcommands().empty()) throw usage_error("expected a command (see warpfold --help)");
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    // A closed pipe shall fail the write, which tells of it, rather than end the program without a word.
    std::signal(SIGPIPE, SIG_IGN);
    try {
        return run(argc, argv);
    } catch (usage_error const& e) {
        return fail(exit_usage, e.what());
    } catch (std::bad_alloc const&) {
        return fail(exit_data, "expected more memory than there is");
    } catch (std::exception const& e) {
        return fail(exit_data, e.what());
    }
}
