// What orders accesses where two host threads run atomics at the same time.
#include <gtest/gtest.h>

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

}  // namespace
