// Bytes in memory, read a few at a time.
#pragma once

#include <algorithm>
#include <cstring>
#include <string_view>

#include "file.hpp"

/// Delivers `bytes`, at most `most` of them a read.
class memory_source final : public warpfold::app::byte_source {
  public:
    explicit memory_source(std::string_view bytes, std::size_t most = 4096) : bytes_(bytes), most_(most) {}

    std::size_t read(char* to, std::size_t count) override {
        std::size_t const now = std::min({count, most_, bytes_.size()});
        std::memcpy(to, bytes_.data(), now);
        bytes_.remove_prefix(now);
        return now;
    }

  private:
    std::string_view bytes_;
    std::size_t most_;
};
