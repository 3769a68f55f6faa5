// What orders accesses where two host threads run atomics at the same time, and from one block to the next.
#include <gtest/gtest.h>

#include <optional>

#include "../../simt/src/happens_before.hpp"

namespace {

using simt::detail::clocks;
using simt::detail::fence_scope;
using simt::detail::moment;

// Block 1 announces its atomic first, but block 2's comes first in memory: block 1 reads what block 2 released.
TEST(happens_before, an_atomic_acquires_what_came_before_it_and_not_before_its_announcement) {
    constexpr std::uintptr_t ticket = 64;
    simt::detail::synchronisation locations;
    clocks first(locations, 32), second(locations, 32);
    first.begin(1);
    second.begin(2);
    first.fence(0, fence_scope::device);
    first.synchronise(0, ticket, true, true);
    moment const written = second.now(0);
    second.fence(0, fence_scope::device);
    second.synchronise(0, ticket, true, true);
    second.settle(0);
    EXPECT_FALSE(first.ordered(written, 0)) << "nothing was read yet";
    first.settle(0);
    EXPECT_TRUE(first.ordered(written, 0));
    EXPECT_FALSE(first.ordered(second.now(0), 0)) << "what block 2 does later";
}

TEST(happens_before, reads_of_several_threads_acquire_each_by_itself) {
    simt::detail::synchronisation locations;
    clocks writer(locations, 32), readers(locations, 64);
    writer.begin(1);
    readers.begin(2);
    moment const written = writer.now(0);
    writer.fence(0, fence_scope::device);
    writer.synchronise(0, 64, false, true);
    readers.synchronise(0, 64, true, false);
    readers.synchronise(40, 64, true, false);
    readers.settle(0);
    EXPECT_FALSE(readers.ordered(written, 40));
    readers.settle(40);
    EXPECT_TRUE(readers.ordered(written, 0));
    EXPECT_TRUE(readers.ordered(written, 40));
}

// The clocks are one host thread's, block after block.
TEST(happens_before, what_the_block_before_ordered_is_forgotten) {
    simt::detail::synchronisation locations;
    clocks order(locations, 32);
    order.begin(1);
    order.warp_barrier(0, ~0U);
    order.warp_barrier(0, ~0U);
    order.begin(2);
    EXPECT_FALSE(order.ordered(order.now(1), 0)) << "by a warp barrier";
    order.synchronise(0, 64, true, false);
    order.begin(3);
    order.synchronise(1, 64, true, false);
    order.settle(1);
    order.begin(4);
    clocks other(locations, 32);
    other.begin(5);
    moment const written = other.now(0);
    other.fence(0, fence_scope::device);
    other.synchronise(0, 64, false, true);
    order.settle(0);
    EXPECT_FALSE(order.ordered(written, 0)) << "by a read that another block began";
    order.synchronise(0, 64, true, false);
    order.settle(0);
    EXPECT_TRUE(order.ordered(written, 0));
    order.begin(6);
    EXPECT_FALSE(order.ordered(written, 0)) << "by what another block knew";
}

// A warp barrier moves the epochs of its warp alone, the block barrier joins them.
TEST(happens_before, epochs_of_a_warp_are_its_own_until_the_block_barrier) {
    simt::detail::synchronisation locations;
    clocks order(locations, 64);
    order.begin(1);
    moment const before = order.now(1);
    order.warp_barrier(0, ~0U);
    moment const after = order.now(1);
    EXPECT_NE(before.epoch, after.epoch);
    EXPECT_TRUE(order.ordered(before, 0));
    EXPECT_FALSE(order.ordered(after, 0));
    EXPECT_FALSE(order.ordered(before, 32));
    EXPECT_EQ(order.now(32).epoch, before.epoch);
    order.block_barrier();
    EXPECT_TRUE(order.ordered(after, 32));
    EXPECT_FALSE(order.ordered(order.now(1), 32));
}

// Lane 1 writes behind lane 0's fence. A warp barrier afterwards orders it for lane 0, but only another fence of the
// device releases it to other blocks.
TEST(happens_before, a_fence_releases_what_stands_before_it) {
    constexpr std::uintptr_t flag = 64;
    for (auto const again : {std::optional<fence_scope>{}, std::optional{fence_scope::block}, std::optional{fence_scope::device}}) {
        simt::detail::synchronisation locations;
        clocks writers(locations, 32), reader(locations, 32);
        writers.begin(1);
        reader.begin(2);
        writers.fence(0, fence_scope::device);
        moment const written = writers.now(1);
        writers.warp_barrier(0, ~0U);
        if (again) writers.fence(0, *again);
        writers.synchronise(0, flag, false, true);
        reader.synchronise(0, flag, true, false);
        reader.settle(0);
        EXPECT_EQ(reader.ordered(written, 0), again == fence_scope::device);
    }
}

// Block 2 passes on what it has read of block 1 where a fence stands between.
TEST(happens_before, what_was_acquired_is_released_by_a_fence_after_it) {
    constexpr std::uintptr_t first_flag = 64, second_flag = 128;
    for (bool const fence_after : {false, true}) {
        simt::detail::synchronisation locations;
        clocks writer(locations, 32), between(locations, 32), reader(locations, 32);
        writer.begin(1);
        between.begin(2);
        reader.begin(3);
        moment const written = writer.now(0);
        writer.fence(0, fence_scope::device);
        writer.synchronise(0, first_flag, false, true);
        if (!fence_after) between.fence(0, fence_scope::device);
        between.synchronise(0, first_flag, true, false);
        between.settle(0);
        if (fence_after) between.fence(0, fence_scope::device);
        between.synchronise(0, second_flag, false, true);
        reader.synchronise(0, second_flag, true, false);
        reader.settle(0);
        EXPECT_EQ(reader.ordered(written, 0), fence_after);
    }
}

}  // namespace
