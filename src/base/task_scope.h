// TaskScope owns coroutines. They belong to the owner of the scope (a connection, a terminal) and
// end with it: cancel, then join, then destroy. Nothing is spawned `detached` anywhere else.
//
// Invariants
// 1. A scope is used from one thread: the one that runs its executor.
// 2. A scope must be empty when it is destroyed; `join` empties it.
// 3. After `cancel`, every task sees operation_aborted at its current and later awaits, and no
//    new task starts.
// 4. An exception that leaves a task is a bug and is rethrown by `join`, unless it says that the
//    task was cancelled.
//
// A task takes values or owners, never references or views. Pass the lambda itself to `spawn`, not
// its result: the scope keeps the lambda and its captures alive until the coroutine has ended.

#pragma once

#include <cassert>
#include <exception>
#include <list>
#include <memory>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include "base/event.h"

namespace base {

class TaskScope {
 public:
  explicit TaskScope(boost::asio::any_io_executor executor)
      : executor_(executor), emptied_(executor) {}
  TaskScope(const TaskScope&) = delete;
  TaskScope& operator=(const TaskScope&) = delete;
  ~TaskScope() { assert(tasks_.empty() && "join a TaskScope before destroying it"); }

  // Starts `task`, a callable that returns awaitable<void>. Ignored after cancel.
  template <class Task>
  void spawn(Task task) {
    if (cancelled_) return;
    const auto self = tasks_.emplace(tasks_.end());
    boost::asio::co_spawn(
        executor_, std::move(task),
        boost::asio::bind_cancellation_slot(
            self->slot(), [this, self](std::exception_ptr error) { finished(self, error); }));
  }

  void cancel() {
    cancelled_ = true;
    // A task may end and leave the list while its signal is emitted.
    for (auto task = tasks_.begin(); task != tasks_.end();)
      (task++)->emit(boost::asio::cancellation_type::terminal);
  }

  // Waits until every task has ended.
  boost::asio::awaitable<void> join() {
    // The timer is cancelled when the last task ends or when the joiner itself is cancelled.
    while (!tasks_.empty()) {
      co_await emptied_.wait();
      const auto state = co_await boost::asio::this_coro::cancellation_state;
      if (state.cancelled() != boost::asio::cancellation_type::none) break;
    }
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

  [[nodiscard]] bool empty() const { return tasks_.empty(); }

 private:
  using Tasks = std::list<boost::asio::cancellation_signal>;

  void finished(Tasks::iterator task, const std::exception_ptr& error) {
    tasks_.erase(task);
    if (error && !is_cancellation(error) && !failure_) failure_ = error;
    if (tasks_.empty()) emptied_.notify();
  }

  static bool is_cancellation(const std::exception_ptr& error) {
    try {
      std::rethrow_exception(error);
    } catch (const boost::system::system_error& caught) {
      return caught.code() == boost::asio::error::operation_aborted;
    } catch (...) {
      return false;
    }
  }

  boost::asio::any_io_executor executor_;
  Event emptied_;
  Tasks tasks_;
  std::exception_ptr failure_;
  bool cancelled_ = false;
};

}  // namespace base
