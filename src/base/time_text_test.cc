#include "base/time_text.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <time.h>

#include <optional>

namespace base {
namespace {

using namespace std::chrono_literals;

constexpr WallTime kEpoch;
constexpr WallTime kTime = kEpoch + 1794715927123ms;

TEST(TimeTextTest, UtcWithMilliseconds) {
  EXPECT_EQ(utc_milliseconds(kEpoch), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(utc_milliseconds(kTime), "2026-11-15T04:12:07.123Z");
  EXPECT_EQ(utc_milliseconds(kEpoch - 1ms), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(utc_milliseconds(kEpoch + 999999us), "1970-01-01T00:00:00.999Z");
}

TEST(TimeTextTest, EveryTimeOfTheClockHasAYearOfFourDigits) {
  EXPECT_EQ(utc_milliseconds(WallTime::min()).substr(0, 5), "1677-");
  EXPECT_EQ(utc_milliseconds(WallTime::max()).substr(0, 5), "2262-");
}

TEST(TimeTextTest, UtcWithSeconds) {
  EXPECT_EQ(utc_seconds(kTime), "2026-11-15T04:12:07Z");
  EXPECT_EQ(utc_seconds(kEpoch - 1ms), "1969-12-31T23:59:59Z");
}

TEST(TimeTextTest, UtcForTheNameOfAFile) {
  EXPECT_EQ(utc_compact(kTime), "20261115T041207Z");
}

class LocalTimeTest : public testing::Test {
 protected:
  LocalTimeTest() {
    if (const char* const zone = ::getenv("TZ")) zone_before_ = zone;
    ::setenv("TZ", "<+0330>-3:30", 1);
    ::tzset();
  }
  ~LocalTimeTest() override {
    if (zone_before_)
      ::setenv("TZ", zone_before_->c_str(), 1);
    else
      ::unsetenv("TZ");
    ::tzset();
  }

 private:
  std::optional<std::string> zone_before_;
};

TEST_F(LocalTimeTest, IsThatOfTheTimeZone) {
  EXPECT_EQ(local_minutes(kTime), "2026-11-15 07:42");
  EXPECT_EQ(local_time_of_day(kTime), "07:42:07");
}

}  // namespace
}  // namespace base
