// How tests use the SIMT executor: threads and blocks run in random orders, and a test whose kernels the checks object
// to has failed.
#pragma once

#include <gtest/gtest.h>

#include "simt/runtime.hpp"
#include "warpfold/device/tuning.hpp"

namespace engine {

class clean_reports : public testing::EmptyTestEventListener {
  public:
    clean_reports() {
        simt::config c{.grid = {}, .block = {}, .checks = true, .schedule = simt::schedule::random};
        c.limits.shared_bytes = static_cast<std::size_t>(wf::device::shared_memory_of(SIMT_CAPABILITY));
        simt::runtime::set_config(c);
    }
    void OnTestEnd(testing::TestInfo const&) override {
        simt::report const report = simt::runtime::take_report();
        EXPECT_TRUE(report.clean()) << report.text();
    }
};
// The list owns it.
inline auto* const listener = [] {
    auto* const made = new clean_reports;
    testing::UnitTest::GetInstance()->listeners().Append(made);
    return made;
}();

}  // namespace engine
