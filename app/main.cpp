// The command line program: parses, runs one command, and turns every error into one line and an exit code.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "command.hpp"
#ifdef WARPFOLD_LAB
#include "lab.hpp"
#endif

namespace {

using namespace warpfold::app;

/// A standard stream that is closed gets a descriptor that cannot be read or written, as a file that is opened would
/// otherwise become that stream.
void occupy_closed_streams() {
    for (int const stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

int fail(int code, std::string_view message) {
    // No fmt::print: it throws where standard error takes nothing, and then nobody is left to tell.
    std::fputs(fmt::format("warpfold: {}\n", printable(message)).c_str(), stderr);
    return code;
}

void run(int argc, char** argv) {
    program const warpfold{"warpfold",
                           "Reductions of numbers in files: exact, and the same bits on any machine, thread count or order.",
                           WARPFOLD_VERSION};
    warpfold.footer(
        "Examples:\n"
        "  warpfold stats --skip-nan delays.npy           every statistic in one read\n"
        "  warpfold sum --skip-nan --column price a.csv   one column of a CSV file\n"
        "  warpfold argmax --dtype float32 big.raw        a file of nothing but float32\n"
        "  zcat big.npy.gz | warpfold mean -              standard input\n"
        "  warpfold sum --concat part-*.npy               many files as one array\n"
        "`warpfold COMMAND --help` tells more.\n"
        "Exit codes: 0 answered; 1 the data cannot be read or folded, or the lab found a wrong answer or a race;\n"
        "2 the command line is wrong.");
    add_folds(warpfold);
    add_stats(warpfold);
#ifdef WARPFOLD_LAB
    add_lab(warpfold);
#endif
    warpfold.run(argc, argv);
}

}  // namespace

int main(int argc, char** argv) {
    // A closed pipe shall fail the write, which tells of it, rather than end the program without a word.
    std::signal(SIGPIPE, SIG_IGN);
    occupy_closed_streams();
    try {
        run(argc, argv);
        return 0;
    } catch (usage_error const& e) {
        return fail(exit_usage, e.what());
    } catch (std::bad_alloc const&) {
        return fail(exit_data, "expected more memory than there is");
    } catch (std::exception const& e) {
        return fail(exit_data, e.what());
    }
}
