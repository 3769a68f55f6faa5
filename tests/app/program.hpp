// Runs the real program on files made for a test.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

/// How a run of the program ended.
struct run_result {
    int code;
    std::string out;
    std::string err;
    long peak_kib;  ///< peak resident memory; the test's own at least, since the run starts as a copy of it
};

/// What a run's standard streams are, where they are not pipes that the test reads and writes to their ends.
struct run_setting {
    std::string input = {};       ///< what standard input delivers, through a pipe
    int repeats = 1;              ///< how often it does so
    double pause_seconds = 0;     ///< between two of these
    std::string input_file = {};  ///< standard input is this file instead
    bool closed_input = false;    ///< there is no standard input
    bool closed_output = false;   ///< standard output is a pipe that nobody reads
    bool terminal = false;        ///< standard error is a terminal
    double terminal_seconds = 0;  ///< after which it goes away, unread; 0: it stays
};

/// Runs `warpfold ARGUMENTS...`.
run_result warpfold_run(std::vector<std::string> const& arguments, run_setting const& setting = {});

/// A folder of its own for the files of a test, gone at the end.
class test_folder {
  public:
    test_folder();
    ~test_folder();
    /// Writes a file of `head` and then `body` so many times; returns its path.
    std::string write(std::string const& name, std::string_view head, std::string_view body = {},
                      int repeats = 0) const;
    std::string path(std::string const& name) const { return (path_ / name).string(); }

  private:
    std::filesystem::path path_;
};

/// The bytes of `values` as they lie in memory.
template <class T>
std::string bytes_of(std::initializer_list<T> values) {
    std::string bytes;
    for (T const value : values) {
        char word[sizeof(T)];
        std::memcpy(word, &value, sizeof(T));
        bytes.append(word, sizeof(T));
    }
    return bytes;
}

/// A .npy file with this dictionary as its header, followed by `data`.
std::string npy_of(std::string_view dictionary, std::string_view data, int version = 1);
/// A .npy file of type `descr`, such as "<f4", and shape, such as "(3,)".
std::string npy(std::string_view descr, std::string_view shape, std::string_view data, bool fortran_order = false,
                int version = 1);
