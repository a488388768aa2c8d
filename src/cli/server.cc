#include "cli/server.h"

#include <openssl/ssl.h>

#include <cstdlib>
#include <future>
#include <memory>
#include <thread>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "base/id.h"
#include "cli/server_profile.h"
#include "cli/tunnel.h"

namespace cli {

namespace asio = boost::asio;

namespace {

struct Given {
  std::string server;
  std::string token_file;
  std::string ca;
  bool plain = false;
};
Given given;  // NOLINT: one command runs per process.

// The threads that encrypt for commands that wait. They end before the process does, and before
// OpenSSL is taken down.
class Tunnels {
 public:
  Tunnels() = default;
  Tunnels(const Tunnels&) = delete;
  Tunnels& operator=(const Tunnels&) = delete;
  ~Tunnels() {
    for (Running& each : running_) each.io->stop();
    for (Running& each : running_) each.thread.join();
  }

  base::Result<base::Fd> open(const Server& server) {
    std::erase_if(running_, [](Running& each) {
      if (!each.io->stopped()) return false;
      each.thread.join();
      return true;
    });
    auto io = std::make_unique<asio::io_context>(1);
    std::promise<base::Result<base::Fd>> opened;
    asio::co_spawn(*io, open_tunnel(server),
                   [&](const std::exception_ptr& error, base::Result<base::Fd> socket) {
                     if (error)
                       opened.set_exception(error);
                     else
                       opened.set_value(std::move(socket));
                   });
    running_.push_back({std::move(io), {}});
    running_.back().thread = std::thread([io = running_.back().io.get()] { io->run(); });
    return opened.get_future().get();
  }

 private:
  struct Running {
    std::unique_ptr<asio::io_context> io;
    std::thread thread;
  };
  std::vector<Running> running_;
};

base::Result<std::string> token_for(const ServerAddress& address, std::filesystem::path& ca) {
  if (!given.token_file.empty()) return read_token_file(given.token_file);
  const char* const token = std::getenv("HOLDFAST_TOKEN");
  if (token != nullptr && *token != '\0') return token;
  auto profile = load_profile(address);
  if (!profile) return base::fail(profile.error());
  if (ca.empty()) ca = std::move(profile->ca);
  return std::move(profile->token);
}

}  // namespace

std::string ServerAddress::authority() const {
  const std::string name = host.contains(':') ? "[" + host + "]" : host;
  return port == (uses_tls ? "443" : "80") ? name : name + ":" + port;
}

std::string ServerAddress::url() const {
  return (uses_tls ? "https://" : "http://") + authority();
}

base::Result<ServerAddress> parse_server(const std::string& url) {
  const base::Error invalid{.code = base::Code::invalid_argument,
                            .what = "invalid server \"" + url + "\"",
                            .advice = "Write it as https://HOST, with :PORT if it has one."};
  std::string_view rest = url;
  ServerAddress address{.uses_tls = rest.starts_with("https://"), .host = {}, .port = {}};
  if (!address.uses_tls && !rest.starts_with("http://")) return base::fail(invalid);
  rest.remove_prefix(address.uses_tls ? 8 : 7);
  if (rest.ends_with('/')) rest.remove_suffix(1);
  const std::size_t bracket = rest.starts_with('[') ? rest.find(']') : 0;
  if (bracket == std::string_view::npos) return base::fail(invalid);
  const std::size_t colon = rest.find(':', bracket);
  address.host = rest.substr(0, colon);
  if (bracket > 0) address.host = address.host.substr(1, bracket - 1);
  address.port = colon == std::string_view::npos ? (address.uses_tls ? "443" : "80")
                                                 : std::string(rest.substr(colon + 1));
  const bool is_number =
      !address.port.empty() && address.port.find_first_not_of("0123456789") == std::string::npos;
  if (!is_number || address.host.empty() ||
      address.host.find_first_of("/?#@[] ") != std::string::npos)
    return base::fail(invalid);
  return address;
}

void add_server_options(const Arguments& command) {
  command
      .add_option("--server", given.server,
                  "Use the daemon at this address, such as https://build.example.org")
      .group(kElsewhere);
  command
      .add_option("--token-file", given.token_file,
                  "File with the token for --server; by default HOLDFAST_TOKEN, or what "
                  "`holdfast login` saved")
      .group(kElsewhere);
  command.add_option("--ca", given.ca, "File with the certificates to trust (PEM)")
      .group(kElsewhere);
  command
      .add_flag("--plain-http", given.plain,
                "Send the token even if the connection is not encrypted")
      .group(kElsewhere);
}

bool is_elsewhere() {
  return !given.server.empty();
}

base::Result<std::optional<Server>> given_server() {
  if (given.server.empty()) {
    if (given.token_file.empty() && given.ca.empty() && !given.plain) return std::nullopt;
    return base::fail(base::Code::invalid_argument,
                      "--token-file, --ca and --plain-http belong to --server",
                      "Add --server URL.");
  }
  auto address = parse_server(given.server);
  if (!address) return base::fail(address.error());
  std::filesystem::path ca = given.ca;
  auto token = token_for(*address, ca);
  if (!token) return base::fail(token.error());
  return Server{.address = *std::move(address),
                .token = *std::move(token),
                .ca = std::move(ca),
                .may_be_readable = given.plain};
}

base::Result<base::Fd> connect_to(const Server& server) {
  OPENSSL_init_ssl(0, nullptr);  // So that it is taken down after the threads that use it.
  static Tunnels tunnels;
  return tunnels.open(server);
}

}  // namespace cli
