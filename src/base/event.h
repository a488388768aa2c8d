// Something that coroutines wait for: a change of state that somebody else makes.
//
// Invariants
// 1. Only the thread that runs its executor uses it.
// 2. `notify` wakes those who wait at that moment. It leaves no trace for those who come later, so a
//    waiter checks the state it waits for, and waits again if it is not what it wants.

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
