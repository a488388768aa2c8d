#include "base/task_scope.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

namespace base {
namespace {

namespace asio = boost::asio;
using asio::awaitable;
using asio::use_awaitable;

// Lets everything that is ready run first.
awaitable<void> step_aside() {
  co_await asio::post(co_await asio::this_coro::executor, use_awaitable);
}

awaitable<void> wait_for_ever() {
  asio::steady_timer never(co_await asio::this_coro::executor,
                           asio::steady_timer::time_point::max());
  co_await never.async_wait(use_awaitable);
}

// Runs `body` as the only root task and lets it finish.
template <class Body>
void run(asio::io_context& io, Body body) {
  std::exception_ptr failure;
  asio::co_spawn(io, std::move(body), [&failure](std::exception_ptr error) { failure = error; });
  io.run();
  if (failure) std::rethrow_exception(failure);
}

TEST(TaskScopeTest, JoinWaitsForEveryTask) {
  asio::io_context io;
  TaskScope scope(io.get_executor());
  int done = 0;
  run(io, [&]() -> awaitable<void> {
    for (int i = 0; i < 10; ++i)
      scope.spawn([&done, i]() -> awaitable<void> {
        for (int step = 0; step < i; ++step) co_await step_aside();
        ++done;
      });
    co_await scope.join();
    EXPECT_EQ(done, 10);
  });
  EXPECT_TRUE(scope.empty());
}

TEST(TaskScopeTest, JoiningAnEmptyScopeReturns) {
  asio::io_context io;
  TaskScope scope(io.get_executor());
  run(io, [&]() -> awaitable<void> { co_await scope.join(); });
}

TEST(TaskScopeTest, CancelEndsTasksThatWouldWaitForEver) {
  asio::io_context io;
  TaskScope scope(io.get_executor());
  const auto captured = std::make_shared<int>(0);
  int waiting = 0;
  run(io, [&]() -> awaitable<void> {
    for (int i = 0; i < 3; ++i)
      scope.spawn([captured, &waiting]() -> awaitable<void> {
        ++waiting;
        for (;;) co_await wait_for_ever();
      });
    while (waiting < 3) co_await step_aside();
    scope.cancel();
    scope.spawn([captured]() -> awaitable<void> { co_await wait_for_ever(); });
    co_await scope.join();
  });
  EXPECT_TRUE(scope.empty());
  EXPECT_EQ(captured.use_count(), 1) << "a task's captures are destroyed with the task";
}

TEST(TaskScopeTest, CancelBeforeTheFirstStepIsStillACancel) {
  asio::io_context io;
  TaskScope scope(io.get_executor());
  run(io, [&]() -> awaitable<void> {
    scope.spawn([]() -> awaitable<void> { co_await wait_for_ever(); });
    scope.cancel();
    co_await scope.join();
  });
  EXPECT_TRUE(scope.empty());
}

TEST(TaskScopeTest, JoinRethrowsABug) {
  asio::io_context io;
  TaskScope scope(io.get_executor());
  EXPECT_THROW(run(io,
                   [&]() -> awaitable<void> {
                     scope.spawn([]() -> awaitable<void> {
                       throw std::logic_error("bug");
                       co_return;
                     });
                     co_await scope.join();
                   }),
               std::logic_error);
}

TEST(TaskScopeTest, ATaskMaySpawnAnother) {
  asio::io_context io;
  TaskScope scope(io.get_executor());
  bool inner = false;
  run(io, [&]() -> awaitable<void> {
    scope.spawn([&]() -> awaitable<void> {
      scope.spawn([&inner]() -> awaitable<void> {
        inner = true;
        co_return;
      });
      co_return;
    });
    co_await scope.join();
  });
  EXPECT_TRUE(inner);
}

}  // namespace
}  // namespace base
