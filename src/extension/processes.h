// Processes that the keeper holds for extensions and for `! command`: they outlive the runner and
// the daemon. Their output lies in their journals; the newest of it can be read at any time.
//
// Before it is destroyed, `stop` has been awaited. The processes stay.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/result.h"
#include "base/task_scope.h"
#include "session/extension_records.h"
#include "terminal/keeper_client.h"

namespace extension {

struct ProcessSpec {
  session::ExtensionKey owner;
  std::string name;
  std::vector<std::string> argv;
  std::vector<std::string> env;
  std::string cwd;
  keeper::Confinement confinement{};
  std::function<void(std::string_view)> on_output;  // Each new piece, as it comes.
};

struct ProcessInfo {
  std::string id;
  session::ExtensionKey owner;
  std::string name;
  std::string program{};  // As it was asked for.
  pid_t pid = 0;
  std::optional<int> exit_code;
};

class Processes {
 public:
  Processes(boost::asio::any_io_executor executor, terminal::KeeperClient& keeper)
      : executor_(executor), keeper_(keeper), tasks_(executor) {}

  // Takes over one that the keeper holds; false if it is none of these.
  boost::asio::awaitable<bool> adopt(terminal::ChildInfo info);
  boost::asio::awaitable<void> stop();
  // The keeper's word that one has ended.
  void child_exited(const terminal::ChildId& id, const terminal::ChildExit& exit);
  // After a lost connection to the keeper: what it holds no longer has ended with the last one.
  boost::asio::awaitable<void> look_again();

  boost::asio::awaitable<base::Result<ProcessInfo>> start(ProcessSpec spec);
  [[nodiscard]] const ProcessInfo* find(std::string_view id) const;
  [[nodiscard]] std::vector<ProcessInfo> all() const;
  [[nodiscard]] std::vector<ProcessInfo> of(const session::ExtensionKey& owner) const;
  // The newest of its output.
  [[nodiscard]] std::string output(std::string_view id) const;
  // Its exit code, when all its output has been read.
  boost::asio::awaitable<base::Result<int>> wait(std::string id);
  // Ends it if it runs, and forgets it.
  boost::asio::awaitable<base::Status> close(std::string id);
  boost::asio::awaitable<void> close_all(session::SessionId session);

 private:
  struct Process;
  using Pointer = std::shared_ptr<Process>;

  void follow(Pointer process, terminal::AttachedChild child);
  boost::asio::awaitable<void> read(Pointer process);

  boost::asio::any_io_executor executor_;
  terminal::KeeperClient& keeper_;
  base::TaskScope tasks_;
  std::map<std::string, Pointer, std::less<>> processes_;
};

}  // namespace extension
