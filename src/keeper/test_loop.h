// A loop whose timers follow a clock that the test moves.

#pragma once

#include <gtest/gtest.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <chrono>
#include <concepts>
#include <cstdint>

#include "base/test_clock.h"
#include "keeper/loop.h"

namespace keeper {

class TestLoop {
 public:
  TestLoop() {
    const itimerspec every_millisecond{.it_interval = {0, 1'000'000}, .it_value = {0, 1'000'000}};
    EXPECT_EQ(::timerfd_settime(awake_.get(), 0, &every_millisecond, nullptr), 0);
    EXPECT_TRUE(loop_.on_readable(awake_, [this] {
      std::uint64_t ticks = 0;
      (void)!::read(awake_.get(), &ticks, sizeof ticks);
    }));
  }

  // What has happened by now, and the timers that are due.
  void run_once() { ASSERT_TRUE(loop_.run_once()); }
  // Runs until it holds. False if it does not for very long.
  bool run_until(std::predicate auto&& holds) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!holds()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      run_once();
    }
    return true;
  }
  // Lets that time pass for the timers.
  void pass(std::chrono::milliseconds time) {
    clock_.advance(time);
    run_once();
  }

  Loop& operator*() { return loop_; }

 private:
  base::ManualClock clock_;
  Loop loop_ = std::move(Loop::create(clock_).value());
  // Wakes the loop, which would otherwise wait for events alone: the clock does not move by itself.
  base::Fd awake_{::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)};
};

}  // namespace keeper
