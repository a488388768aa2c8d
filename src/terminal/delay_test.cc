#include "terminal/delay.h"

#include <gtest/gtest.h>

#include <optional>

#include <boost/asio/io_context.hpp>

namespace terminal {
namespace {

using std::chrono::milliseconds;

TEST(DelayTest, ActsOnceForAllThatAskedMeanwhile) {
  boost::asio::io_context io;
  int acts = 0;
  Delay delay(io.get_executor(), milliseconds(5), [&] { ++acts; });
  const auto begun = std::chrono::steady_clock::now();
  delay.ask();
  delay.ask();
  EXPECT_EQ(acts, 0);
  io.run();  // Until no timer is left.
  EXPECT_EQ(acts, 1);
  EXPECT_GE(std::chrono::steady_clock::now() - begun, milliseconds(5));
  delay.ask();
  io.restart();
  io.run();
  EXPECT_EQ(acts, 2);
}

TEST(DelayTest, ItsTimerMayFireAfterItIsGone) {
  boost::asio::io_context io;
  int acts = 0;
  std::optional<Delay> delay(std::in_place, io.get_executor(), milliseconds(0), [&] { ++acts; });
  delay->ask();
  delay.reset();
  io.run();
  EXPECT_EQ(acts, 0);
}

}  // namespace
}  // namespace terminal
