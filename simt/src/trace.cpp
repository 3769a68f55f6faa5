#include "trace.hpp"

#include <algorithm>
#include <bit>

namespace simt::detail {

constinit trace::node trace::nowhere_{};
constinit thread_local trace::node* trace::at_ = &nowhere_;

trace::trace(unsigned threads)
    : last_((threads + 31) / 32 * 32),
      running_(&none_),
      branches_((threads + 31) / 32),
      warps_(std::make_unique_for_overwrite<warp_trace[]>(branches_.size())) {}

void trace::begin() {
    for (std::size_t warp = 0; warp < branches_.size(); ++warp) {
        warps_[warp].clear();
        branches_[warp].clear();
        std::fill_n(last_.begin() + static_cast<std::ptrdiff_t>(warp) * 32, 32, &warps_[warp].root);
    }
}

void trace::pause() {
    *running_ = at_;
    running_ = &none_;
    at_ = &nowhere_;
}

void trace::warp_trace::clear() {
    unused = nullptr;
    made = nodes.data();
    root = {};
}

trace::node* trace::warp_trace::make() {
    if (unused == nullptr) return made++;
    node* const n = unused;
    unused = n->sibling;
    return n;
}

trace::node* trace::branch_off(warp_trace& warp, node& from, event e) {
    node** link = &from.child;
    while (*link != nullptr && (*link)->what != e) link = &(*link)->sibling;
    node* n = *link;
    if (n != nullptr) {
        *link = n->sibling;
    } else {
        n = warp.make();
        *n = {};
        n->what = e;
        n->parent = &from;
        n->depth = from.depth + 1;
    }
    n->sibling = from.child;
    from.child = n;
    from.next = n->depth < capacity ? e : event{};
    return n;
}

bool trace::leave_path(event e) {
    at_ = branch_off(warps_[running() / 32], *at_, e);
    return at_->depth < capacity;
}

unsigned trace::empty_lanes(unsigned warp) const {
    unsigned empty = 0;
    for (unsigned lane = 0; lane < 32; ++lane) empty |= unsigned{last_[warp * 32 + lane] == &warps_[warp].root} << lane;
    return empty;
}

void trace::spread_lanes(unsigned warp) {
    node* const* const last = &last_[std::size_t{warp} * 32];
    for (unsigned left = ~0U; left != 0;) {
        node* const end = last[std::countr_zero(left)];
        unsigned lanes = 0;
        for (unsigned lane = 0; lane < 32; ++lane) lanes |= unsigned{last[lane] == end} << lane;
        left &= ~lanes;
        for (node* n = end; n->parent != nullptr; n = n->parent) n->lanes |= lanes;
    }
}

void trace::replay(unsigned warp, unsigned unfinished, counters& sum) {
    *running_ = at_;
    spread_lanes(warp);
    node& root = warps_[warp].root;
    for (;;) {
        unsigned pending = 0;  // lanes with events left
        std::uintptr_t lowest = ~std::uintptr_t{0};
        for (node const* n = root.child; n != nullptr; n = n->sibling) {
            pending |= n->lanes;
            lowest = std::min(lowest, n->what.code());
        }
        if (pending == 0 || (unfinished & ~pending) != 0) break;
        node* together[32];
        unsigned count = 0;
        for (node** link = &root.child; *link != nullptr;) {
            node* const n = *link;
            if (n->what.code() == lowest) {
                together[count++] = n;
                *link = n->sibling;
            } else {
                link = &n->sibling;
            }
        }
        step(warp, together, count, sum);
    }
    root.next = root.child != nullptr && root.child->depth < capacity ? root.child->what : event{};
    at_ = *running_;
}

warp_access trace::gather(warp_trace const& w, unsigned members, node* const* together, unsigned count) {
    std::array<node const*, 32> of_lane;
    of_lane.fill(together[0]);
    for (unsigned i = 1; i < count; ++i) {
        for (unsigned rest = together[i]->lanes; rest != 0; rest &= rest - 1)
            of_lane[static_cast<unsigned>(std::countr_zero(rest))] = together[i];
    }
    warp_access access;
    access.kind = of_lane[static_cast<unsigned>(std::countr_zero(members))]->what.kind();
    for (unsigned rest = members; rest != 0; rest &= rest - 1) {
        auto const lane = static_cast<unsigned>(std::countr_zero(rest));
        access.address[access.active] = w.addresses[of_lane[lane]->depth - 1][lane];
        access.bytes[access.active++] = of_lane[lane]->what.bytes();
    }
    return access;
}

void trace::empty(unsigned warp, unsigned lanes) {
    node** const last = &last_[std::size_t{warp} * 32];
    for (unsigned lane = 0; lane < 32; ++lane) last[lane] = (lanes >> lane & 1U) != 0 ? &warps_[warp].root : last[lane];
}

// Takes the nodes, which are no children any more, out of the tree.
void trace::step(unsigned warp, node* const* together, unsigned count, counters& sum) {
    warp_trace& w = warps_[warp];
    unsigned members = 0;
    for (unsigned i = 0; i < count; ++i) members |= together[i]->lanes;
    event const any = together[0]->what;
    if (any.kind() == event_kind::basic_block) {
        branches_[warp].step(members, any.code(), flow_, sum);
    } else {
        warp_access const access = gather(w, members, together, count);
        count_access(sum, access);
        if (access.kind == event_kind::shared_load) branches_[warp].note_shared_load(members);
        if (access.kind == event_kind::shared_store) branches_[warp].note_shared_store(members);
    }
    for (unsigned i = 0; i < count; ++i) {
        node* const gone = together[i];
        unsigned ended = gone->lanes;
        for (node* n = gone->child; n != nullptr;) {
            node* const after = n->sibling;
            ended &= ~n->lanes;
            n->parent = &w.root;
            n->sibling = w.root.child;
            w.root.child = n;
            n = after;
        }
        if (ended != 0) empty(warp, ended);
        gone->sibling = w.unused;
        w.unused = gone;
    }
}

}  // namespace simt::detail
