#include "daemon/serve.h"

#include <csignal>
#include <map>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/log.h"
#include "base/task_scope.h"
#include "terminal/drain.h"
#include "terminal/keeper_start.h"

namespace holdfast {
namespace {

namespace asio = boost::asio;
using asio::awaitable;

class Daemon {
 public:
  Daemon(asio::io_context& io, const ServeOptions& options)
      : options_(options),
        signals_(io, SIGTERM, SIGINT),
        drains_(io.get_executor()),
        keeper_(io.get_executor(), options.config.runtime_dir,
                {.exited =
                     [](const terminal::ChildId& id, const terminal::ChildExit& exit) {
                       base::log(base::Level::info, "child exited",
                                 {{"id", id.str()},
                                  {"code", exit.status.code},
                                  {"signal", exit.status.signal}});
                     },
                 .let_go = [this](std::chrono::milliseconds) { signals_.cancel(); },
                 .lost = {},
                 .back = {},
                 .displaced = [this](const base::Error&) { signals_.cancel(); }}) {}

  awaitable<base::Status> run() {
    auto started = co_await keeper_.start(options_.takeover);
    if (started) {
      started = co_await adopt_children();
      if (started) co_await signals_.async_wait(asio::as_tuple(asio::use_awaitable));
      drains_.cancel();
      co_await drains_.join();
      // If this fails the keeper is gone or another daemon has taken over: nothing is left to let
      // go of.
      if (auto yielded = co_await keeper_.yield(); !yielded)
        base::log(base::Level::info, "nothing to let go of", {{"error", yielded.error()}});
      base::log(base::Level::info, "daemon ends; the keeper and its children go on");
    }
    co_await keeper_.stop();
    co_return started;
  }

 private:
  awaitable<base::Status> adopt_children() {
    auto children = co_await keeper_.list();
    if (!children) co_return base::fail(children.error());
    for (const terminal::ChildInfo& info : *children) {
      auto child = co_await keeper_.attach(info.id);
      if (!child) co_return base::fail(child.error());
      drains_.spawn([child = std::make_shared<terminal::AttachedChild>(std::move(
                         *child))]() -> awaitable<void> { co_await terminal::drain(child); });
    }
    base::log(base::Level::info, "daemon serves", {{"children", children->size()}});
    co_return base::Status{};
  }

  ServeOptions options_;
  asio::signal_set signals_;
  base::TaskScope drains_;
  terminal::KeeperClient keeper_;
};

}  // namespace

base::Status serve(const ServeOptions& options) {
  if (auto ensured =
          terminal::ensure_keeper(options.config.runtime_dir, terminal::keeper_program());
      !ensured)
    return base::fail(ensured.error());
  asio::io_context io;
  Daemon daemon(io, options);
  base::Status outcome;
  asio::co_spawn(
      io, [&daemon] { return daemon.run(); },
      [&outcome](const std::exception_ptr& error, base::Status status) {
        if (error) std::rethrow_exception(error);
        outcome = std::move(status);
      });
  io.run();
  return outcome;
}

}  // namespace holdfast
