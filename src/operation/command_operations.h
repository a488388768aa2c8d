// What can be asked about the commands of shells: which there were, and running one.

#pragma once

#include <chrono>
#include <memory>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "base/result.h"
#include "operation/command_requests.h"
#include "operation/target.h"
#include "operation/waiting.h"

namespace operation {

class CommandOperations {
 public:
  static constexpr std::chrono::seconds kPromptTime{10};  // For a shell that has just started.
  static constexpr std::chrono::milliseconds kInterruptTime{100};  // For a prompt after Ctrl-C.

  CommandOperations(session::Sessions& sessions, const Finder& finder, Waiting& waiting)
      : sessions_(sessions), finder_(finder), waiting_(waiting) {}

  // Also of a terminal that a reboot ended.
  boost::asio::awaitable<base::Result<CommandList>> list(Caller caller, Target target,
                                                         CommandsRequest request);
  // The output of the command that began at `start`, or of the last one. It may still run.
  [[nodiscard]] base::Result<CommandOutput> output(const Caller& caller, const Target& target,
                                                   std::optional<Offset> start = {});
  // Types a command at the shell's prompt, and waits for its end or for the timeout.
  boost::asio::awaitable<base::Result<Execution>> exec(Caller caller, Target target,
                                                       ExecRequest request);
  // More of its output, or its end.
  boost::asio::awaitable<base::Result<Execution>> follow(Caller caller, Target target,
                                                         FollowRequest request);

 private:
  using Deadline = Waiting::Deadline;
  struct Shell {
    std::string id;
    std::shared_ptr<terminal::Terminal> terminal;
  };
  boost::asio::awaitable<base::Status> reach_prompt(Shell shell, const Caller& caller,
                                                    Deadline deadline);
  // Returns the offset at which the command was typed.
  boost::asio::awaitable<base::Result<Offset>> type(Shell shell, const Caller& caller,
                                                    const ExecRequest& request, Deadline deadline);
  boost::asio::awaitable<base::Status> leave_incomplete(Shell shell, const Caller& caller,
                                                        std::string lease);

  session::Sessions& sessions_;
  const Finder& finder_;
  Waiting& waiting_;
};

}  // namespace operation
