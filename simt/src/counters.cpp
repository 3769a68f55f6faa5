// What a warp's access costs, and the names of the counters.
#include <algorithm>
#include <array>
#include <numeric>

#include "simt/report.hpp"
#include "trace.hpp"

namespace simt {
namespace detail {

namespace {

constexpr unsigned sector_bytes = 32;
constexpr unsigned banks = 32;
constexpr unsigned bank_bytes = 4;

// Different values, a few dozen at most.
template <std::size_t Room>
class value_set {
  public:
    // Whether the value is new.
    bool insert(std::uint64_t value) {
        // the addresses of neighbours mostly rise
        if (count_ == 0 || value > highest_) {
            highest_ = value;
        } else if (std::find(values_.begin(), values_.begin() + count_, value) != values_.begin() + count_) {
            return false;
        }
        values_[count_++] = value;
        return true;
    }
    [[nodiscard]] unsigned size() const { return count_; }

  private:
    std::array<std::uint64_t, Room> values_;
    unsigned count_ = 0;
    std::uint64_t highest_ = 0;
};

unsigned sectors(warp_access const& a) {
    value_set<64> seen;
    for (unsigned i = 0; i < a.active; ++i) {
        std::uint64_t const first = a.address[i] / sector_bytes;
        std::uint64_t const last = (a.address[i] + a.bytes[i] - 1) / sector_bytes;
        seen.insert(first);
        if (last != first) seen.insert(last);
    }
    return seen.size();
}

// Wavefronts of lanes [first, last): the most distinct words that one bank must deliver.
unsigned bank_passes(warp_access const& a, unsigned first, unsigned last) {
    std::array<unsigned, banks> words_of_bank{};
    value_set<32 * 5> words;
    unsigned passes = 0;
    for (unsigned i = first; i < last; ++i) {
        std::uint64_t const low = a.address[i] / bank_bytes;
        std::uint64_t const high = (a.address[i] + a.bytes[i] - 1) / bank_bytes;
        for (std::uint64_t word = low; word <= high; ++word) {
            if (words.insert(word)) passes = std::max(passes, ++words_of_bank[word % banks]);
        }
    }
    return passes;
}

struct wavefronts {
    unsigned total = 0;
    unsigned conflicts = 0;  // beyond what the access would need without conflicts
};

// Eight-byte accesses take the warp in halves, sixteen-byte ones in quarters: each part can be served by one pass.
wavefronts shared_wavefronts(warp_access const& a) {
    unsigned const part = 32U / std::max(1U, a.bytes[0] / bank_bytes);
    wavefronts w;
    for (unsigned first = 0; first < a.active; first += part) {
        unsigned const passes = bank_passes(a, first, std::min(first + part, a.active));
        w.total += passes;
        w.conflicts += passes - 1;
    }
    return w;
}

// The most lanes that update one address: the device does them one after another.
unsigned serialisation(warp_access const& a) {
    unsigned most = 0;
    auto const end = a.address.begin() + a.active;
    for (unsigned i = 0; i < a.active; ++i) {
        most = std::max(most, static_cast<unsigned>(std::count(a.address.begin() + i, end, a.address[i])));
        if (most >= a.active - i) break;
    }
    return most;
}

}  // namespace

void count_access(counters& sum, warp_access const& access) {
    std::uint64_t const bytes =
        std::accumulate(access.bytes.begin(), access.bytes.begin() + access.active, std::uint64_t{0});
    switch (access.kind) {
        case event_kind::basic_block:
            break;
        case event_kind::global_load:
            ++sum.global_load_requests;
            sum.global_load_sectors += sectors(access);
            sum.global_load_bytes += bytes;
            break;
        case event_kind::global_store:
            ++sum.global_store_requests;
            sum.global_store_sectors += sectors(access);
            sum.global_store_bytes += bytes;
            break;
        case event_kind::global_atomic:
            ++sum.global_atomic_requests;
            sum.global_atomic_sectors += sectors(access);
            sum.global_atomic_lanes += access.active;
            sum.global_atomic_serialisations += serialisation(access);
            break;
        case event_kind::shared_load: {
            wavefronts const w = shared_wavefronts(access);
            ++sum.shared_load_instructions;
            sum.shared_load_wavefronts += w.total;
            sum.shared_load_bank_conflicts += w.conflicts;
            sum.shared_load_bytes += bytes;
            break;
        }
        case event_kind::shared_store: {
            wavefronts const w = shared_wavefronts(access);
            ++sum.shared_store_instructions;
            sum.shared_store_wavefronts += w.total;
            sum.shared_store_bank_conflicts += w.conflicts;
            sum.shared_store_bytes += bytes;
            break;
        }
        case event_kind::shared_atomic:
            ++sum.shared_atomic_instructions;
            sum.shared_atomic_lanes += access.active;
            sum.shared_atomic_serialisations += serialisation(access);
            break;
    }
}

}  // namespace detail

namespace {

struct counter_entry {
    std::uint64_t counters::*member;
    std::string_view name;
    std::string_view ncu_name;
};

constexpr counter_entry entries[] = {
    {&counters::global_load_requests, "global_load_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"},
    {&counters::global_load_sectors, "global_load_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
    {&counters::global_load_bytes, "global_load_bytes", "smsp__sass_data_bytes_mem_global_op_ld.sum"},
    {&counters::global_store_requests, "global_store_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"},
    {&counters::global_store_sectors, "global_store_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
    {&counters::global_store_bytes, "global_store_bytes", "smsp__sass_data_bytes_mem_global_op_st.sum"},
    {&counters::global_atomic_requests, "global_atomic_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"},
    {&counters::global_atomic_sectors, "global_atomic_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"},
    {&counters::global_atomic_lanes, "global_atomic_lanes", ""},
    {&counters::global_atomic_serialisations, "global_atomic_serialisations", ""},
    {&counters::shared_load_instructions, "shared_load_instructions", ""},
    {&counters::shared_load_issues, "shared_load_issues", "smsp__inst_executed_op_shared_ld.sum"},
    {&counters::shared_load_wavefronts, "shared_load_wavefronts",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"},
    {&counters::shared_load_bank_conflicts, "shared_load_bank_conflicts",
     "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"},
    {&counters::shared_load_bytes, "shared_load_bytes", "smsp__sass_data_bytes_mem_shared_op_ld.sum"},
    {&counters::shared_store_instructions, "shared_store_instructions", ""},
    {&counters::shared_store_issues, "shared_store_issues", "smsp__inst_executed_op_shared_st.sum"},
    {&counters::shared_store_wavefronts, "shared_store_wavefronts",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
    {&counters::shared_store_bank_conflicts, "shared_store_bank_conflicts",
     "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"},
    {&counters::shared_store_bytes, "shared_store_bytes", "smsp__sass_data_bytes_mem_shared_op_st.sum"},
    {&counters::shared_atomic_instructions, "shared_atomic_instructions", "smsp__inst_executed_op_shared_atom.sum"},
    {&counters::shared_atomic_lanes, "shared_atomic_lanes", ""},
    {&counters::shared_atomic_serialisations, "shared_atomic_serialisations", ""},
    {&counters::barriers, "barriers", "sass__inst_executed_per_opcode.BAR"},
    {&counters::warp_barriers, "warp_barriers", ""},
    {&counters::shuffles, "shuffles", "sass__inst_executed_per_opcode.SHFL"},
    {&counters::votes, "votes", ""},
    {&counters::warp_reductions, "warp_reductions", "sass__inst_executed_per_opcode.REDUX"},
    {&counters::fences, "fences", ""},
    {&counters::steps, "steps", ""},
    {&counters::step_lanes, "step_lanes", ""},
    {&counters::divergent_branches, "divergent_branches", "smsp__sass_branch_targets_threads_divergent.sum"},
};

}  // namespace

double counters::mean_active_lanes() const {
    return steps == 0 ? 0.0 : static_cast<double>(step_lanes) / static_cast<double>(steps);
}

std::vector<metric> counters::metrics() const {
    std::vector<metric> all;
    for (counter_entry const& e : entries) all.push_back({e.name, e.ncu_name, static_cast<double>(this->*e.member)});
    all.push_back(
        {"mean_active_lanes", "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio", mean_active_lanes()});
    return all;
}

counters& counters::operator+=(counters const& other) {
    for (counter_entry const& e : entries) this->*e.member += other.*e.member;
    return *this;
}

}  // namespace simt
