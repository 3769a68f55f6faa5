// The tree that a warp's lanes record into, against a replay of each lane's own list of events.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "../../simt/src/random.hpp"
#include "../../simt/src/trace.hpp"

namespace {

using simt::counters;
using simt::detail::control_flow;
using simt::detail::event;
using simt::detail::event_kind;
using simt::detail::trace;

constexpr unsigned lanes = 32;

struct done {
    event what;
    std::uintptr_t address;
};
using history = std::vector<done>;

// Random programs: sequences, branches and loops, three deep.
class program {
  public:
    // Of `sameness` branches all but one go the same way for all lanes; with 0 none does.
    program(std::uint64_t seed, unsigned sameness) : seed_(seed), sameness_(sameness) {}

    std::vector<history> histories() {
        std::vector<history> all(lanes);
        for (unsigned lane = 0; lane < lanes; ++lane) {
            own_ = simt::detail::mix(seed_, lane);
            body(all[lane], lane, 0x1000, 0);
        }
        return all;
    }

  private:
    unsigned decide(std::uintptr_t code, std::size_t when, unsigned ways) {
        std::uint64_t alike = simt::detail::mix(seed_ ^ code, when);
        bool const same = sameness_ != 0 && alike % sameness_ != 0;
        return static_cast<unsigned>(simt::detail::next_random(same ? alike : own_) % ways);
    }

    void body(history& h, unsigned lane, std::uintptr_t code, unsigned depth) {
        for (unsigned part = 0; part < 5; ++part, code += 0x100U >> depth * 3) {
            enter(h, code);
            switch (simt::detail::mix(seed_, code) % (depth < 2 ? 5 : 3)) {
                case 0:
                    touch(h, lane, code + 1);
                    break;
                case 1:
                    touch(h, lane, code + 1);
                    touch(h, lane, code + 2);
                    break;
                case 2:
                    break;
                case 3:
                    if (decide(code, h.size(), 2) == 0) body(h, lane, code + 4, depth + 1);
                    break;
                case 4:
                    for (unsigned rounds = decide(code, 0, 12); rounds > 0; --rounds) {
                        enter(h, code + 3);
                        body(h, lane, code + 4, depth + 1);
                    }
                    break;
            }
        }
    }

    static void* at(std::uintptr_t code) { return reinterpret_cast<void*>(code); }
    static void enter(history& h, std::uintptr_t code) { h.push_back({event(at(code)), 0}); }

    // Neighbouring, strided, equal or scattered addresses; at some places lanes differ in kind and size.
    void touch(history& h, unsigned lane, std::uintptr_t code) {
        std::uint64_t place = simt::detail::mix(seed_, code);
        auto kind = static_cast<event_kind>(1 + place % 6);
        unsigned bytes = 1U << simt::detail::next_random(place) % 5;
        if (simt::detail::next_random(place) % 8 == 0) {
            bytes = 1U << lane % 5;
            kind = lane % 3 == 0 ? event_kind::shared_load : event_kind::global_load;
        }
        std::uintptr_t const base = simt::detail::next_random(place) % 4096 * 16 + h.size() / 64 * 16;
        std::uintptr_t const strides[] = {bytes, 4 * bytes, 0, 128, simt::detail::next_random(own_) % 64 * bytes};
        std::uintptr_t const stride = strides[simt::detail::next_random(place) % 5];
        h.push_back({event(at(code), kind, bytes), base + lane * stride});
    }

    std::uint64_t seed_, own_ = 0;
    unsigned sameness_;
};

// By the definitions alone.
class reference {
  public:
    explicit reference(std::vector<history> const& all) {
        std::vector<std::size_t> next(lanes);
        for (;;) {
            std::uintptr_t lowest = ~std::uintptr_t{0};
            for (unsigned lane = 0; lane < lanes; ++lane) {
                if (next[lane] < all[lane].size()) lowest = std::min(lowest, all[lane][next[lane]].what.code());
            }
            std::vector<unsigned> together;
            std::vector<done> what;
            for (unsigned lane = 0; lane < lanes; ++lane) {
                if (next[lane] == all[lane].size() || all[lane][next[lane]].what.code() != lowest) continue;
                together.push_back(lane);
                what.push_back(all[lane][next[lane]++]);
            }
            if (together.empty()) break;
            if (what[0].what.kind() == event_kind::basic_block) {
                enter(together, lowest);
            } else {
                count(together, what);
            }
        }
        for (auto const& [step, after] : left) sum.divergent_branches += after.size() > 1;
    }

