// What the lanes of a warp do together.
#include <algorithm>
#include <array>
#include <bit>

#include "monitor.hpp"
#include "switching.hpp"

namespace simt::detail {

namespace {

bool is_shuffle(warp_op op) {
    return op >= warp_op::shuffle && op <= warp_op::shuffle_xor;
}

std::string lane_list(unsigned lanes) {
    std::string text;
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
        text += (text.empty() ? "" : ", ") + std::to_string(std::countr_zero(rest));
    }
    return text;
}

// By lane; results then take their place.
std::array<std::uint64_t, 32> values_of(thread_state const* threads, unsigned lanes) {
    std::array<std::uint64_t, 32> values;
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
        int const lane = std::countr_zero(rest);
        values[static_cast<std::size_t>(lane)] = threads[lane].value;
    }
    return values;
}

// The lane whose value `lane` gets, or itself where the shuffle leaves the segment.
int source_lane(warp_op op, int lane, int argument, int width) {
    int const first = lane & ~(width - 1);
    int const last = first + width - 1;
    argument &= 31;  // of a distance, too, the hardware looks at five bits
    switch (op) {
        case warp_op::shuffle:
            return first + (argument & (width - 1));
        case warp_op::shuffle_up:
            return lane - argument < first ? lane : lane - argument;
        case warp_op::shuffle_down:
            return lane + argument > last ? lane : lane + argument;
        case warp_op::shuffle_xor: {
            int const source = lane ^ argument;
            return source > last ? lane : source;
        }
        default:
            return lane;
    }
}

}  // namespace

[[gnu::always_inline]] inline std::uint64_t block::warp_exchange(warp_op op, unsigned mask, std::uint64_t value,
                                                                 int argument, int width, void const* code) {
    thread_state& self = *running;
    prepare_to_wait();
    unsigned const lane = self.rank % 32;
    self.waits_for = wait_kind::warp_operation;
    self.op = op;
    self.mask = mask;
    self.value = value;
    self.code = code;
    warp_state& warp = warps_[self.rank / 32];
    if (op != warp_op::active_mask && (mask >> lane & 1U) == 0) {
        report(finding_kind::invalid_mask, here(code), "its mask leaves out the calling lane " + std::to_string(lane));
        abort();
    }
    if (is_shuffle(op) && (width < 1 || width > 32 || !std::has_single_bit(static_cast<unsigned>(width)))) {
        report(finding_kind::invalid_mask, here(code),
               "its width is " + std::to_string(width) + ", not a power of two up to 32");
        abort();
    }
    self.source = static_cast<std::uint8_t>(source_lane(op, static_cast<int>(lane), argument, width));
    warp.arrived |= 1U << lane;
    if (op != warp_op::active_mask && warp_complete(warp, self)) complete_warp_operation(self.rank / 32, self);
    suspend();
    return self.value;
}

// Whether all living lanes of the arrival's mask wait in the same operation with the same mask.
bool block::warp_complete(warp_state const& warp, thread_state const& arrival) const {
    if (arrival.op == warp_op::active_mask) return false;
    unsigned const needed = arrival.mask & warp.exists & ~warp.finished;
    if ((needed & ~warp.arrived) != 0) return false;
    thread_state const* const lanes = lanes_of(arrival.rank / 32);
    for (unsigned rest = needed; rest != 0; rest &= rest - 1) {
        thread_state const& other = lanes[std::countr_zero(rest)];
        if (other.mask != arrival.mask || other.op != arrival.op) return false;
    }
    return true;
}

void block::complete_warp_operation(unsigned warp, thread_state const& arrival) {
    unsigned const lanes = arrival.mask & warps_[warp].exists & ~warps_[warp].finished;
    if (monitor_ != nullptr) monitor_->pass_warp_operation(warp, lanes, arrival.op);
    exchange_lanes(warp, lanes, arrival);
    warps_[warp].arrived &= ~lanes;
    make_ready(warp, lanes);
    if (warp_ == warp) lane_from_ = 0;
}

