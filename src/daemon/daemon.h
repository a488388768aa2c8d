// The daemon: makes its parts, connects them, and starts and ends them in order. Nothing in it
// survives a restart: what must survive is in the keeper and in the store.

#pragma once

#include <memory>
#include <optional>
#include <string>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include "base/result.h"
#include "base/task_scope.h"
#include "daemon/become.h"
#include "daemon/control.h"
#include "daemon/file_limit.h"
#include "daemon/serve.h"
#include "extension/extensions.h"
#include "http/server.h"
#include "keeper_client/client.h"
#include "session/sessions.h"
#include "session/store.h"
#include "session/store_watch.h"

namespace holdfast {

class Daemon {
 public:
  Daemon(boost::asio::io_context& io, const ServeOptions& options, Inherited& inherited,
         session::Store store);

  // Serves until a signal, a takeover or an upgrade ends it. The keeper is running.
  boost::asio::awaitable<base::Status> run();
  // The program to run next, if the daemon ended for an upgrade.
  [[nodiscard]] std::optional<Successor> take_successor();

 private:
  boost::asio::awaitable<base::Status> open();
  base::Status use_tls();
  boost::asio::awaitable<void> close();
  boost::asio::awaitable<void> end_keeper();
  void leave();
  boost::asio::awaitable<bool> was_told_to_end();

  boost::asio::awaitable<void> reload_when_told();
  // All or nothing: an invalid configuration changes nothing.
  base::Status reload();
  // Another version of the keeper works too, but people should know.
  boost::asio::awaitable<void> look_at_keeper();
  // The old keeper's terminals are gone with it. New terminals need a new keeper.
  void replace_keeper() const;

  // From now on the keeper holds the socket. It hands it to the next daemon that asks for that
  // address.
  boost::asio::awaitable<base::Status> listen_for_successor(std::string address);
  // Closes the sockets of an earlier daemon, or of a successor that never started. Clients that
  // connect there would wait forever.
  boost::asio::awaitable<void> listen_for_nobody_else();
  // This daemon failed to start, and there may never be another one to accept connections.
  boost::asio::awaitable<void> let_go_of_listeners();

  [[nodiscard]] ServedCounts served() const;
  // On a terminal, prints a one-time sign-in link. Anything else may be a log, which must not hold
  // a credential.
  void say_address(const http::User& user) const;
  void say_ready(const std::string& address, const http::User& user);

  boost::asio::io_context& io_;
  ServeOptions options_;
  Inherited& inherited_;
  session::Store store_;
  boost::asio::signal_set signals_;
  boost::asio::signal_set reload_signal_;
  base::TaskScope tasks_;
  keeper::KeeperClient keeper_;
  session::Sessions sessions_;
  extension::Extensions extensions_;
  Control control_;
  std::unique_ptr<http::Server> server_;
  std::string keeper_version_;
  std::optional<std::string> successors_address_;  // Held open for a successor.
  bool leaving_ = false;
  bool quitting_ = false;  // The keeper and its terminals end too.
  FileLimit file_limit_;
  session::StoreWatch store_watch_{io_.get_executor(), store_,
                                   [this] { server_->end_withdrawn(); }};
};

}  // namespace holdfast
