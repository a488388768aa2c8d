// A change of state that coroutines wait for and others make.
//
// Invariants
// 1. Only the thread that runs its executor uses it.
// 2. `notify` wakes the coroutines that wait at that moment, and leaves no trace for later ones. So
//    a waiter checks the state that it waits for, and waits again if it has not come.

#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace base {

class Event {
 public:
  explicit Event(boost::asio::any_io_executor executor)
      : timer_(executor, boost::asio::steady_timer::time_point::max()) {}

  void notify() { timer_.cancel(); }

  // Returns when notified, and also when the waiting task is cancelled.
  [[nodiscard]] auto wait() {
    return timer_.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
  }

 private:
  boost::asio::steady_timer timer_;  // Never expires. Cancelling it wakes all who wait.
};

}  // namespace base
