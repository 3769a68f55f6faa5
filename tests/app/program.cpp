#include "program.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <fstream>
#include <stdexcept>
#include <thread>

namespace {

struct stream_pair {
    int read;
    int write;
};

stream_pair make_pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
    return {ends[0], ends[1]};
}

stream_pair make_terminal() {
    int primary = -1, secondary = -1;
    if (::openpty(&primary, &secondary, nullptr, nullptr, nullptr) != 0) throw std::runtime_error("openpty");
    ::fcntl(primary, F_SETFD, FD_CLOEXEC);
    ::fcntl(secondary, F_SETFD, FD_CLOEXEC);
    return {primary, secondary};
}

void write_all(int to, std::string_view bytes) {
    while (!bytes.empty()) {
        ssize_t const now = ::write(to, bytes.data(), bytes.size());
        if (now <= 0) return;  // the program may end before it has read everything
        bytes.remove_prefix(static_cast<std::size_t>(now));
    }
}

/// Everything that comes out of `from`; a terminal ends in an error rather than in an end.
std::string read_all(int from) {
    std::string text;
    std::array<char, 4096> part;
    while (true) {
        ssize_t const now = ::read(from, part.data(), part.size());
        if (now <= 0) return text;
        text.append(part.data(), static_cast<std::size_t>(now));
    }
}

}  // namespace

run_result warpfold_run(std::vector<std::string> const& arguments, run_setting const& setting) {
    std::signal(SIGPIPE, SIG_IGN);
    stream_pair const in = make_pipe(), out = make_pipe(), err = setting.terminal ? make_terminal() : make_pipe();
    int const input = setting.input_file.empty() ? in.read : ::open(setting.input_file.c_str(), O_RDONLY | O_CLOEXEC);
    std::vector<char*> argv{const_cast<char*>("warpfold")};
    for (auto const& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);

    pid_t const child = ::fork();
    if (child < 0) throw std::runtime_error("fork");
    if (child == 0) {
        ::dup2(input, STDIN_FILENO);
        if (setting.closed_input) ::close(STDIN_FILENO);
        ::dup2(out.write, STDOUT_FILENO);
        ::dup2(err.write, STDERR_FILENO);
        // With no reader left, the first write fails.
        if (setting.closed_output) ::close(out.read);
        std::signal(SIGPIPE, SIG_DFL);
        ::execv(WARPFOLD_PROGRAM, argv.data());
        ::_exit(127);
    }
    ::close(in.read);
    ::close(out.write);
    ::close(err.write);
    if (input != in.read) ::close(input);
    if (setting.closed_output) ::close(out.read);

    run_result result{};
    std::thread feeder([&] {
        for (int i = 0; i < setting.repeats; ++i) {
            if (i > 0) std::this_thread::sleep_for(std::chrono::duration<double>(setting.pause_seconds));
            write_all(in.write, setting.input);
        }
        ::close(in.write);
    });
    std::thread errors([&] {
        if (setting.terminal_seconds > 0)
            std::this_thread::sleep_for(std::chrono::duration<double>(setting.terminal_seconds));
        else
            result.err = read_all(err.read);
        ::close(err.read);
    });
    if (!setting.closed_output) {
        result.out = read_all(out.read);
        ::close(out.read);
    }
    feeder.join();
    errors.join();
    int status = 0;
    struct rusage usage {};
    ::wait4(child, &status, 0, &usage);
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    result.peak_kib = usage.ru_maxrss;
    return result;
}

test_folder::test_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "warpfold-test-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("mkdtemp");
    path_ = name;
}

test_folder::~test_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::string test_folder::write(std::string const& name, std::string_view head, std::string_view body,
                               int repeats) const {
    std::ofstream out(path_ / name, std::ios::binary);
    out << head;
    for (int i = 0; i < repeats; ++i) out << body;
    return path(name);
}

std::string npy_of(std::string_view dictionary, std::string_view data, int version) {
    std::string bytes = "\x93NUMPY";
    bytes += static_cast<char>(version);
    bytes += '\0';
    for (int i = 0; i < (version == 1 ? 2 : 4); ++i) bytes += static_cast<char>(dictionary.size() >> (8 * i));
    return bytes.append(dictionary).append(data);
}

std::string npy(std::string_view descr, std::string_view shape, std::string_view data, bool fortran_order,
                int version) {
    std::string dictionary = "{'descr': '";
    dictionary.append(descr).append("', 'fortran_order': ").append(fortran_order ? "True" : "False");
    dictionary.append(", 'shape': ").append(shape).append(", }\n");
    return npy_of(dictionary, data, version);
}
