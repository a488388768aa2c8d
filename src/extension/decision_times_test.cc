#include "extension/decision_times.h"

#include <gtest/gtest.h>

#include "base/test_clock.h"

namespace extension {
namespace {

using namespace std::chrono_literals;

class DecisionTimesTest : public ::testing::Test {
 protected:
  base::ManualClock clock_;
  DecisionTimes times_{clock_};
};

TEST_F(DecisionTimesTest, AHandlerHasSixSeconds) {
  times_.begin("call-1");
  EXPECT_EQ(times_.left("call-1", false), 6s);
  clock_.advance(5s);
  EXPECT_EQ(times_.left("call-1", false), 1s);
  clock_.advance(1s);
  EXPECT_EQ(times_.left("call-1", false), std::nullopt);
}

TEST_F(DecisionTimesTest, AnOpenQuestionStopsTheClock) {
  times_.begin("call-1");
  clock_.advance(1h);
  EXPECT_EQ(times_.left("call-1", true), 6s);
  clock_.advance(5s);
  times_.question_closed("call-1");
  clock_.advance(5s);
  EXPECT_EQ(times_.left("call-1", false), 1s);
}

TEST_F(DecisionTimesTest, WhatIsNotBeingDecidedHasNoTime) {
  times_.question_closed("call-1");
  EXPECT_EQ(times_.left("call-1", true), std::nullopt);
  times_.begin("call-1");
  times_.begin("call-2");
  times_.end("call-1");
  EXPECT_EQ(times_.left("call-1", true), std::nullopt);
  EXPECT_EQ(times_.left("call-2", false), 6s);
}

}  // namespace
}  // namespace extension
