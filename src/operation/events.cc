// Following what happens.

#include "operation/operations.h"

namespace operation {

using boost::asio::awaitable;

awaitable<base::Result<std::vector<ShownEvent>>> Operations::next_events(
    Caller caller, EventCursor& cursor, std::chrono::milliseconds time) {
  const auto deadline = std::chrono::steady_clock::now() + time;
  for (;;) {
    if (auto allowed = caller.permit.check(); !allowed) co_return base::fail(allowed.error());
    auto events = events_.take(caller.reach, cursor);
    if (!events.empty()) co_return events;
    if (waiting_.is_stopping())
      co_return base::fail(base::Code::unavailable, "the daemon is stopping",
                           "Connect again with the last event's id; nothing is missed.");
    if (deadline <= std::chrono::steady_clock::now()) co_return events;
    if (auto more = co_await waiting_.next(events_.changed(), deadline); !more)
      co_return base::fail(more.error());
  }
}

}  // namespace operation
