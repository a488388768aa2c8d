// One runner process: started when it is first needed, found again when the daemon restarts, and
// identified by its connection. Extensions owns it and decides what is sent over that connection.

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

#include "base/event.h"
#include "extension/node.h"
#include "extension/processes.h"
#include "extension/rpc.h"

namespace extension {

// The runner's script, installed beside this program.
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
  // `only`: the session it is for; empty for the runner that all others share. Calls `started` each
  // time it has started a process.
  Runner(boost::asio::any_io_executor executor, Processes& processes, RunnerSettings settings,
         std::string only, std::function<void(Runner&)> started);

  // The connection. Starts the process if it is not running, and waits for it to connect.
  boost::asio::awaitable<base::Result<std::shared_ptr<Rpc>>> ready();
  // The current connection, if any.
  [[nodiscard]] const std::shared_ptr<Rpc>& connection() const { return connection_; }
  [[nodiscard]] const std::string& only() const { return only_; }
  // The name of its process in the keeper.
  [[nodiscard]] static std::string process_name(const std::string& only);

  // A process of an earlier daemon, which will connect.
  void adopt(const ProcessInfo& process);
  void connected(std::shared_ptr<Rpc> connection);
  void disconnected(const Rpc* connection);
  // Waits until it has exited and what it left behind is gone; returns why. Calls `exited` as soon
  // as it has.
  boost::asio::awaitable<std::string> ended(std::function<void()> exited);
  boost::asio::awaitable<void> kill();
  // Asks the configured Node for its version and path. The runner may be running on another one.
  boost::asio::awaitable<base::Result<Node>> look_at_node();
  // Whether an earlier daemon started it with another setting.
  [[nodiscard]] bool has_other_node() const { return is_running() && node_ != settings_.node; }
  // The file of the Node it runs on; empty if unknown.
  [[nodiscard]] std::string running_node() const;
  // It runs on the configured Node, under whatever name.
  void accept_node() { node_ = settings_.node; }
  // A remark for /help.
  std::string remark;
  [[nodiscard]] bool is_running() const { return !process_.empty(); }
  [[nodiscard]] bool is_starting() const { return starting_; }
  // Whether this is its pid.
  [[nodiscard]] bool has_pid(pid_t pid) const;

 private:
  boost::asio::awaitable<base::Status> start();
  boost::asio::awaitable<base::Result<ProcessInfo>> start_process(ProcessSpec spec);

  boost::asio::any_io_executor executor_;
  Processes& processes_;
  RunnerSettings settings_;
  std::string only_;
  std::function<void(Runner&)> started_;
  std::string process_;  // Its id; empty while none is running.
  std::string node_;     // The `node` setting it was started with.
  bool starting_ = false;
  std::optional<base::Error> failed_;  // Why the last start failed.
  std::shared_ptr<Rpc> connection_;
  base::Event changed_;  // Any of this.
};

}  // namespace extension
