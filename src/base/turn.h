// Long work on the loop, cut into turns: whoever has worked for long enough lets everything else go
// first.

#pragma once

#include <chrono>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace base {

class Turn {
 public:
  // An echo takes about five turns of the loop, and each of them may wait for one of these.
  static constexpr std::chrono::microseconds kLongest{100};

  explicit Turn(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}

  [[nodiscard]] bool is_over() const {
    return std::chrono::steady_clock::now() - began_ >= kLongest;
  }
  // Everybody else's turn. What was found before it may be gone after it.
  boost::asio::awaitable<void> next() {
    co_await boost::asio::post(executor_, boost::asio::use_awaitable);
    began_ = std::chrono::steady_clock::now();
  }

 private:
  boost::asio::any_io_executor executor_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace base
