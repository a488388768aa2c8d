// The loop of a test's daemon, with a keeper that takes requests between its turns.

#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "session/test_keeper.h"

namespace session {

class TestLoop {
 protected:
  template <class T>
  using Answer = std::shared_ptr<std::optional<T>>;  // None until it is there.

  explicit TestLoop(const std::filesystem::path& dir) : keeper_(dir) {}

  // Runs the loop, and lets the keeper take requests, until `condition` holds.
  void run_until(const std::function<bool()>& condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!condition() && std::chrono::steady_clock::now() < deadline) {
      io_.restart();
      io_.run_one_for(std::chrono::milliseconds(1));
      keeper_.look();
    }
    EXPECT_TRUE(condition());
  }
  // Runs everything that can run without another answer of the keeper.
  void settle() {
    std::size_t ran = 1;
    for (std::size_t before = 0; ran > 0 || keeper_.open_requests() != before;) {
      before = keeper_.open_requests();
      io_.restart();
      ran = io_.poll();
      keeper_.look();
    }
  }
  template <class T>
  Answer<T> start(boost::asio::awaitable<T> work) {
    auto answer = std::make_shared<std::optional<T>>();
    boost::asio::co_spawn(io_, std::move(work),
                          [answer](const std::exception_ptr& thrown, T value) {
                            EXPECT_EQ(thrown, nullptr);
                            *answer = std::move(value);
                          });
    settle();
    return answer;
  }
  // Runs it to its end.
  void finish(boost::asio::awaitable<void> work) {
    bool is_over = false;
    boost::asio::co_spawn(io_, std::move(work), [&](const std::exception_ptr& thrown) {
      EXPECT_EQ(thrown, nullptr);
      is_over = true;
    });
    run_until([&] { return is_over; });
  }
  keeper::Message asked(keeper::Tag tag) {
    run_until([&] { return keeper_.was_asked(tag); });
    return keeper_.take(tag);
  }
  void list() { keeper_.list(asked(keeper::Tag::list)); }

  boost::asio::io_context io_;
  TestKeeper keeper_;
};

}  // namespace session
