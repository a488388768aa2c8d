#include "terminal/throttle.h"

#include <gtest/gtest.h>

#include <optional>

#include <boost/asio/io_context.hpp>

namespace terminal {
namespace {

using std::chrono::milliseconds;

TEST(ThrottleTest, ActsAtOnceAndOnceMoreAfterTheRest) {
  boost::asio::io_context io;
  int acts = 0;
  Throttle throttle(io.get_executor(), milliseconds(5), [&] { ++acts; });
  const auto begun = std::chrono::steady_clock::now();
  throttle.ask();
  EXPECT_EQ(acts, 1);
  throttle.ask();
  throttle.ask();
  EXPECT_EQ(acts, 1);
  io.run();  // Until no timer is left: it rests for good when nobody asks.
  EXPECT_EQ(acts, 2);
  EXPECT_GE(std::chrono::steady_clock::now() - begun, milliseconds(10));
  throttle.ask();
  EXPECT_EQ(acts, 3);
}

TEST(ThrottleTest, ItsTimerMayFireAfterItIsGone) {
  boost::asio::io_context io;
  int acts = 0;
  std::optional<Throttle> throttle(std::in_place, io.get_executor(), milliseconds(0),
                                   [&] { ++acts; });
  throttle->ask();
  throttle->ask();
  throttle.reset();
  io.run();
  EXPECT_EQ(acts, 1);
}

}  // namespace
}  // namespace terminal
