#include "terminal/grace.h"

#include <utility>

namespace terminal {

Grace::Grace(boost::asio::any_io_executor executor, std::chrono::milliseconds time,
             std::function<void()> over)
    : time_(time), over_(std::move(over)), timer_(executor) {}

void Grace::start() {
  stop();
  if (time_.count() == 0) return;
  timer_.expires_after(time_);
  timer_.async_wait([this, number = *number_,
                     current = std::weak_ptr(number_)](const boost::system::error_code& error) {
    const auto now = current.lock();
    if (!error && now && *now == number) over_();
  });
}

void Grace::stop() {
  ++*number_;
  timer_.cancel();
}

}  // namespace terminal
