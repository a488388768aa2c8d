// Shell commands that people type (`! make`). Extensions decide about each, then it runs as a
// process that the keeper holds.
//
// Invariants
// 1. A user runs at most so many at once, counting those that extensions still decide about.
// 2. A command that is cancelled never starts, or its process is ended.
// 3. A command that an extension has taken over never runs here, whatever becomes of the extension.

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/json/value.hpp>

#include "base/event.h"
#include "base/result.h"
#include "extension/calls.h"
#include "extension/events.h"
#include "extension/loading.h"
#include "extension/processes.h"
#include "extension/session_extensions.h"
#include "session/sessions.h"

namespace extension {

// The result of a line that somebody typed.
struct RunResult {
  std::optional<std::string> text;
  std::optional<int> exit_code;
  std::optional<std::string> session;  // The client should switch to it.
};

class ShellCommands {
 public:
  // All of them outlive it.
  ShellCommands(boost::asio::any_io_executor executor, Processes& processes,
                session::Sessions& sessions, Loading& loading, Calls& calls, Events& events,
                std::size_t most_per_user)
      : executor_(executor),
        processes_(processes),
        sessions_(sessions),
        loading_(loading),
        calls_(calls),
        events_(events),
        most_per_user_(most_per_user) {}

  void set_most_per_user(std::size_t most) { most_per_user_ = most; }
  boost::asio::awaitable<base::Result<RunResult>> run(SessionExtensionsPtr extensions,
                                                      std::string command, Call call);
  // Does nothing if that call is no shell command.
  void cancel(const std::string& call);

 private:
  struct Running {
    std::string process;  // Its id; empty until it was started.
    bool is_cancelled = false;
    base::Event cancelled;
  };
  using RunningPtr = std::shared_ptr<Running>;

  static boost::asio::awaitable<void> until_cancelled(RunningPtr running);
  boost::asio::awaitable<base::Result<RunResult>> decide_and_run(SessionExtensionsPtr extensions,
                                                                 std::string command, Call call,
                                                                 RunningPtr running);
  boost::asio::awaitable<base::Result<boost::json::value>> ask_about(
      SessionExtensionsPtr extensions, std::string command, std::string call, RunningPtr running);
  boost::asio::awaitable<base::Result<RunResult>> run_by_extension(SessionExtensionsPtr extensions,
                                                                   std::string command, Call call,
                                                                   RunningPtr running);
  boost::asio::awaitable<base::Result<RunResult>> run_process(ProcessSpec spec, RunningPtr running);

  boost::asio::any_io_executor executor_;
  Processes& processes_;
  session::Sessions& sessions_;
  Loading& loading_;
  Calls& calls_;
  Events& events_;
  std::size_t most_per_user_;
  std::map<std::string, RunningPtr> running_;        // By call.
  std::map<session::UserId, std::size_t> per_user_;  // Never 0.
};

}  // namespace extension
