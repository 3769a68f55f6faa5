// What a warp's access costs, and the names of the counters.
#include <algorithm>
#include <array>

#include "simt/report.hpp"
#include "trace.hpp"

namespace simt {
namespace detail {

namespace {

constexpr unsigned sector_bytes = 32;
constexpr unsigned banks = 32;
constexpr unsigned bank_bytes = 4;

// Adds `value` to the first `count` entries of `seen` unless it is there; returns the new count.
unsigned insert(std::uint64_t* seen, unsigned count, std::uint64_t value) {
    // neighbours mostly repeat the last value
    for (unsigned i = count; i-- > 0;) {
        if (seen[i] == value) return count;
    }
    seen[count] = value;
    return count + 1;
}

unsigned sectors(event const* const* lanes, unsigned active) {
    std::uint64_t seen[64];
    unsigned count = 0;
    for (unsigned i = 0; i < active; ++i) {
        std::uint64_t const first = lanes[i]->address / sector_bytes;
        std::uint64_t const last = (lanes[i]->address + lanes[i]->bytes - 1) / sector_bytes;
        count = insert(seen, count, first);
        if (last != first) count = insert(seen, count, last);
    }
    return count;
}

// Wavefronts of lanes [first, last): the most distinct words that one bank must deliver.
unsigned bank_passes(event const* const* lanes, unsigned first, unsigned last) {
    std::array<unsigned, banks> words_of_bank{};
    std::array<std::uint64_t, 32 * 4> words;
    unsigned count = 0, passes = 0;
    for (unsigned i = first; i < last; ++i) {
        std::uint64_t const low = lanes[i]->address / bank_bytes;
        std::uint64_t const high = (lanes[i]->address + lanes[i]->bytes - 1) / bank_bytes;
        for (std::uint64_t word = low; word <= high; ++word) {
            unsigned const before = count;
            count = insert(words.data(), count, word);
            if (count != before) passes = std::max(passes, ++words_of_bank[word % banks]);
        }
    }
    return passes;
}

struct wavefronts {
    unsigned total = 0;
    unsigned conflicts = 0;  // beyond what the access would need without conflicts
};

// Eight-byte accesses take the warp in halves, sixteen-byte ones in quarters: each part can be served by one pass.
wavefronts shared_wavefronts(event const* const* lanes, unsigned active) {
    unsigned const part = 32U / std::max(1U, lanes[0]->bytes / bank_bytes);
    wavefronts w;
    for (unsigned first = 0; first < active; first += part) {
        unsigned const passes = bank_passes(lanes, first, std::min(first + part, active));
        w.total += passes;
        w.conflicts += passes - 1;
    }
    return w;
}

// The most lanes that update one address: the device does them one after another.
unsigned serialisation(event const* const* lanes, unsigned active) {
    unsigned most = 0;
    for (unsigned i = 0; i < active; ++i) {
        auto const same =
            std::count_if(lanes + i, lanes + active, [&](event const* e) { return e->address == lanes[i]->address; });
        most = std::max(most, static_cast<unsigned>(same));
        if (most >= active - i) break;
    }
    return most;
}

}  // namespace

void count_access(counters& sum, event const* const* lanes, unsigned active) {
    std::uint64_t bytes = 0;
    for (unsigned i = 0; i < active; ++i) bytes += lanes[i]->bytes;
    switch (lanes[0]->kind) {
        case event_kind::basic_block:
            break;
        case event_kind::global_load:
            ++sum.global_load_requests;
            sum.global_load_sectors += sectors(lanes, active);
            sum.global_load_bytes += bytes;
            break;
        case event_kind::global_store:
            ++sum.global_store_requests;
            sum.global_store_sectors += sectors(lanes, active);
            sum.global_store_bytes += bytes;
            break;
        case event_kind::global_atomic:
            ++sum.global_atomic_requests;
            sum.global_atomic_sectors += sectors(lanes, active);
            sum.global_atomic_lanes += active;
            sum.global_atomic_serialisations += serialisation(lanes, active);
            break;
        case event_kind::shared_load: {
            wavefronts const w = shared_wavefronts(lanes, active);
            ++sum.shared_load_instructions;
            sum.shared_load_wavefronts += w.total;
            sum.shared_load_bank_conflicts += w.conflicts;
            sum.shared_load_bytes += bytes;
            break;
        }
        case event_kind::shared_store: {
            wavefronts const w = shared_wavefronts(lanes, active);
            ++sum.shared_store_instructions;
            sum.shared_store_wavefronts += w.total;
            sum.shared_store_bank_conflicts += w.conflicts;
            sum.shared_store_bytes += bytes;
            break;
        }
        case event_kind::shared_atomic:
            ++sum.shared_atomic_instructions;
            sum.shared_atomic_lanes += active;
            sum.shared_atomic_serialisations += serialisation(lanes, active);
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
    all.push_back({"mean_active_lanes", "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio", mean_active_lanes()});
    return all;
}

counters& counters::operator+=(counters const& other) {
    for (counter_entry const& e : entries) this->*e.member += other.*e.member;
    return *this;
}

}  // namespace simt