    counters sum;
    control_flow flow;

  private:
    void enter(std::vector<unsigned> const& together, std::uintptr_t code) {
        std::set<std::size_t> from;
        for (unsigned const lane : together) {
            if (auto const at = step_of_lane.find(lane); at != step_of_lane.end()) from.insert(at->second);
        }
        std::size_t const step = ++sum.steps;
        for (std::size_t const before : from) {
            left[before].insert(step);
            block_of_step[before]->go_on(code);
        }
        for (unsigned const lane : together) step_of_lane[lane] = step;
        block_of_step[step] = &flow.step(code);
        sum.step_lanes += together.size();
    }

    static std::uint64_t sectors(std::vector<done> const& what) {
        std::set<std::uintptr_t> touched;
        for (done const& d : what) touched.insert({d.address / 32, (d.address + d.what.bytes() - 1) / 32});
        return touched.size();
    }
    static std::uint64_t serialisations(std::vector<done> const& what) {
        std::map<std::uintptr_t, std::uint64_t> lanes_at;
        std::uint64_t most = 0;
        for (done const& d : what) most = std::max(most, ++lanes_at[d.address]);
        return most;
    }
    // Wavefronts, and those that parts of the warp would not need.
    static std::pair<std::uint64_t, std::uint64_t> wavefronts(std::vector<done> const& what) {
        std::size_t const part = 32 / std::max(1U, what[0].what.bytes() / 4);
        std::uint64_t total = 0, parts = 0;
        for (std::size_t first = 0; first < what.size(); first += part, ++parts) {
            std::map<std::uintptr_t, std::set<std::uintptr_t>> words_of_bank;
            for (std::size_t i = first; i < std::min(first + part, what.size()); ++i) {
                for (std::uintptr_t byte = 0; byte < what[i].what.bytes(); ++byte) {
                    std::uintptr_t const word = (what[i].address + byte) / 4;
                    words_of_bank[word % 32].insert(word);
                }
            }
            std::size_t passes = 0;
            for (auto const& [bank, words] : words_of_bank) passes = std::max(passes, words.size());
            total += passes;
        }
        return {total, total - parts};
    }

    void count(std::vector<unsigned> const& together, std::vector<done> const& what) {
        std::uint64_t bytes = 0;
        for (done const& d : what) bytes += d.what.bytes();
        control_flow::basic_block& in = *block_of_step.at(step_of_lane.at(together[0]));
        switch (what[0].what.kind()) {
            case event_kind::basic_block:
                break;
            case event_kind::global_load:
                ++sum.global_load_requests;
                sum.global_load_sectors += sectors(what);
                sum.global_load_bytes += bytes;
                break;
            case event_kind::global_store:
                ++sum.global_store_requests;
                sum.global_store_sectors += sectors(what);
                sum.global_store_bytes += bytes;
                break;
            case event_kind::global_atomic:
                ++sum.global_atomic_requests;
                sum.global_atomic_sectors += sectors(what);
                sum.global_atomic_lanes += what.size();
                sum.global_atomic_serialisations += serialisations(what);
                break;
            case event_kind::shared_load:
                ++in.loads;
                ++sum.shared_load_instructions;
                sum.shared_load_wavefronts += wavefronts(what).first;
                sum.shared_load_bank_conflicts += wavefronts(what).second;
                sum.shared_load_bytes += bytes;
                break;
            case event_kind::shared_store:
                ++in.stores;
                ++sum.shared_store_instructions;
                sum.shared_store_wavefronts += wavefronts(what).first;
                sum.shared_store_bank_conflicts += wavefronts(what).second;
                sum.shared_store_bytes += bytes;
                break;
            case event_kind::shared_atomic:
                ++sum.shared_atomic_instructions;
                sum.shared_atomic_lanes += what.size();
                sum.shared_atomic_serialisations += serialisations(what);
                break;
        }
    }

