// Splits long work on the loop into turns: after each turn, everything else runs first.

#pragma once

#include <chrono>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace base {

class Turn {
 public:
  // An echo takes about five iterations of the loop, and each may wait for one turn.
  static constexpr std::chrono::microseconds kLongest{100};

  explicit Turn(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}

  [[nodiscard]] bool is_over() const {
    return std::chrono::steady_clock::now() - began_ >= kLongest;
  }
  // Lets everything else run. Anything found before may be gone afterwards.
  boost::asio::awaitable<void> next() {
    co_await boost::asio::post(executor_, boost::asio::use_awaitable);
    began_ = std::chrono::steady_clock::now();
  }

 private:
  boost::asio::any_io_executor executor_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace base
