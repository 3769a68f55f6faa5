#include "control_flow.hpp"

namespace simt::detail {

void control_flow::merge(control_flow const& other) {
    for (auto const& [code, more] : other.blocks_) {
        basic_block& sum = blocks_[code];
        sum.steps += more.steps;
        sum.loads += more.loads;
        sum.stores += more.stores;
        sum.next.insert(more.next.begin(), more.next.end());
    }
}

bool control_flow::is_predicated(basic_block const& before, std::uintptr_t body) const {
    basic_block const& b = blocks_.at(body);
    if (before.next.size() != 2 || b.next.size() != 1) return false;
    if (b.loads + b.stores > predicated_accesses * b.steps) return false;
    std::uintptr_t const after = *b.next.begin();
    return after != body && before.next.contains(after) && !blocks_.at(after).next.empty();
}

control_flow::issues control_flow::predicated_off() const {
    issues sum;
    for (auto const& [code, before] : blocks_) {
        for (std::uintptr_t const body : before.next) {
            if (!is_predicated(before, body)) continue;
            basic_block const& b = blocks_.at(body);
            std::uint64_t const skipped = before.steps > b.steps ? before.steps - b.steps : 0;
            sum.loads += b.loads / b.steps * skipped;
            sum.stores += b.stores / b.steps * skipped;
        }
    }
    return sum;
}

}  // namespace simt::detail
