// Finishes work even if its caller is gone.

#pragma once

#include <functional>
#include <memory>
#include <optional>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/event.h"
#include "base/result.h"
#include "base/task_scope.h"

namespace extension {

// The work runs in `tasks`. A caller that is cancelled gets `unavailable`; the work goes on.
template <class T>
boost::asio::awaitable<base::Result<T>> to_the_end(
    base::TaskScope& tasks, std::function<boost::asio::awaitable<base::Result<T>>()> work) {
  struct Shared {
    std::optional<base::Result<T>> result;
    base::Event done;  // There is a result.
  };
  const auto executor = co_await boost::asio::this_coro::executor;
  const auto shared = std::make_shared<Shared>(Shared{.result = {}, .done = base::Event(executor)});
  tasks.spawn([shared, work]() -> boost::asio::awaitable<void> {
    shared->result = co_await work();
    shared->done.notify();
  });
  while (!shared->result) {
    co_await shared->done.wait();
    const auto state = co_await boost::asio::this_coro::cancellation_state;
    if (state.cancelled() != boost::asio::cancellation_type::none)
      co_return base::fail(base::Code::unavailable, "the caller is gone");
  }
  co_return *std::move(shared->result);
}

}  // namespace extension
