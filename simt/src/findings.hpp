// Collects what the checks of all host threads find in one launch.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "simt/report.hpp"

namespace simt::detail {

// A thread at an address of the program, before source lines are known.
struct raw_point {
    void const* code = nullptr;
    std::uint64_t block = 0;  // linear index in the grid
    unsigned thread = 0;      // linear index in the block
    bool is_write = false;
    bool is_atomic = false;
};

struct raw_finding {
    finding_kind kind{};
    raw_point where;
    raw_point other;
    bool has_other = false;
    std::uintptr_t address = 0;
    std::string memory;
    std::string missing;
    std::string detail;  // the part of the message that only the finder knows
};

// Same kind and same lines are one finding; of those, the one of the lowest block and thread is kept.
class finding_set {
  public:
    void add(raw_finding found);
    [[nodiscard]] bool empty() const { return found_.empty(); }
    // With source lines and complete messages, sorted.
    [[nodiscard]] std::vector<finding> resolve(dim3 grid, dim3 block, void const* kernel) const;

  private:
    using key = std::tuple<finding_kind, void const*, void const*>;

    std::mutex mutex_;
    std::map<key, std::pair<raw_finding, std::uint64_t>> found_;
};

}  // namespace simt::detail
