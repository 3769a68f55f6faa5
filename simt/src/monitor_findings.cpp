// What the monitor says of what it found.
#include <algorithm>

#include "monitor.hpp"
#include "text.hpp"

namespace simt::detail {

namespace {

void const* code_at(std::uint32_t offset) {
    return reinterpret_cast<void const*>(image().base + offset);
}

std::string count_text(std::size_t bytes) {
    return concat(bytes, bytes == 1 ? " byte" : " bytes");
}

}  // namespace

void monitor::report_fault(place const& at, std::uintptr_t address, std::size_t bytes, access_kind kind,
                           void const* code) {
    raw_finding found;
    found.where = here(kind, code);
    found.address = address;
    found.memory = at.in == space::shared ? "shared memory" : at.memory != nullptr ? at.memory->name : "";
    if (is_inside(at, address, bytes)) {
        found.kind = finding_kind::misaligned;
        found.detail = concat("which is no multiple of the ", bytes, " bytes accessed");
    } else {
        found.kind = finding_kind::out_of_bounds;
        found.detail = at.in == space::shared ? beyond_shared(address, bytes)
                       : at.memory != nullptr ? concat(count_text(bytes), " that begin inside and end past its end")
                                              : beside_memory(address);
    }
    launch_.findings.add(std::move(found));
}

std::string monitor::beyond_shared(std::uintptr_t address, std::size_t bytes) const {
    std::size_t const size = launch_.config.shared_bytes;
    return concat(count_text(address - dynamic_low_ + bytes - size), " past the end of the block's ", count_text(size),
                  " of dynamic shared memory");
}

std::string monitor::beside_memory(std::uintptr_t address) const {
    region const* const near = shared_.regions.nearest(address);
    if (near == nullptr) return "which no registered memory holds";
    bool const before = address < near->low;
    std::size_t const distance = before ? near->low - address : address - near->low - near->bytes;
    // farther away than its own size, it is hardly what was meant
    if (distance >= std::max<std::size_t>(4096, near->bytes)) return "which no registered memory holds";
    return concat(count_text(distance), before ? " before the begin of " : " past the end of ", near->name, " (",
                  count_text(near->bytes), ")");
}

void monitor::report_race(place const& at, touch const& earlier, std::uintptr_t address, access_kind kind,
                          void const* code) {
    bool const shared = at.in == space::shared;
    unsigned const thread = block_->current().rank;
    bool const same_block = earlier.block == clocks_.block();
    raw_finding found;
    found.kind = shared ? finding_kind::shared_race : finding_kind::global_race;
    found.where = here(kind, code);
    found.other = {code_at(earlier.code),
                   same_block ? block_->index() : (earlier.block - shared_.first_block) % launch_.blocks,
                   earlier.thread(), earlier.is_write(), earlier.is_atomic()};
    found.has_other = true;
    found.address = address;
    found.memory = shared ? "shared memory" : at.memory->name;
    found.missing = !same_block                            ? "a fence and an atomic, or a second launch"
                    : earlier.thread() / 32 != thread / 32 ? "__syncthreads()"
                                                           : "__syncwarp()";
    launch_.findings.add(std::move(found));
}

void monitor::report_unwritten(place const& at, std::uintptr_t address, access_kind kind, void const* code) {
    raw_finding found;
    found.kind = finding_kind::uninitialised_read;
    found.where = here(kind, code);
    found.address = address;
    found.memory = at.memory == nullptr ? "shared memory" : at.memory->name;
    launch_.findings.add(std::move(found));
}

raw_point monitor::here(access_kind kind, void const* code) const {
    return {code, block_->index(), block_->current().rank, writes(kind), kind >= access_kind::atomic_read};
}

void monitor::report_vain_polling(std::uintptr_t address, access_kind kind, void const* code) {
    raw_finding found;
    found.kind = finding_kind::deadlock;
    found.where = here(kind, code);
    found.address = address;
    found.detail = concat("and has polled it ", polls_, " times while no other thread of the block did anything else");
    launch_.findings.add(std::move(found));
}

}  // namespace simt::detail
