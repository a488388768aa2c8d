// What a program printed, as plain text.

#include "base/turn.h"
#include "operation/output_operations.h"
#include "operation/plain_output.h"

namespace operation {

namespace asio = boost::asio;

namespace {

constexpr std::size_t kAtOnce = 16 * 1024;

}  // namespace

asio::awaitable<base::Result<Printed>> OutputOperations::read(Caller caller, Target target,
                                                              ReadRequest request) {
  const auto found = finder_.find_alive(caller, target);
  if (!found) co_return base::fail(found.error());
  const std::shared_ptr<terminal::Terminal> terminal = *found;
  const terminal::Stream& stream = terminal->stream();
  const Offset end = terminal->mark();
  if (auto there = has_reached(request.since, end); !there) co_return base::fail(there.error());
  const Offset until = std::min<Offset>(end, request.since + request.most);
  PlainOutput text(request.since);
  base::Turn turn(executor_);
  while (text.position() < until) {
    const Offset at = text.position();
    const auto bytes = stream.copy(at, std::min<std::size_t>(kAtOnce, until - at));
    if (!bytes) co_return base::fail(overwritten(at, stream.begin()));
    text.feed(*bytes);
    if (turn.is_over()) co_await turn.next();
  }
  // A line that goes on is read the next time, unless it is all there is.
  const bool is_cut = until < end && text.line_begin() > request.since;
  if (!is_cut) text.end();
  co_return Printed{.text = text.take(), .offset = is_cut ? text.line_begin() : until, .end = end};
}

}  // namespace operation