    std::map<unsigned, std::size_t> step_of_lane;
    std::map<std::size_t, control_flow::basic_block*> block_of_step;
    std::map<std::size_t, std::set<std::size_t>> left;  // by step: the steps that its lanes went on to
};

// The lanes of warp 1 take turns of random length. Those without room wait until none else can go on.
counters record(trace& recorded, std::vector<history> const& all, std::uint64_t seed, unsigned longest_turn) {
    counters sum;
    std::vector<std::size_t> next(lanes);
    unsigned full = 0;
    recorded.begin();
    for (;;) {
        unsigned ready = 0;
        for (unsigned lane = 0; lane < lanes; ++lane) ready |= unsigned{next[lane] < all[lane].size()} << lane;
        if (ready == 0) break;
        ready &= ~full;
        if (ready == 0) {
            recorded.replay(1, full, sum);
            EXPECT_NE(full & recorded.empty_lanes(1), 0U) << "nobody can go on";
            if (testing::Test::HasFailure()) return sum;
            full &= ~recorded.empty_lanes(1);
            continue;
        }
        auto skipped =
            longest_turn == 0 ? 0 : simt::detail::next_random(seed) % static_cast<unsigned>(std::popcount(ready));
        for (; skipped > 0; --skipped) ready &= ready - 1;
        auto const lane = static_cast<unsigned>(std::countr_zero(ready));
        recorded.turn_to(32 + lane);
        for (auto turn = longest_turn == 0 ? ~0U : 1 + simt::detail::next_random(seed) % longest_turn;
             turn > 0 && next[lane] < all[lane].size(); --turn) {
            done const& d = all[lane][next[lane]++];
            bool const has_room =
                d.what.kind() == event_kind::basic_block ? recorded.record(d.what) : recorded.record(d.what, d.address);
            if (has_room) continue;
            full |= 1U << lane;
            break;
        }
    }
    recorded.pause();
    recorded.replay(1, 0, sum);
    return sum;
}

TEST(trace, of_random_programs_is_replayed_as_each_lane_recorded_it) {
    for (unsigned const sameness : {0U, 2U, 8U, 64U}) {
        for (std::uint64_t seed = 0; seed < 24; ++seed) {
            std::vector<history> const all = program(seed, sameness).histories();
            reference const expected(all);
            for (unsigned const turn : {0U, 1U, 10U, 1000U}) {
                trace recorded(64);
                for (int block = 0; block < 2; ++block) {
                    EXPECT_EQ(record(recorded, all, seed, turn), expected.sum);
                    ASSERT_FALSE(HasFailure()) << "sameness " << sameness << ", seed " << seed << ", turns of " << turn;
                }
                auto const off = recorded.flow().predicated_off(), expected_off = expected.flow.predicated_off();
                EXPECT_EQ(std::pair(off.loads, off.stores), std::pair(2 * expected_off.loads, 2 * expected_off.stores));
            }
        }
    }
}

// A block that was given up leaves its records behind.
TEST(trace, begins_anew_with_each_block) {
    std::vector<history> const all = program(5, 8).histories();
    trace recorded(64);
    recorded.begin();
    recorded.turn_to(33);
    for (unsigned i = 0; i < 20; ++i) EXPECT_TRUE(recorded.record(event(&all)));
    recorded.pause();
    EXPECT_EQ(recorded.empty_lanes(1), ~2U);
    EXPECT_EQ(record(recorded, all, 5, 10), reference(all).sum);
}

// Lanes that do the same need no room of their own.
TEST(trace, has_room_for_as_many_events_of_every_lane) {
    trace recorded(64);
    recorded.begin();
    for (unsigned lane = 0; lane < lanes; ++lane) {
        recorded.turn_to(lane);
        for (unsigned i = 1; i < trace::capacity; ++i) {
            ASSERT_TRUE(recorded.record(event(reinterpret_cast<void*>(std::uintptr_t{i + lane % 3}))));
        }
        EXPECT_FALSE(recorded.record(event(&recorded)));
    }
    recorded.pause();
    counters sum;
    recorded.replay(0, 0, sum);
    EXPECT_EQ(recorded.empty_lanes(0), ~0U);
    EXPECT_EQ(sum.step_lanes, std::uint64_t{lanes} * trace::capacity);
}

}  // namespace
