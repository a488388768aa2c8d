// The extensions of all sessions (docs/extensions.md), as the fronts see them. The code runs in the
// runner. The daemon owns identity, registrations, records and the log.
//
//   Runners              the processes that run the code, and their connections
//   ExtensionsBySession  what is known about each session's extensions
//   Loading              opening, reloading, closing; what happens when a worker dies
//   Events               what extensions hear, and what they decide
//   Agents               what agents of sessions do
//   CommandLine          what people type, with ShellCommands and Calls
//   RunnerApi            the runner's requests and reports
//
// Await `stop` before destroying it. The runner stays.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/json/value.hpp>

#include "base/clock.h"
#include "base/fd.h"
#include "base/result.h"
#include "base/task_scope.h"
#include "extension/agents.h"
#include "extension/command_line.h"
#include "extension/runner_api.h"
#include "extension/surface.h"
#include "session/sessions.h"

namespace extension {

class Extensions final : private session::Watcher {
 public:
  Extensions(boost::asio::any_io_executor executor, keeper::KeeperClient& keeper,
             session::Store& store, session::Sessions& sessions, Settings settings);
  Extensions(const Extensions&) = delete;
  Extensions& operator=(const Extensions&) = delete;

  // Accepts runners at that socket, adopts what the keeper holds for extensions, and opens sessions
  // in the background.
  boost::asio::awaitable<base::Status> start(base::Fd listener);
  boost::asio::awaitable<void> stop();
  // Everything is about to end: closes what extensions hold.
  boost::asio::awaitable<void> quit();
  void set_user_commands(std::size_t most) { shell_.set_most_per_user(most); }
  // The keeper's events.
  void child_exited(const keeper::ChildId& id, const keeper::ChildExit& exit);
  boost::asio::awaitable<void> look_again();

  [[nodiscard]] Agents& agents() { return agents_; }

  // From now on the surface shows only that session. Shows what was kept for it.
  void show(Surface& surface, const session::SessionRow& session);
  void hide(Surface& surface);
  // False if there is no such open question in reach.
  bool answer(const session::Reach& reach, const std::string& question, boost::json::value value);

  [[nodiscard]] std::vector<CommandInfo> commands(const session::SessionRow& session);
  [[nodiscard]] std::vector<std::pair<std::string, Tool>> tools(const session::SessionRow& session);
  [[nodiscard]] std::vector<session::ResourceRow> resources(const session::SessionRow& session);

  // `/command arguments` or `! shell command`. Both are finished even if the caller is gone.
  boost::asio::awaitable<base::Result<RunResult>> run(session::SessionRow session, std::string line,
                                                      Call call);
  boost::asio::awaitable<base::Result<boost::json::value>> call_tool(session::SessionRow session,
                                                                     std::string name,
                                                                     boost::json::value arguments,
                                                                     Call call);
  void cancel(const std::string& call);
  [[nodiscard]] std::string next_call() { return calls_.next_id(); }
  // Asks the extensions of the session that the user leaves. `cancelled` if one says no.
  boost::asio::awaitable<base::Status> switch_session(session::SessionRow from, std::string to,
                                                      session::Scope scope = {});
  boost::asio::awaitable<base::Status> close_resource(session::SessionRow session,
                                                      std::string extension, std::string key);

 private:
  [[nodiscard]] Runners::Handlers handlers();
  boost::asio::awaitable<void> before_close(session::SessionRow session);
  void terminal_created(const session::TerminalEntry& entry) override;
  void terminal_exited(const session::TerminalEntry& entry) override;
  void terminal_closed(const session::TerminalEntry& entry, session::CloseReason reason) override;
  void terminal_attached(const session::TerminalEntry& entry) override;
  void terminal_orphaned(const session::TerminalEntry& entry) override;
  void session_created(const session::SessionRow& session) override;
  void session_renamed(const session::SessionRow& session, const std::string& old_name) override;
  void session_closed(const session::SessionRow& session) override;

  keeper::KeeperClient& keeper_;
  session::Sessions& sessions_;
  const Settings settings_;
  base::SystemClock clock_;
  base::TaskScope tasks_;
  Processes processes_;
  ExtensionsBySession by_session_;
  Runners runners_;
  Loading loading_;
  Events events_;
  Agents agents_;
  Calls calls_;
  ShellCommands shell_;
  CommandLine command_line_;
  RunnerApi api_;
};

}  // namespace extension
