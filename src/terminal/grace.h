// How long a terminal that nobody looks at may stay.

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

namespace terminal {

class Grace {
 public:
  // `over` is called when the time is over. 0: it never is.
  Grace(boost::asio::any_io_executor executor, std::chrono::milliseconds time,
        std::function<void()> over);

  void set_time(std::chrono::milliseconds time) { time_ = time; }
  // Starts the time, or starts it again.
  void start();
  void stop();

 private:
  std::chrono::milliseconds time_;
  std::function<void()> over_;
  boost::asio::steady_timer timer_;
  // A cancelled timer may still fire, even when this is gone; the number tells it from the current
  // one.
  std::shared_ptr<std::uint64_t> number_ = std::make_shared<std::uint64_t>(0);
};

}  // namespace terminal
