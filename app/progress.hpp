// The progress bar of a long read.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "source.hpp"

namespace warpfold::app {

/// While it lives: bytes read, share and rate on standard error, from the first second on. Nothing if standard error is
/// no terminal.
class progress_bar {
  public:
    explicit progress_bar(source const& from);
    ~progress_bar();
    progress_bar(progress_bar const&) = delete;
    progress_bar& operator=(progress_bar const&) = delete;

  private:
    void run();

    source const& from_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool done_ = false;
    std::thread thread_;
};

}  // namespace warpfold::app
