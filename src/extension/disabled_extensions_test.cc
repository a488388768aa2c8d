#include "extension/disabled_extensions.h"

#include <gtest/gtest.h>

#include "base/test_clock.h"

namespace extension {
namespace {

using Verdict = DisabledExtensions::Verdict;
using namespace std::chrono_literals;

class DisabledExtensionsTest : public ::testing::Test {
 protected:
  base::ManualClock clock_;
  DisabledExtensions disabled_{clock_};
};

TEST_F(DisabledExtensionsTest, TheFourthRestartWithinFiveMinutesDisablesTheOneAtFault) {
  for (int restart = 0; restart < 3; ++restart)
    EXPECT_EQ(disabled_.worker_ended("vms", "crashed"), Verdict::restart);
  EXPECT_EQ(disabled_.worker_ended("other", "crashed"), Verdict::restart);
  EXPECT_FALSE(disabled_.has_faults());
  EXPECT_EQ(disabled_.worker_ended("vms", "out of memory"), Verdict::disable_this);
  EXPECT_EQ(disabled_.why("vms"),
            "disabled after three restarts within five minutes: out of memory");
  EXPECT_EQ(disabled_.why("other"), std::nullopt);
  EXPECT_FALSE(disabled_.all());
  EXPECT_TRUE(disabled_.has_faults());
}

TEST_F(DisabledExtensionsTest, AnUnknownCauseDisablesAll) {
  for (int restart = 0; restart < 3; ++restart)
    EXPECT_EQ(disabled_.worker_ended("", "crashed"), Verdict::restart);
  EXPECT_EQ(disabled_.worker_ended("vms", "crashed"), Verdict::restart);
  EXPECT_EQ(disabled_.worker_ended("", "crashed"), Verdict::disable_all);
  EXPECT_TRUE(disabled_.all());
}

TEST_F(DisabledExtensionsTest, ARestartCountsForFiveMinutes) {
  for (const auto& [later, verdict] :
       {std::pair<std::chrono::nanoseconds, Verdict>(5min, Verdict::disable_this),
        std::pair<std::chrono::nanoseconds, Verdict>(5min + 1ns, Verdict::restart)}) {
    DisabledExtensions disabled(clock_);
    for (int restart = 0; restart < 3; ++restart)
      EXPECT_EQ(disabled.worker_ended("vms", "crashed"), Verdict::restart);
    clock_.advance(later);
    EXPECT_EQ(disabled.worker_ended("vms", "crashed"), verdict);
  }
}

TEST_F(DisabledExtensionsTest, WhatWasTurnedOffIsOnAfterTheNextReload) {
  disabled_.turn_off("vms");
  EXPECT_EQ(disabled_.why("vms"), kTurnedOff);
  EXPECT_TRUE(disabled_.is_turned_off("vms"));
  EXPECT_FALSE(disabled_.has_faults());
  for (int restart = 0; restart < 4; ++restart) (void)disabled_.worker_ended("", "crashed");
  disabled_.clear();
  EXPECT_EQ(disabled_.why("vms"), std::nullopt);
  EXPECT_FALSE(disabled_.all());
  EXPECT_EQ(disabled_.worker_ended("", "crashed"), Verdict::restart);
}

}  // namespace
}  // namespace extension
