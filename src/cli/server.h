// The daemon elsewhere that a command was told to use with --server. Without --server, commands use
// the one of this account on this machine (cli/connect.h).

#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "cli/arguments.h"

namespace cli {

struct ServerAddress {
  bool uses_tls = true;
  std::string host;  // A name or an address, without brackets.
  std::string port;

  // As in the Host header.
  [[nodiscard]] std::string authority() const;
  [[nodiscard]] std::string url() const;
};

// https://HOST[:PORT] or http://HOST[:PORT].
[[nodiscard]] base::Result<ServerAddress> parse_server(const std::string& url);

struct Server {
  ServerAddress address;
  std::string token;
  std::filesystem::path ca;      // Whom to trust; empty: whom the system trusts.
  bool may_be_readable = false;  // The token may go over a network without TLS.
};

// What the options about a daemon elsewhere are called in a command's help.
inline constexpr const char* kElsewhere = "A daemon elsewhere";
// Adds --server and what belongs to it to a command.
void add_server_options(const Arguments& command);
// Whether the command that was given names a server.
[[nodiscard]] bool is_elsewhere();
// That server; none if it is the daemon on this machine.
[[nodiscard]] base::Result<std::optional<Server>> given_server();

// Waits until it is connected, over TLS if the address says so. What is written to the descriptor is
// then encrypted by a thread at its other end. Coroutines use cli/tunnel.h.
[[nodiscard]] base::Result<base::Fd> connect_to(const Server& server);

}  // namespace cli
