// How often warps would issue a shared-memory instruction that no lane of theirs takes part in.
//
// ptxas turns a short branch without else into predicated instructions: warps whose lanes all skip it issue its
// instructions too, and Nsight Compute counts them. Where the branch ends the kernel, lanes exit instead. Both were
// read off an H200's counters of the three trees in tests/simt: 129 shared loads and 72 stores a block of 256, whatever
// the addressing. The rule here: a body of one basic block with at most `predicated_accesses` accesses, between a block
// that can also go straight to where the body goes, and more code there.
#pragma once

#include <cstdint>
#include <set>
#include <unordered_map>

namespace simt::detail {

class control_flow {
  public:
    static constexpr std::uint64_t predicated_accesses = 4;

    // Counts of warps, not lanes.
    struct basic_block {
        std::uint64_t steps = 0;
        std::uint64_t loads = 0;
        std::uint64_t stores = 0;
        std::set<std::uintptr_t> next;
        std::uintptr_t last_next = 0;

        void go_on(std::uintptr_t to) {
            if (to == last_next) return;
            next.insert(to);
            last_next = to;
        }
    };

    // A warp enters the block, which stays where it is.
    basic_block& step(std::uintptr_t code) {
        basic_block& entered = blocks_[code];
        ++entered.steps;
        return entered;
    }

    void merge(control_flow const& other);
    struct issues {
        std::uint64_t loads = 0;
        std::uint64_t stores = 0;
    };
    // Issued instructions that no lane takes part in.
    [[nodiscard]] issues predicated_off() const;

  private:
    [[nodiscard]] bool is_predicated(basic_block const& before, std::uintptr_t body) const;

    std::unordered_map<std::uintptr_t, basic_block> blocks_;
};

}  // namespace simt::detail
