#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

namespace warpfold::app {
namespace {

using namespace std::chrono_literals;
using steady_clock = std::chrono::steady_clock;

/// "[########        ]  52 %  1.20 of 2.30 GB  0.88 GB/s"; without a total, the bytes and the rate alone.
std::string bar(double read, double total, double seconds) {
    constexpr double giga = 1e9;
    std::string const rate = fmt::format("{:.2f} GB/s", read / giga / seconds);
    if (total <= 0) return fmt::format("{:.2f} GB  {}", read / giga, rate);
    constexpr std::size_t width = 30;
    double const share = std::clamp(read / total, 0.0, 1.0);
    auto const full = static_cast<std::size_t>(share * width);
    return fmt::format("[{}{}] {:3.0f} %  {:.2f} of {:.2f} GB  {}", std::string(full, '#'),
                       std::string(width - full, ' '), 100 * share, read / giga, total / giga, rate);
}

}  // namespace

progress_bar::progress_bar(source const& from) : from_(from) {
    if (::isatty(STDERR_FILENO)) thread_ = std::thread([this] { run(); });
}

progress_bar::~progress_bar() {
    {
        std::lock_guard const lock(mutex_);
        done_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void progress_bar::run() {
    auto const start = steady_clock::now();
    bool shown = false;
    std::unique_lock lock(mutex_);
    for (auto next = start + 1s; !changed_.wait_until(lock, next, [this] { return done_; }); next += 100ms) {
        double const seconds = std::chrono::duration<double>(steady_clock::now() - start).count();
        auto const line = bar(static_cast<double>(from_.bytes_read()), static_cast<double>(from_.bytes()), seconds);
        // No fmt::print, which throws: a terminal that is gone shall not cost the answer.
        std::fputs(fmt::format("\r\x1b[K{}", line).c_str(), stderr);
        std::fflush(stderr);
        shown = true;
    }
    if (shown) std::fputs("\r\x1b[K", stderr);
}

}  // namespace warpfold::app
