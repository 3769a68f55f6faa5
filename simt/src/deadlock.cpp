// What is said of threads that wait for each other.
#include <algorithm>
#include <map>

#include "block.hpp"
#include "symbolize.hpp"
#include "text.hpp"

namespace simt::detail {

namespace {

std::string wait_name(thread_state const& t) {
    switch (t.waits_for) {
        case wait_kind::block_barrier:
            return "the block barrier";
        case wait_kind::grid_barrier:
            return "the grid barrier";
        case wait_kind::warp_operation:
            return t.op == warp_op::sync ? "a warp barrier" : "a warp operation";
        default:
            return "nothing";
    }
}

// Ranks as ranges: 0-31, 40.
std::string ranges(std::vector<unsigned> const& ranks) {
    std::string text;
    for (std::size_t i = 0; i < ranks.size();) {
        std::size_t last = i;
        while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
        text += concat(text.empty() ? "" : ", ", ranks[i]);
        if (last > i) text += concat("-", ranks[last]);
        i = last + 1;
    }
    return concat(ranks.size() == 1 ? "thread " : "threads ", text);
}

std::string at_line(void const* code) {
    source_line const line = line_of(code);
    return line.file.empty() ? std::string() : concat(" at ", line.file, ":", line.line);
}

}  // namespace

void block::report_deadlock() {
    std::map<std::string, std::vector<unsigned>> waiting;
    std::vector<unsigned> ended;
    thread_state const* first = nullptr;
    for (unsigned rank = 0; rank < launch_.threads; ++rank) {
        thread_state const& t = threads_[rank];
        if ((warps_[rank / 32].finished >> rank % 32 & 1U) != 0) {
            ended.push_back(rank);
        } else {
            if (first == nullptr) first = &t;
            waiting[concat("wait for ", wait_name(t), at_line(t.code))].push_back(rank);
        }
    }
    std::string text;
    for (auto const& [what, ranks] : waiting) text += concat(text.empty() ? "" : "; ", ranges(ranks), " ", what);
    if (!ended.empty()) text += concat("; ", ranges(ended), ended.size() == 1 ? " has ended" : " have ended");
    report(finding_kind::deadlock, {first->code, index_, first->rank, false, false}, text);
}

void block::report_divergent_barrier() {
    bool const together =
        live_ == launch_.threads && std::all_of(threads_.begin(), threads_.begin() + launch_.threads,
                                                [&](auto const& t) { return t.code == threads_[0].code; });
    if (together) return;
    std::map<void const*, std::vector<unsigned>> places;
    std::vector<unsigned> ended;
    for (unsigned rank = 0; rank < launch_.threads; ++rank) {
        if ((warps_[rank / 32].finished >> rank % 32 & 1U) != 0) {
            ended.push_back(rank);
        } else {
            places[threads_[rank].code].push_back(rank);
        }
    }
    if (ended.empty() && places.size() == 1) return;
    // the compiler may copy a barrier; only barriers of different lines are different
    std::map<std::string, std::vector<unsigned>> lines;
    for (auto const& [code, ranks] : places) {
        auto& all = lines[at_line(code)];
        all.insert(all.end(), ranks.begin(), ranks.end());
    }
    if (ended.empty() && lines.size() == 1) return;
    std::string text;
    for (auto const& [line, ranks] : lines) text += concat(text.empty() ? "" : "; ", ranges(ranks), " wait", line);
    if (!ended.empty()) text += concat("; ", ranges(ended), ended.size() == 1 ? " has ended" : " have ended");
    auto const& [code, ranks] = *places.begin();
    report(finding_kind::divergent_barrier, {code, index_, ranks.front(), false, false}, text);
}

}  // namespace simt::detail
