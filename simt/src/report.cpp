#include "simt/report.hpp"

#include <algorithm>

#include "findings.hpp"
#include "symbolize.hpp"
#include "text.hpp"

namespace simt {

namespace {

std::string place(dim3 index) {
    return detail::concat("(", index.x, ", ", index.y, ", ", index.z, ")");
}

std::string line_text(source_line const& source) {
    return source.file.empty() ? "an unknown line" : detail::concat(source.file, ":", source.line);
}

std::string who(access_point const& point) {
    return detail::concat("thread ", place(point.thread), " of block ", place(point.block));
}

std::string hexadecimal(std::uintptr_t address) {
    std::string digits;
    for (; address != 0; address >>= 4) digits.insert(digits.begin(), "0123456789abcdef"[address & 15U]);
    return digits.insert(0, digits.empty() ? "0x0" : "0x");
}

std::string action(access_point const& point) {
    return point.is_atomic ? "updates atomically" : point.is_write ? "writes" : "reads";
}

std::string message(finding const& f, std::string const& found) {
    using detail::concat;
    if (f.kind == finding_kind::launch_refused) return concat(name(f.kind), ": ", found);
    std::string text = concat(name(f.kind), " in ", f.kernel, " at ", line_text(f.where.source), ": ", who(f.where));
    if (f.address != 0) text += concat(" ", action(f.where), " ", hexadecimal(f.address));
    if (!f.memory.empty()) text += concat(" (", f.memory, ")");
    if (!found.empty()) text += concat(f.address != 0 ? ", " : ": ", found);
    if (f.has_other) text += concat(", which ", who(f.other), " ", action(f.other), " at ", line_text(f.other.source));
    if (!f.missing.empty()) text += concat("; missing between them: ", f.missing);
    text += ".";
    if (f.count > 1) text += concat(" Found ", f.count, " times.");
    return text;
}

}  // namespace

std::string_view name(finding_kind kind) {
    switch (kind) {
        case finding_kind::out_of_bounds:
            return "out of bounds";
        case finding_kind::misaligned:
            return "misaligned access";
        case finding_kind::uninitialised_read:
            return "read of memory never written";
        case finding_kind::shared_race:
            return "race in shared memory";
        case finding_kind::global_race:
            return "race in global memory";
        case finding_kind::divergent_barrier:
            return "barrier not reached by all threads";
        case finding_kind::deadlock:
            return "deadlock";
        case finding_kind::absent_lane:
            return "shuffle from an absent lane";
        case finding_kind::invalid_mask:
            return "invalid warp operation";
        case finding_kind::launch_refused:
            return "launch refused";
        case finding_kind::trap:
            return "trap";
    }
    return "";
}

std::string report::text() const {
    std::string all;
    for (finding const& f : findings) all += f.message + "\n";
    return all;
}

namespace detail {

void finding_set::add(raw_finding found) {
    std::scoped_lock const lock(mutex_);
    auto const [low, high] = std::minmax(found.where.code, found.other.code);
    auto const [at, is_new] = found_.try_emplace(key{found.kind, low, high}, std::move(found), 0);
    ++at->second.second;
    if (is_new) return;
    auto const order = [](raw_finding const& f) {
        return std::tuple(f.where.block, f.where.thread, f.other.block, f.other.thread, f.address);
    };
    if (order(found) < order(at->second.first)) at->second.first = std::move(found);
}

namespace {

access_point resolved(raw_point const& raw, dim3 grid, dim3 block) {
    access_point point;
    point.source = line_of(raw.code);
    point.block = {static_cast<unsigned>(raw.block % grid.x), static_cast<unsigned>(raw.block / grid.x % grid.y),
                   static_cast<unsigned>(raw.block / grid.x / grid.y)};
    point.thread = {raw.thread % block.x, raw.thread / block.x % block.y, raw.thread / block.x / block.y};
    point.is_write = raw.is_write;
    point.is_atomic = raw.is_atomic;
    return point;
}

}  // namespace

std::vector<finding> finding_set::resolve(dim3 grid, dim3 block, void const* kernel) const {
    std::vector<finding> all;
    for (auto const& [lines, value] : found_) {
        auto const& [raw, count] = value;
        finding f;
        f.kind = raw.kind;
        f.kernel = function_name(kernel);
        f.where = resolved(raw.where, grid, block);
        if (raw.has_other) f.other = resolved(raw.other, grid, block);
        f.has_other = raw.has_other;
        f.address = raw.address;
        f.memory = raw.memory;
        f.missing = raw.missing;
        f.count = count;
        f.message = message(f, raw.detail);
        all.push_back(std::move(f));
    }
    std::stable_sort(all.begin(), all.end(), [](finding const& a, finding const& b) {
        auto const order = [](finding const& f) {
            return std::tie(f.kind, f.where.source.file, f.where.source.line, f.other.source.file, f.other.source.line);
        };
        return order(a) < order(b);
    });
    return all;
}

}  // namespace detail
}  // namespace simt
