#include "operation/waiting.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace operation {

namespace asio = boost::asio;
using asio::awaitable;

namespace {

base::Error closed() {
  return {.code = base::Code::not_found, .what = "the terminal was closed", .advice = ""};
}

base::Error restarting() {
  return {.code = base::Code::unavailable,
          .what = "the daemon is stopping",
          .advice = "Wait again with the same offset; nothing is missed."};
}

}  // namespace

awaitable<base::Status> Waiting::next(base::Event& event, Deadline deadline) {
  asio::steady_timer timer(executor_, deadline);
  using namespace boost::asio::experimental::awaitable_operators;
  (void)co_await (event.wait() || timer.async_wait(asio::as_tuple(asio::use_awaitable)) ||
                  interrupted_.wait());
  const auto state = co_await asio::this_coro::cancellation_state;
  if (state.cancelled() != asio::cancellation_type::none)
    co_return base::fail(base::Code::cancelled, "the client has disconnected");
  co_return base::Status{};
}

awaitable<base::Status> Waiting::next_progress(std::shared_ptr<terminal::Terminal> terminal,
                                               const Caller& caller, Deadline deadline) {
  if (is_stopping_) co_return base::fail(restarting());
  if (terminal->has_stopped()) co_return base::fail(closed());
  if (auto allowed = caller.permit.check(); !allowed) co_return base::fail(allowed.error());
  co_return co_await next(terminal->progress(), deadline);
}

}  // namespace operation
