#include "http/limits.h"

#include <gtest/gtest.h>

#include "http/socket.h"
#include "http/token_bucket.h"

namespace http {
namespace {

TEST(CountedAddressTest, WhatEverybodyHasManyOfIsOne) {
  for (const char* address :
       {"127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1", "::ffff:127.200.0.9"})
    EXPECT_EQ(counted_address(address), "loopback") << address;
  EXPECT_EQ(counted_address("10.0.0.1"), "10.0.0.1");
  EXPECT_EQ(counted_address("::ffff:10.0.0.1"), "10.0.0.1");
  EXPECT_EQ(counted_address("2001:db8::1"), counted_address("2001:db8::ffff"));
  EXPECT_NE(counted_address("2001:db8::1"), counted_address("2001:db8:0:1::1"));
  EXPECT_EQ(counted_address("not an address"), "not an address");
}

using std::chrono::milliseconds;
using std::chrono::seconds;

const base::MonotonicTime kStart{std::chrono::hours(1)};

TEST(TokenBucketTest, ABurstIsTakenAtOnceAndTheRateAfterIt) {
  TokenBucket bucket;
  for (int i = 0; i < 50; ++i) EXPECT_TRUE(bucket.take(kStart, 10, 50)) << i;
  EXPECT_FALSE(bucket.take(kStart, 10, 50));
  EXPECT_FALSE(bucket.take(kStart + milliseconds(99), 10, 50))
      << "a refused request does not count";
  EXPECT_TRUE(bucket.take(kStart + milliseconds(101), 10, 50));
  EXPECT_FALSE(bucket.take(kStart + milliseconds(102), 10, 50));
  int taken = 0;
  while (bucket.take(kStart + seconds(3600), 10, 50)) ++taken;
  EXPECT_EQ(taken, 50) << "a pause gives no more than the burst";
}

TEST(TokenBucketTest, ALimitThatIsLoweredCountsAtOnce) {
  TokenBucket bucket;
  for (int i = 0; i < 50; ++i) EXPECT_TRUE(bucket.take(kStart, 10, 100));
  EXPECT_FALSE(bucket.take(kStart, 10, 20));
  EXPECT_TRUE(bucket.take(kStart + milliseconds(150), 10, 20));
}

TEST(RatesTest, EachIsCountedApartAndOnlySoManyAreRemembered) {
  Rates rates;
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(rates.take("a", kStart, 1, 3));
  EXPECT_FALSE(rates.take("a", kStart, 1, 3));
  EXPECT_TRUE(rates.take("b", kStart, 1, 3));
  EXPECT_TRUE(rates.take("a", kStart + seconds(1), 1, 3));
  for (std::size_t i = 0; i < Rates::kMost + 100; ++i)
    EXPECT_TRUE(rates.take(std::to_string(i), kStart + seconds(2), 1, 3));
  EXPECT_LE(rates.size(), Rates::kMost);
}

TEST(PlacesTest, EachHasItsOwnAndGivesThemBack) {
  Places places;
  auto one = places.take("ada", 2);
  {
    auto two = places.take("ada", 2);
    EXPECT_TRUE(two.has_value());
    EXPECT_FALSE(places.take("ada", 2).has_value());
    EXPECT_TRUE(places.take("bob", 2).has_value());
    auto moved = std::move(two);
    EXPECT_FALSE(places.take("ada", 2).has_value()) << "a moved place is taken once";
  }
  EXPECT_TRUE(places.take("ada", 2).has_value());
  EXPECT_FALSE(places.take("ada", 1).has_value()) << "the limit was lowered";
  EXPECT_FALSE(places.take("eve", 0).has_value());
}

TEST(SignInFailuresTest, TenInAMinuteBarTheAddressForAMinute) {
  SignInFailures failures;
  for (int i = 0; i < 9; ++i) failures.add("a", kStart + seconds(i), 10);
  EXPECT_EQ(failures.barred("a", kStart + seconds(9)), seconds(0));
  failures.add("a", kStart + seconds(9), 10);
  EXPECT_EQ(failures.barred("a", kStart + seconds(9)), seconds(60));
  EXPECT_EQ(failures.barred("a", kStart + milliseconds(68'500)), seconds(1));
  EXPECT_EQ(failures.barred("a", kStart + seconds(69)), seconds(0));
  EXPECT_EQ(failures.barred("b", kStart + seconds(9)), seconds(0));
}

TEST(SignInFailuresTest, WhatComesSlowlyIsNotBarred) {
  SignInFailures failures;
  for (int i = 0; i < 100; ++i) failures.add("a", kStart + seconds(7 * i), 10);
  EXPECT_EQ(failures.barred("a", kStart + seconds(700)), seconds(0));
}

// The first bar lasts a minute. Those who go on are barred for longer; those who stop start over.
TEST(SignInFailuresTest, EachBarIsTwiceAsLongUpToAQuarterOfAnHour) {
  SignInFailures failures;
  auto now = kStart;
  for (const int expected : {60, 120, 240, 480, 900, 900}) {
    for (int i = 0; i < 3; ++i) failures.add("a", now, 3);
    EXPECT_EQ(failures.barred("a", now), seconds(expected));
    for (int i = 0; i < 100; ++i) failures.add("a", now + seconds(1), 3);
    EXPECT_EQ(failures.barred("a", now), seconds(expected)) << "retries do not extend it";
    now += seconds(expected);
  }
  now += SignInFailures::kLongestBar + seconds(1);
  for (int i = 0; i < 3; ++i) failures.add("a", now, 3);
  EXPECT_EQ(failures.barred("a", now), seconds(60));
}

TEST(SignInFailuresTest, OnlySoManyAddressesAreRemembered) {
  SignInFailures failures;
  for (std::size_t i = 0; i < SignInFailures::kMostAddresses + 100; ++i)
    failures.add(std::to_string(i), kStart + milliseconds(i), 1);
  EXPECT_EQ(failures.size(), SignInFailures::kMostAddresses);
  EXPECT_EQ(failures.barred("0", kStart + seconds(11)), seconds(0));
  EXPECT_GT(failures.barred("10050", kStart + seconds(11)), seconds(0));
}

}  // namespace
}  // namespace http
