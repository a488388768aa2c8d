// Calls when a time has come, by the clock on the wall.

#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/clock.h"

namespace http {

class Expiry {
 public:
  Expiry(boost::asio::any_io_executor executor, const base::Clock& clock)
      : timer_(executor), clock_(clock) {}
  Expiry(const Expiry&) = delete;
  Expiry& operator=(const Expiry&) = delete;

  // Calls at once if the time is over.
  void watch(base::WallTime until, std::function<void()> expired) {
    until_ = until;
    expired_ = std::make_shared<std::function<void()>>(std::move(expired));
    look();
  }
  void cancel() {
    expired_.reset();
    timer_.cancel();
  }

 private:
  // At least once a minute, because the clock may be changed.
  void look() {
    const auto left = until_ - clock_.wall();
    if (left <= left.zero()) return (*std::exchange(expired_, nullptr))();
    timer_.expires_after(std::min<std::chrono::nanoseconds>(left, std::chrono::minutes(1)));
    // A timer that has fired calls even if this object is gone by then, or was cancelled.
    timer_.async_wait([this, watched = std::weak_ptr(expired_)](const auto& error) {
      if (!error && watched.lock()) look();
    });
  }

  boost::asio::steady_timer timer_;
  const base::Clock& clock_;
  base::WallTime until_;
  std::shared_ptr<std::function<void()>> expired_;  // Null: nobody watches.
};

}  // namespace http
