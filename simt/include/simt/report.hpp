// What a launch tells: findings of the checks, and counters.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "simt/cuda/vector_types.hpp"

namespace simt {

enum class finding_kind {
    out_of_bounds,
    misaligned,
    uninitialised_read,
    shared_race,
    global_race,
    divergent_barrier,
    deadlock,
    absent_lane,
    invalid_mask,
    launch_refused,
    trap
};

[[nodiscard]] std::string_view name(finding_kind kind);

struct source_line {
    std::string file;  // empty where the program has no line for it
    int line = 0;
    std::string function;
};

// One thread at one line of the kernel.
struct access_point {
    source_line source;
    dim3 block{0, 0, 0};
    dim3 thread{0, 0, 0};
    bool is_write = false;
    bool is_atomic = false;
};

struct finding {
    finding_kind kind{};
    std::string message;  // one or more sentences, complete without the other fields
    std::string kernel;
    access_point where;
    access_point other;  // of a race: the earlier access
    bool has_other = false;
    std::uintptr_t address = 0;  // 0 where no address is concerned
    std::string memory;          // the name of the memory concerned, e.g. "shared memory" or "partials"
    std::string missing;         // of a race: what would order the two accesses
    std::uint64_t count = 1;     // how often the same two lines were found
};

struct metric {
    std::string_view name;      // ours
    std::string_view ncu_name;  // Nsight Compute's; empty where it has none
    double value;
};

// Sums over all warps of a launch. A request or instruction is one warp's execution of one access with at least one
// active lane; a sector is 32 bytes of global memory; a wavefront is one pass over the 32 banks of shared memory.
struct counters {
    std::uint64_t global_load_requests = 0;
    std::uint64_t global_load_sectors = 0;
    std::uint64_t global_load_bytes = 0;
    std::uint64_t global_store_requests = 0;
    std::uint64_t global_store_sectors = 0;
    std::uint64_t global_store_bytes = 0;
    std::uint64_t global_atomic_requests = 0;
    std::uint64_t global_atomic_sectors = 0;
    std::uint64_t global_atomic_lanes = 0;
    std::uint64_t global_atomic_serialisations = 0;  // per request, the most lanes on one address, summed
    std::uint64_t shared_load_instructions = 0;
    std::uint64_t shared_load_issues = 0;  // and those that a device issues with every lane predicated off (a model)
    std::uint64_t shared_load_wavefronts = 0;
    std::uint64_t shared_load_bank_conflicts = 0;
    std::uint64_t shared_load_bytes = 0;
    std::uint64_t shared_store_instructions = 0;
    std::uint64_t shared_store_issues = 0;
    std::uint64_t shared_store_wavefronts = 0;
    std::uint64_t shared_store_bank_conflicts = 0;
    std::uint64_t shared_store_bytes = 0;
    std::uint64_t shared_atomic_instructions = 0;
    std::uint64_t shared_atomic_lanes = 0;
    std::uint64_t shared_atomic_serialisations = 0;
    std::uint64_t barriers = 0;       // warps that executed a block barrier
    std::uint64_t warp_barriers = 0;  // __syncwarp
    std::uint64_t shuffles = 0;
    std::uint64_t votes = 0;  // ballot, any, all, match
    std::uint64_t warp_reductions = 0;
    std::uint64_t fences = 0;  // threads that executed a fence
    std::uint64_t steps = 0;   // basic blocks that warps executed
    std::uint64_t step_lanes = 0;
    std::uint64_t divergent_branches = 0;  // basic blocks after which a warp's lanes went different ways

    // Active lanes a step, 0…32; 0 when no step was counted.
    [[nodiscard]] double mean_active_lanes() const;
    [[nodiscard]] std::vector<metric> metrics() const;
    counters& operator+=(counters const& other);
    bool operator==(counters const&) const = default;
};

struct report {
    std::vector<finding> findings;  // sorted by kind, file and line
    simt::counters counters;        // zero unless config::counters

    [[nodiscard]] bool clean() const { return findings.empty(); }
    // All findings as text, one paragraph each; empty when clean.
    [[nodiscard]] std::string text() const;
};

}  // namespace simt
