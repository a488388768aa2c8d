#include "keeper/loop.h"

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>

#include "base/test_clock.h"

namespace keeper {
namespace {

using std::chrono::milliseconds;

class LoopTest : public testing::Test {
 protected:
  static base::Fd event(std::uint64_t count = 1) {
    return base::Fd(::eventfd(static_cast<unsigned>(count), EFD_CLOEXEC | EFD_NONBLOCK));
  }
  void run_once() { ASSERT_TRUE(loop_.run_once()); }

  base::ManualClock clock_;
  Loop loop_ = std::move(Loop::create(clock_).value());
};

TEST_F(LoopTest, ALevelTriggeredWatchCallsAgainAnEdgeTriggeredOneOnce) {
  const base::Fd level = event();
  const base::Fd edge = event();
  int levels = 0;
  int edges = 0;
  ASSERT_TRUE(loop_.on_readable(level, [&] { ++levels; }));
  ASSERT_TRUE(loop_.on_readable(edge, [&] { ++edges; }, Loop::Trigger::edge));
  run_once();
  run_once();
  EXPECT_EQ(levels, 2);
  EXPECT_EQ(edges, 1);
  const std::uint64_t one = 1;
  ASSERT_EQ(::write(edge.get(), &one, sizeof one), 8);
  run_once();
  EXPECT_EQ(edges, 2) << "each write is an edge, even if nobody reads";
}

TEST_F(LoopTest, WhatACallbackRemovesIsNotCalledThoughItsEventWasFetched) {
  const base::Fd first = event();
  const base::Fd second = event();
  int calls = 0;
  Loop::Id ids[2]{};
  const auto remove_both = [&] {
    ++calls;
    loop_.unwatch(first, ids[0]);
    loop_.unwatch(second, ids[1]);
  };
  ids[0] = *loop_.on_readable(first, remove_both);
  ids[1] = *loop_.on_readable(second, remove_both);
  run_once();
  EXPECT_EQ(calls, 1);
}

TEST_F(LoopTest, TimersRunInOrderWhenTheyAreDue) {
  std::string order;
  (void)loop_.after(milliseconds(20), [&] { order += 'b'; });
  (void)loop_.after(milliseconds(10), [&] { order += 'a'; });
  Loop::Id never = loop_.after(milliseconds(15), [&] { order += 'x'; });
  loop_.cancel(never);
  const base::Fd awake = event();  // Keeps the loop from waiting for the manual clock.
  ASSERT_TRUE(loop_.on_readable(awake, [] {}));
  run_once();
  EXPECT_EQ(order, "");
  clock_.advance(milliseconds(10));
  run_once();
  EXPECT_EQ(order, "a");
  clock_.advance(milliseconds(10));
  run_once();
  EXPECT_EQ(order, "ab");
}

TEST_F(LoopTest, ATimerMaySetATimer) {
  int runs = 0;
  (void)loop_.after(milliseconds(0), [&] {
    ++runs;
    (void)loop_.after(milliseconds(5), [&] { ++runs; });
  });
  run_once();
  EXPECT_EQ(runs, 1);
  clock_.advance(milliseconds(5));
  run_once();
  EXPECT_EQ(runs, 2);
}

TEST_F(LoopTest, AClosedDescriptorIsAnError) {
  EXPECT_FALSE(loop_.on_readable(base::Fd(), [] {}));
}

}  // namespace
}  // namespace keeper
