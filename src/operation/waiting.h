// Waiting for what a terminal or the daemon does next. Nothing polls: each look follows an event.

#pragma once

#include <chrono>
#include <memory>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/event.h"
#include "base/result.h"
#include "operation/caller.h"
#include "terminal/terminal.h"

namespace operation {

class Waiting {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  explicit Waiting(boost::asio::any_io_executor executor)
      : executor_(executor), interrupted_(executor) {}

  // Ends everything that waits.
  void stop() {
    is_stopping_ = true;
    interrupted_.notify();
  }
  // Ends what waits with a permit that was withdrawn.
  void check_permits() { interrupted_.notify(); }
  [[nodiscard]] bool is_stopping() const { return is_stopping_; }

  // Returns when the event is notified, at the deadline, or when the waiter must look whether it may
  // go on. Fails if the client has disconnected.
  boost::asio::awaitable<base::Status> next(base::Event& event, Deadline deadline);
  // Returns when there is more output, at the deadline, or when the program has exited. Fails if the
  // caller cannot wait for this terminal any longer.
  boost::asio::awaitable<base::Status> next_progress(std::shared_ptr<terminal::Terminal> terminal,
                                                     const Caller& caller, Deadline deadline);

 private:
  boost::asio::any_io_executor executor_;
  base::Event interrupted_;
  bool is_stopping_ = false;
};

}  // namespace operation
