#include "happens_before.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace simt::detail {

namespace {

void learn(knowledge& known, location* where, std::uint64_t prefix) {
    for (auto& [at, length] : known) {
        if (at == where) {
            length = std::max(length, prefix);
            return;
        }
    }
    known.emplace_back(where, prefix);
}

void learn(knowledge& known, knowledge const& more) {
    for (auto const& [where, prefix] : more) learn(known, where, prefix);
}

bool covers(release const& r, moment const& earlier, bool same_block) {
    fenced const& before = same_block ? r.by_block : r.by_device;
    if (before.epoch == 0) return false;  // only fenced for its own block
    if (earlier.epoch <= before.base) return true;
    if (earlier.thread == r.thread) return earlier.epoch <= (earlier.is_atomic ? r.atomic_epoch : before.epoch);
    return earlier.thread / 32 == r.thread / 32 && earlier.epoch <= before.warp[earlier.thread % 32];
}

}  // namespace

void synchronisation::add(std::uintptr_t address, std::uint32_t block, release const& released,
                          knowledge const& known) {
    std::scoped_lock const lock(mutex_);
    location& at = locations_[address];
    at.by_block[block].emplace_back(at.releases++, released);
    for (auto const& [where, prefix] : known) {
        if (where == &at) continue;
        auto& length = at.inherited[where];
        length = std::max(length, prefix);
    }
    used_.store(true, std::memory_order_relaxed);
}

void synchronisation::acquire(std::uintptr_t address, knowledge& known) {
    if (!used_.load(std::memory_order_relaxed)) return;
    std::scoped_lock const lock(mutex_);
    auto const found = locations_.find(address);
    if (found == locations_.end()) return;
    learn(known, &found->second, found->second.releases);
    for (auto const& [where, prefix] : found->second.inherited) learn(known, where, prefix);
}

bool synchronisation::covers(knowledge const& known, moment const& earlier, std::uint32_t own_block) {
    if (known.empty()) return false;
    std::scoped_lock const lock(mutex_);
    for (auto const& [where, prefix] : known) {
        auto const found = where->by_block.find(earlier.block);
        if (found == where->by_block.end()) continue;
        for (auto const& [index, released] : found->second) {
            if (index < prefix && detail::covers(released, earlier, earlier.block == own_block)) return true;
        }
    }
    return false;
}

clocks::clocks(synchronisation& shared, unsigned threads) : shared_(shared), threads_(threads) {}

void clocks::begin(std::uint32_t block) {
    block_ = block;
    base_ = latest_ = 0;
    readers_ = 0;
    known_.clear();
    acquired_ = false;
    if (std::exchange(used_, false)) std::fill(threads_.begin(), threads_.end(), thread_clock{});
}

bool clocks::ordered_otherwise(moment const& earlier, unsigned thread) const {
    bool const same_warp = earlier.block == block_ && earlier.thread / 32 == thread / 32;
    if (same_warp && earlier.epoch <= threads_[thread].warp[earlier.thread % 32]) return true;
    return shared_.covers(threads_[thread].known, earlier, block_) || shared_.covers(known_, earlier, block_);
}

void clocks::advance(unsigned thread) {
    used_ = true;
    threads_[thread].epoch = epoch(thread) + 1;
    latest_ = std::max(latest_, threads_[thread].epoch);
}

void clocks::block_barrier() {
    base_ = std::max(latest_, base_ + 1);
    latest_ = base_;
    if (!acquired_) return;
    for (thread_clock& t : threads_) {
        learn(known_, t.known);
        t.known.clear();
    }
    acquired_ = false;
}

void clocks::warp_barrier(unsigned warp, unsigned lanes) {
    unsigned const first = warp * 32;
    std::array<std::uint32_t, 32> joint{};
    knowledge known;
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
        auto const lane = static_cast<unsigned>(std::countr_zero(rest));
        thread_clock const& t = threads_[first + lane];
        for (unsigned i = 0; i < 32; ++i) joint[i] = std::max(joint[i], t.warp[i]);
        if (acquired_) learn(known, t.known);
    }
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
        auto const lane = static_cast<unsigned>(std::countr_zero(rest));
        joint[lane] = epoch(first + lane);
    }
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
        auto const lane = static_cast<unsigned>(std::countr_zero(rest));
        threads_[first + lane].warp = joint;
        if (acquired_) threads_[first + lane].known = known;
        advance(first + lane);
    }
}

void clocks::fence(unsigned thread, fence_scope scope) {
    thread_clock& t = threads_[thread];
    t.by_block = {epoch(thread), base_, t.warp};
    if (scope != fence_scope::block) t.by_device = t.by_block;
    t.fenced_known = known_;
    learn(t.fenced_known, t.known);
    advance(thread);
}

void clocks::synchronise(unsigned thread, std::uintptr_t address, bool reads, bool writes) {
    thread_clock& t = threads_[thread];
    if (reads) {
        used_ = true;
        readers_ += t.reading == 0;
        t.reading = address;
    }
    if (writes && t.by_block.epoch != 0) {
        shared_.add(address, block_, {thread, t.by_device, t.by_block, epoch(thread)}, t.fenced_known);
        advance(thread);  // what follows is not part of the release
    }
}

void clocks::acquire(thread_clock& t) {
    --readers_;
    shared_.acquire(std::exchange(t.reading, 0), t.known);
    acquired_ = acquired_ || !t.known.empty();
}

}  // namespace simt::detail
