// The runner processes: which session uses which, and which connection is whose.
//
// Invariants
// 1. A connection may call `hello` only, until the kernel has confirmed that it comes from the
//    process that the keeper holds as that runner. What is not a runner is never handed on.
// 2. A runner has at most one connection. One that the keeper does not hold is ended.
// 3. Await `stop` before destroying it. The processes stay.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "base/fd.h"
#include "base/result.h"
#include "base/task_scope.h"
#include "extension/processes.h"
#include "extension/rpc.h"
#include "extension/runner.h"
#include "extension/settings.h"

namespace extension {

class Runners {
 public:
  using Answer = base::Result<boost::json::value>;
  using Object = boost::json::object;
  // What others do when a runner says something, or ends.
  struct Handlers {
    // It connects and tells of its sessions. Has to call `Runner::connected`.
    std::function<void(Runner& runner, const std::shared_ptr<Rpc>& connection,
                       const std::vector<Object>& sessions)>
        hello;
    std::function<boost::asio::awaitable<Answer>(std::string method, Object params)> request;
    std::function<void(std::string_view method, const Object& params)> notification;
    // It has exited, and `ended` follows when what it left behind is gone.
    std::function<void(Runner& runner)> exited;
    std::function<void(Runner& runner, const std::string& why)> ended;
  };

  Runners(boost::asio::any_io_executor executor, Processes& processes, const Settings& settings,
          Handlers handlers);

  // A runner that an earlier daemon started; false if the process is none.
  bool adopt(const ProcessInfo& process);
  // Accepts connections until `stop`.
  void accept_at(base::Fd listener);
  boost::asio::awaitable<void> stop();
  // Serves a connection from that process until it ends.
  void serve(Rpc::Socket socket, pid_t peer);

  // The runner of that session; made if there is none, but not started.
  [[nodiscard]] Runner& of(const session::SessionRow& session);
  // Null if there is none.
  [[nodiscard]] Runner* find(const session::SessionRow& session);
  [[nodiscard]] bool is_for(const Runner& runner, const session::SessionRow& session) const;
  [[nodiscard]] std::vector<Runner*> all() const;
  // Ends the process that only this session used, if there is one.
  void end_own(const session::SessionId& session);
  void notify_all(std::string_view method, const Object& params) const;

 private:
  boost::asio::awaitable<void> accept(base::Fd listener);
  boost::asio::awaitable<void> run(std::shared_ptr<Rpc> connection);
  boost::asio::awaitable<Answer> request(std::weak_ptr<Rpc> connection, pid_t peer,
                                         std::string method, Object params);
  [[nodiscard]] Answer hello(const std::shared_ptr<Rpc>& connection, pid_t peer,
                             const Object& params);
  [[nodiscard]] bool is_from_runner(const std::weak_ptr<Rpc>& connection) const;
  [[nodiscard]] std::string only(const session::SessionRow& session) const;
  [[nodiscard]] Runner& named(const std::string& only);
  void watch(Runner& runner);

  boost::asio::any_io_executor executor_;
  Processes& processes_;
  const Settings& settings_;
  Handlers handlers_;
  base::TaskScope tasks_;
  base::TaskScope serving_;  // Each ends when its connection is closed.
  std::set<std::shared_ptr<Rpc>> connections_;
  // By `only`: the session's id, or empty for the shared one.
  std::map<std::string, std::unique_ptr<Runner>, std::less<>> runners_;
};

}  // namespace extension
