// Processes that the keeper holds for extensions and for `! command`. They outlive the runner and
// the daemon. Their output is in their journals; the newest part can be read at any time.
//
// Await `stop` before destroying it. The processes stay.

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
#include "keeper_client/client.h"
#include "session/extension_records.h"

namespace extension {

struct ProcessSpec {
  session::ExtensionKey owner;
  std::string name;
  std::vector<std::string> argv;
  std::vector<std::string> env;
  std::string cwd;
  keeper::Confinement confinement{};
  std::function<void(std::string_view)> on_output;  // Called with new output.
};

struct ProcessInfo {
  std::string id;
  session::ExtensionKey owner;
  std::string name;
  std::string program{};  // As requested.
  pid_t pid = 0;
  std::optional<int> exit_code;
};

class Processes {
 public:
  Processes(boost::asio::any_io_executor executor, keeper::KeeperClient& keeper)
      : executor_(executor), keeper_(keeper), tasks_(executor) {}

  // Adopts a child of the keeper; false if it is not one of these processes.
  boost::asio::awaitable<bool> adopt(keeper::ChildInfo info);
  boost::asio::awaitable<void> stop();
  // The keeper reports that one has exited.
  void child_exited(const keeper::ChildId& id, const keeper::ChildExit& exit);
  // After a lost connection to the keeper: drops what the keeper no longer holds, which was lost
  // with the previous keeper.
  boost::asio::awaitable<void> look_again();

  boost::asio::awaitable<base::Result<ProcessInfo>> start(ProcessSpec spec);
  [[nodiscard]] const ProcessInfo* find(std::string_view id) const;
  [[nodiscard]] std::vector<ProcessInfo> all() const;
  [[nodiscard]] std::vector<ProcessInfo> of(const session::ExtensionKey& owner) const;
  // The newest part of its output.
  [[nodiscard]] std::string output(std::string_view id) const;
  // Waits for its exit code, until all its output has been read.
  boost::asio::awaitable<base::Result<int>> wait(std::string id);
  // Ends it if it runs, and forgets it.
  boost::asio::awaitable<base::Status> close(std::string id);
  boost::asio::awaitable<void> close_all(session::SessionId session);
  // The same in the background: now, or once it has ended by itself.
  void close_soon(std::string id);
  void close_when_ended(std::string id);

 private:
  struct Process;
  using Pointer = std::shared_ptr<Process>;

  void follow(Pointer process, keeper::AttachedChild child);
  boost::asio::awaitable<void> read(Pointer process);

  boost::asio::any_io_executor executor_;
  keeper::KeeperClient& keeper_;
  base::TaskScope tasks_;
  std::map<std::string, Pointer, std::less<>> processes_;
};

}  // namespace extension
