#include "base/event.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

#include "base/task_scope.h"

namespace base {
namespace {

namespace asio = boost::asio;

class EventTest : public testing::Test {
 protected:
  ~EventTest() override {
    tasks_.cancel();
    run();
  }
  void run() {
    io_.restart();
    io_.poll();
  }
  void wait() {
    tasks_.spawn([this]() -> asio::awaitable<void> {
      co_await event_.wait();
      ++woken_;
    });
    run();
  }

  asio::io_context io_;
  TaskScope tasks_{io_.get_executor()};
  Event event_{io_.get_executor()};
  int woken_ = 0;
};

TEST_F(EventTest, WakesAllWhoWait) {
  wait();
  wait();
  EXPECT_EQ(woken_, 0);
  event_.notify();
  run();
  EXPECT_EQ(woken_, 2);
}

TEST_F(EventTest, LeavesNoTraceForThoseWhoComeLater) {
  event_.notify();
  wait();
  EXPECT_EQ(woken_, 0);
  event_.notify();
  run();
  EXPECT_EQ(woken_, 1);
}

TEST_F(EventTest, AWaiterThatIsCancelledReturns) {
  wait();
  tasks_.cancel();
  run();
  EXPECT_TRUE(tasks_.empty());
}

}  // namespace
}  // namespace base
