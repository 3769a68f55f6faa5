// SIMD targets one by one, so that tests run what other machines would choose.
#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

namespace testing_data {

/// The targets that this machine runs.
inline std::vector<std::int64_t> targets() { return hwy::SupportedAndGeneratedTargets(); }
/// Makes one of them the only one; 0: all of them again.
inline void use_target(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}
/// Calls f with each of them alone.
template <class Function>
void for_each_target(Function f) {
    for (std::int64_t const target : targets()) {
        use_target(target);
        ASSERT_EQ(hwy::SupportedTargets(), target);
        SCOPED_TRACE(hwy::TargetName(target));
        f();
    }
    use_target(0);
}

}  // namespace testing_data
