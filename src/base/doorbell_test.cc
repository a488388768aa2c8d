#include "base/doorbell.h"

#include <gtest/gtest.h>

#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

namespace base {
namespace {

namespace asio = boost::asio;
using asio::awaitable;

class DoorbellTest : public testing::Test {
 protected:
  // Writes down when it wakes; ends after the second time.
  void start_waiter() {
    asio::co_spawn(
        io_,
        [this]() -> awaitable<void> {
          for (int i = 0; i < 2; ++i) {
            co_await bell_.wait();
            said_.push_back("woken");
          }
        },
        asio::detached);
    io_.poll();
  }

  asio::io_context io_;
  Doorbell bell_{io_.get_executor()};
  std::vector<std::string> said_;
};

TEST_F(DoorbellTest, ARingWakesAfterwards) {
  start_waiter();
  bell_.ring();
  bell_.ring();  // It is on its way already.
  said_.emplace_back("rung");
  io_.poll();
  EXPECT_EQ(said_, (std::vector<std::string>{"rung", "woken"}));
}

TEST_F(DoorbellTest, ARingAtOnceWakesFirst) {
  start_waiter();
  bell_.ring_at_once();
  said_.emplace_back("rung");
  EXPECT_EQ(said_, (std::vector<std::string>{"woken", "rung"}));
  bell_.ring_at_once();
  EXPECT_EQ(said_.back(), "woken");
}

TEST_F(DoorbellTest, ARingThatNobodyWaitsForIsForgotten) {
  bell_.ring();
  bell_.ring_at_once();
  start_waiter();
  EXPECT_TRUE(said_.empty());
}

// As the pump of a terminal serves the writer of a client.
TEST_F(DoorbellTest, OneCoroutineMayWakeAnotherWithinItself) {
  start_waiter();
  asio::co_spawn(
      io_,
      [this]() -> awaitable<void> {
        said_.emplace_back("before");
        bell_.ring_at_once();
        said_.emplace_back("after");
        co_await asio::post(io_, asio::use_awaitable);
        said_.emplace_back("later");
      },
      asio::detached);
  io_.poll();
  EXPECT_EQ(said_, (std::vector<std::string>{"before", "woken", "after", "later"}));
}

TEST_F(DoorbellTest, WhoWaitsForEverEndsWithTheLoop) {
  auto io = std::make_unique<asio::io_context>();
  auto bell = std::make_unique<Doorbell>(io->get_executor());
  auto alive = std::make_shared<int>(1);
  asio::co_spawn(
      *io, [&bell, held = alive]() -> awaitable<void> { co_await bell->wait(); }, asio::detached);
  io->poll();
  bell.reset();
  io.reset();
  EXPECT_EQ(alive.use_count(), 1);
}

}  // namespace
}  // namespace base
