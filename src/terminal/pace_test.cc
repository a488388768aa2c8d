#include "terminal/pace.h"

#include <gtest/gtest.h>

namespace terminal {
namespace {

using std::chrono::microseconds;

// Takes a piece after each step and returns how often that counted as a flood.
int floods(Pace& pace, Pace::Time& now, std::size_t bytes, microseconds step, int pieces) {
  int count = 0;
  for (int i = 0; i < pieces; ++i) {
    now += step;
    pace.took(bytes);
    count += pace.is_flood(now) ? 1 : 0;
  }
  return count;
}

TEST(Pace, KeystrokesAndRedrawsAreNoFlood) {
  Pace pace;
  Pace::Time now = std::chrono::steady_clock::now();
  EXPECT_EQ(floods(pace, now, 1, microseconds(300), 1000), 0);
  EXPECT_EQ(floods(pace, now, 16 * 1024, microseconds(16'000), 100), 0)
      << "a screen, 60 times a second";
}

TEST(Pace, ManyPiecesInARowAreOneUntilTheyStop) {
  Pace pace;
  Pace::Time now = std::chrono::steady_clock::now();
  EXPECT_GT(floods(pace, now, 4096, microseconds(50), 1000), 800) << "80 MB a second";
  now += std::chrono::seconds(1);
  EXPECT_EQ(floods(pace, now, 1, microseconds(300), 100), 0);
}

TEST(Pace, AFloodOnABusyMachineComesInGulps) {
  Pace pace;
  Pace::Time now = std::chrono::steady_clock::now();
  (void)floods(pace, now, 1, microseconds(300), 100);
  EXPECT_EQ(floods(pace, now, 256 * 1024, microseconds(12'000), 100), 100) << "21 MB a second";
}

}  // namespace
}  // namespace terminal
