// Outcomes of an engine beside those that they must be, over grids.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "engine.hpp"

namespace {

/// Compares the outcome over `in` with what the same input of host memory gives, by every grid.
template <class F, class Input, class HostInput>
void expect_same(char const* name, F const& f, Input const& in, HostInput const& host_in, int kind,
                 std::vector<int> const& grids = {std::begin(engine::grids), std::end(engine::grids)}) {
    auto const wanted = engine::wanted(f, host_in);
    for (int const blocks : grids) {
        auto const got = engine::reduce(in, f, blocks);
        EXPECT_EQ(static_cast<int>(got.state), static_cast<int>(wanted.state)) << name << " n=" << in.size() << " kind " << kind << " blocks " << blocks;
        if (wanted.state == wf::status::ok && got.state == wf::status::ok) {
            EXPECT_TRUE(engine::same(got.value, wanted.value)) << name << " n=" << in.size() << " kind " << kind << " blocks " << blocks;
        }
    }
}

}  // namespace
