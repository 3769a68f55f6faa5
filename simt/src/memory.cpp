#include "simt/memory.hpp"

#include <link.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "regions.hpp"

namespace simt {
namespace detail {

namespace {

struct region_table {
    std::mutex mutex;
    std::map<std::uintptr_t, std::unique_ptr<region>> by_address;
};

// Calls `visit` with the program headers of the program itself, which the system lists first.
template <class Visit>
void visit_program(Visit visit) {
    auto const call = [](dl_phdr_info* info, std::size_t, void* data) {
        (*static_cast<Visit*>(data))(*info);
        return 1;
    };
    ::dl_iterate_phdr(call, &visit);
}

region_table& table() {
    static region_table regions;
    return regions;
}

// __device__ variables are ordinary variables of the program: its writable data is one region.
void add_static_memory(region_table& regions) {
    visit_program([&](dl_phdr_info const& info) {
        for (int i = 0; i < info.dlpi_phnum; ++i) {
            ElfW(Phdr) const& part = info.dlpi_phdr[i];
            if (part.p_type != PT_LOAD || (part.p_flags & PF_W) == 0) continue;
            std::uintptr_t const low = info.dlpi_addr + part.p_vaddr;
            regions.by_address.emplace(low, std::make_unique<region>(low, part.p_memsz, "static memory", true));
        }
    });
}

}  // namespace

region::region(std::uintptr_t address, std::size_t size, std::string label, bool is_written)
    : low(address), bytes(size), name(std::move(label)), words(size + word_bytes) {
    if (!is_written) {
        written = std::make_unique<std::atomic<std::uint8_t>[]>((size + word_bytes - 1) / word_bytes + 1);
    }
}

void region::mark_written(std::uintptr_t address, std::size_t count) {
    if (written == nullptr) return;
    std::uintptr_t const first = low & ~(word_bytes - 1), end = address + count;
    for (std::uintptr_t from = address; from < end;) {
        std::size_t const offset = (from - first) % word_bytes;
        std::size_t const part = std::min(word_bytes - offset, end - from);
        auto const mask = static_cast<std::uint8_t>(((1U << part) - 1U) << offset);
        written[(from - first) / word_bytes].fetch_or(mask, std::memory_order_relaxed);
        from += part;
    }
}

region_map region_map::of_program() {
    region_table& regions = table();
    std::scoped_lock const lock(regions.mutex);
    static std::once_flag once;
    std::call_once(once, [&] { add_static_memory(regions); });
    region_map map;
    for (auto const& [address, known] : regions.by_address) map.sorted_.push_back(known.get());
    return map;
}

region* region_map::find(std::uintptr_t address) const {
    auto const above = std::upper_bound(sorted_.begin(), sorted_.end(), address,
                                        [](std::uintptr_t a, region const* r) { return a < r->low; });
    if (above == sorted_.begin()) return nullptr;
    region* const candidate = *(above - 1);
    return address - candidate->low < candidate->bytes ? candidate : nullptr;
}

region* region_map::nearest(std::uintptr_t address) const {
    region* best = nullptr;
    std::uintptr_t best_distance = 0;
    for (region* r : sorted_) {
        std::uintptr_t const distance = address < r->low ? r->low - address : address - r->low - r->bytes + 1;
        if (best == nullptr || distance < best_distance) {
            best = r;
            best_distance = distance;
        }
    }
    return best;
}

bool program_image::is_constant(std::uintptr_t address) const {
    return std::any_of(constants.begin(), constants.end(),
                       [&](auto const& part) { return address - part.first < part.second; });
}

program_image const& image() {
    static program_image const read = [] {
        program_image found;
        visit_program([&](dl_phdr_info const& info) {
            bool first = true;
            for (int i = 0; i < info.dlpi_phnum; ++i) {
                ElfW(Phdr) const& part = info.dlpi_phdr[i];
                if (part.p_type != PT_LOAD) continue;
                std::uintptr_t const low = info.dlpi_addr + part.p_vaddr;
                if (std::exchange(first, false)) found.base = low;
                if ((part.p_flags & PF_W) == 0) found.constants.emplace_back(low, part.p_memsz);
            }
        });
        return found;
    }();
    return read;
}

std::pair<std::uintptr_t, std::size_t> thread_local_range() {
    std::pair<std::uintptr_t, std::size_t> range{};
    visit_program([&](dl_phdr_info const& info) {
        for (int i = 0; i < info.dlpi_phnum; ++i) {
            if (info.dlpi_phdr[i].p_type == PT_TLS) {
                range = {reinterpret_cast<std::uintptr_t>(info.dlpi_tls_data), info.dlpi_phdr[i].p_memsz};
            }
        }
    });
    return range;
}

}  // namespace detail

registration::registration(void const* address, std::size_t bytes, std::string name, bool written) {
    if (bytes == 0) return;
    auto const low = reinterpret_cast<std::uintptr_t>(address);
    detail::region_table& regions = detail::table();
    std::scoped_lock const lock(regions.mutex);
    auto const next = regions.by_address.upper_bound(low);
    bool const overlaps_next = next != regions.by_address.end() && next->first - low < bytes;
    bool const overlaps_previous =
        next != regions.by_address.begin() && low - std::prev(next)->first < std::prev(next)->second->bytes;
    if (overlaps_next || overlaps_previous) throw std::invalid_argument("simt: this memory is registered already");
    auto made = std::make_unique<detail::region>(low, bytes, std::move(name), written);
    region_ = made.get();
    regions.by_address.emplace(low, std::move(made));
}

registration::~registration() {
    if (region_ == nullptr) return;
    detail::region_table& regions = detail::table();
    std::scoped_lock const lock(regions.mutex);
    regions.by_address.erase(static_cast<detail::region*>(region_)->low);
}

void registration::mark_written(void const* address, std::size_t bytes) {
    if (region_ == nullptr) return;
    static_cast<detail::region*>(region_)->mark_written(reinterpret_cast<std::uintptr_t>(address), bytes);
}

}  // namespace simt
