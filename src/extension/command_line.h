// Lines that people type in a session: commands of extensions, built-in ones, and shell commands.
// Also tools, which programs call.
//
// Invariants
// 1. A line waits until the session's extensions are there. Whether the caller still may is checked
//    after that wait.
// 2. A command goes to the generation of the code that offers it.

#pragma once

#include <string>

#include <boost/asio/awaitable.hpp>
#include <boost/json/value.hpp>

#include "base/result.h"
#include "extension/calls.h"
#include "extension/events.h"
#include "extension/loading.h"
#include "extension/runners.h"
#include "extension/session_extensions.h"
#include "extension/shell_commands.h"
#include "session/sessions.h"

namespace extension {

class CommandLine {
 public:
  // All of them outlive it.
  CommandLine(Loading& loading, Runners& runners, Calls& calls, ShellCommands& shell,
              Events& events, session::Sessions& sessions, const Settings& settings);

  // `/command arguments` or `! shell command`.
  boost::asio::awaitable<base::Result<RunResult>> run(SessionExtensionsPtr extensions,
                                                      std::string line, Call call);
  boost::asio::awaitable<base::Result<boost::json::value>> run_tool(SessionExtensionsPtr extensions,
                                                                    std::string name,
                                                                    boost::json::value arguments,
                                                                    Call call);

 private:
  using Outcome = boost::asio::awaitable<base::Result<RunResult>>;
  Outcome run_command(SessionExtensionsPtr extensions, std::string line, Call call);
  Outcome reload(SessionExtensionsPtr extensions);
  Outcome disable(SessionExtensionsPtr extensions, std::string name);
  Outcome make_session(SessionExtensionsPtr extensions, std::string args, session::Scope scope);
  Outcome switch_session(SessionExtensionsPtr extensions, std::string name, session::Scope scope);
  Outcome clean_up(SessionExtensionsPtr extensions, std::string key, Call call);
  [[nodiscard]] RunResult help(const SessionExtensions& extensions) const;
  [[nodiscard]] std::string unused_name(const session::UserId& user);

  Loading& loading_;
  Runners& runners_;
  Calls& calls_;
  ShellCommands& shell_;
  Events& events_;
  session::Sessions& sessions_;
  const Settings& settings_;
};

}  // namespace extension
