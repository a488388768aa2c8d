// Wakes the one coroutine that waits at it. Nothing is remembered: who wakes looks what there is to
// do, and who looks before it waits misses nothing.
//
// Invariants
// 1. It is used from one thread: the one that runs its executor.
// 2. One coroutine waits at a time. A TaskScope's cancel does not end the wait; a ring does.

#pragma once

#include <cassert>
#include <functional>
#include <memory>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace base {

class Doorbell {
 public:
  explicit Doorbell(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}
  Doorbell(const Doorbell&) = delete;
  Doorbell& operator=(const Doorbell&) = delete;

  // Until it is rung.
  boost::asio::awaitable<void> wait() {
    assert(!waiter_ && "one coroutine waits at a doorbell");
    return boost::asio::async_initiate<const boost::asio::use_awaitable_t<>, void()>(
        [this](auto handler) {
          auto kept = std::make_shared<decltype(handler)>(std::move(handler));
          waiter_ = [kept] { std::move (*kept)(); };
        },
        boost::asio::use_awaitable);
  }

  // The one who waits goes on soon, after what runs now.
  void ring() {
    if (waiter_) boost::asio::post(executor_, std::exchange(waiter_, nullptr));
  }
  // It goes on before this returns, as far as its next wait. For a caller that has nothing half
  // done.
  void ring_at_once() {
    if (const auto waiter = std::exchange(waiter_, nullptr)) waiter();
  }

 private:
  boost::asio::any_io_executor executor_;
  std::function<void()> waiter_;
};

}  // namespace base
