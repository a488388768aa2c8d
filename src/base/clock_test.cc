#include "base/clock.h"

#include <gtest/gtest.h>

#include "base/test_clock.h"

namespace base {
namespace {

using std::chrono::seconds;

TEST(ClockTest, AManualClockMovesOnlyWhenTold) {
  ManualClock clock;
  const auto start = clock.now();
  EXPECT_EQ(clock.now(), start);
  clock.advance(seconds(10));
  EXPECT_EQ(clock.now() - start, seconds(10));
}

TEST(ClockTest, AWallClockThatJumpsLeavesDeadlinesAlone) {
  ManualClock clock;
  const auto before = clock.now();
  clock.jump_wall_to(WallTime{} + std::chrono::hours(1000));
  EXPECT_EQ(clock.now(), before);
}

TEST(ClockTest, TheSystemClockDoesNotGoBack) {
  const SystemClock clock;
  const auto first = clock.now();
  EXPECT_LE(first, clock.now());
}

}  // namespace
}  // namespace base