void block::exchange_lanes(unsigned warp, unsigned lanes, thread_state const& arrival) {
    thread_state* const threads = lanes_of(warp);
    if (arrival.op == warp_op::sync) return;
    if (is_shuffle(arrival.op)) return shuffle_lanes(warp, lanes);
    if (arrival.op == warp_op::match_any) {
        auto const values = values_of(threads, lanes);
        for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
            int const reader = std::countr_zero(rest);
            std::uint64_t equal = 0;
            for (unsigned other = lanes; other != 0; other &= other - 1) {
                int const lane = std::countr_zero(other);
                if (values[static_cast<std::size_t>(lane)] == values[static_cast<std::size_t>(reader)])
                    equal |= std::uint64_t{1} << lane;
            }
            threads[reader].value = equal;
        }
        return;
    }
    std::uint64_t const result = combine_lanes(warp, lanes, arrival.op);
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) threads[std::countr_zero(rest)].value = result;
}

void block::shuffle_lanes(unsigned warp, unsigned lanes) {
    thread_state* const threads = lanes_of(warp);
    auto const values = values_of(threads, lanes);
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
        int const lane = std::countr_zero(rest);
        thread_state& reader = threads[lane];
        int const source = reader.source;
        if ((lanes >> source & 1U) == 0) {
            // the device would return anything; the reader keeps its own value, which hides least
            if (monitor_ == nullptr || !monitor_->checks()) continue;
            bool const ended = (warps_[warp].finished >> source & 1U) != 0;
            bool const exists = (warps_[warp].exists >> source & 1U) != 0;
            report(finding_kind::absent_lane, {reader.code, index_, reader.rank, false, false},
                   "lane " + std::to_string(lane) + " reads from lane " + std::to_string(source) + ", which " +
                       (!exists ? "the block does not have"
                        : ended ? "has ended"
                                : "is not in the mask (lanes " + lane_list(reader.mask) + ")"));
        } else {
            reader.value = values[static_cast<std::size_t>(source)];
        }
    }
}

// The result that all lanes get alike.
std::uint64_t block::combine_lanes(unsigned warp, unsigned lanes, warp_op op) const {
    thread_state const* const threads = lanes_of(warp);
    std::uint64_t const first = threads[std::countr_zero(lanes)].value;
    unsigned votes = 0;
    bool all_equal = true;
    auto word = static_cast<std::uint32_t>(first);
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
        int const lane = std::countr_zero(rest);
        std::uint64_t const value = threads[lane].value;
        if (value != 0) votes |= 1U << lane;
        all_equal = all_equal && value == first;
        if (rest == lanes) continue;
        auto const operand = static_cast<std::uint32_t>(value);
        auto const less = static_cast<std::int32_t>(operand) < static_cast<std::int32_t>(word);
        switch (op) {
            case warp_op::add:
                word += operand;
                break;
            case warp_op::minimum:
                word = std::min(word, operand);
                break;
            case warp_op::maximum:
                word = std::max(word, operand);
                break;
            case warp_op::minimum_signed:
                word = less ? operand : word;
                break;
            case warp_op::maximum_signed:
                word = less ? word : operand;
                break;
            case warp_op::bit_and:
                word &= operand;
                break;
            case warp_op::bit_or:
                word |= operand;
                break;
            case warp_op::bit_xor:
                word ^= operand;
                break;
            default:
                break;
        }
    }
    switch (op) {
        case warp_op::ballot:
            return votes;
        case warp_op::any:
            return votes != 0;
        case warp_op::all:
            return votes == lanes;
        case warp_op::match_all:
            return all_equal ? lanes : 0;
        default:
            return word;
    }
}

// No lane of the warp can run: those that asked at the same place which lanes are active have arrived together.
void block::complete_active_mask(unsigned warp) {
    thread_state* const threads = lanes_of(warp);
    unsigned asking = 0;
    void const* code = nullptr;
    for (unsigned rest = warps_[warp].arrived; rest != 0; rest &= rest - 1) {
        int const lane = std::countr_zero(rest);
        if (threads[lane].op != warp_op::active_mask) continue;
        if (code == nullptr) code = threads[lane].code;
        if (threads[lane].code == code) asking |= 1U << lane;
    }
    if (asking == 0) return;
    for (unsigned rest = asking; rest != 0; rest &= rest - 1) threads[std::countr_zero(rest)].value = asking;
    warps_[warp].arrived &= ~asking;
    make_ready(warp, asking);
}

std::uint64_t warp_exchange(warp_op op, unsigned mask, std::uint64_t value, int argument, int width) {
    return active().warp_exchange(op, mask, value, argument, width, __builtin_return_address(0));
}

}  // namespace simt::detail
