// One runner process: started when it is first needed, found again when the daemon restarts, known
// by the connection it makes. Extensions owns it and says what is sent over that connection.

#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include "extension/node.h"
#include "extension/processes.h"
#include "extension/rpc.h"

namespace extension {

// The runner's program as it is installed: beside this one.
[[nodiscard]] std::filesystem::path runner_script();

struct RunnerSettings {
  std::string node = "node";
  std::filesystem::path script;
  std::filesystem::path socket;
  std::vector<std::string> environment;
  std::string directory = "/";
};

class Runner {
 public:
  // `only`: the session it is for; empty for the one that all others share. `started` is called
  // each time a process was started.
  Runner(boost::asio::any_io_executor executor, Processes& processes, RunnerSettings settings,
         std::string only, std::function<void(Runner&)> started);

  // The connection; waits until the process is there, and starts it if it does not run.
  boost::asio::awaitable<base::Result<std::shared_ptr<Rpc>>> ready();
  // The connection if there is one now.
  [[nodiscard]] const std::shared_ptr<Rpc>& link() const { return link_; }
  [[nodiscard]] const std::string& only() const { return only_; }
  // The name under which the keeper holds it.
  [[nodiscard]] static std::string process_name(const std::string& only);

  // A process of an earlier daemon, which is going to connect.
  void adopt(const ProcessInfo& process);
  void connected(std::shared_ptr<Rpc> link);
  void disconnected(const Rpc* link);
  // Waits for its end: why it ended.
  boost::asio::awaitable<std::string> ended();
  boost::asio::awaitable<void> kill();
  // Asks the Node that is set now which it is; what it runs on may be another.
  boost::asio::awaitable<base::Result<Node>> look_at_node();
  // Whether an earlier daemon started it by another setting.
  [[nodiscard]] bool has_other_node() const { return is_running() && node_ != settings_.node; }
  // The file of the Node it runs on; empty if that cannot be found out.
  [[nodiscard]] std::string running_node() const;
  // It runs on the Node that is set now, by whatever name.
  void accept_node() { node_ = settings_.node; }
  // What people should know of it.
  std::string remark;
  [[nodiscard]] bool is_running() const { return !process_.empty(); }
  [[nodiscard]] bool is_starting() const { return starting_; }
  // Whether this is the number of its process.
  [[nodiscard]] bool is(pid_t pid) const;

 private:
  boost::asio::awaitable<base::Status> start();
  boost::asio::awaitable<base::Result<ProcessInfo>> start_process(ProcessSpec spec);

  boost::asio::any_io_executor executor_;
  Processes& processes_;
  RunnerSettings settings_;
  std::string only_;
  std::function<void(Runner&)> started_;
  std::string process_;  // Its id; empty while none runs.
  std::string node_;     // The setting by which it was started.
  bool starting_ = false;
  std::optional<base::Error> failed_;  // Why the last start did not succeed.
  std::shared_ptr<Rpc> link_;
  boost::asio::steady_timer changed_;  // Never expires; cancelled when any of this changes.
};

}  // namespace extension
