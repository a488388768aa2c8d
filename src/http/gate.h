// Who gets in: the checks that every request passes first.
//
// - Host, against a page whose own name points here (DNS rebinding).
// - Origin, against a page of another site that uses the browser's cookie.
// - The credential. Every secret has at least 32 characters, so none can be guessed.

#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/jwt.h"
#include "http/sign_ins.h"
#include "http/user.h"
#include "http/websocket.h"
#include "session/store.h"

namespace http {

struct GateSettings {
  std::string listening;  // ADDRESS:PORT, as bound.
  std::vector<std::string> allowed_hosts;
  std::vector<std::string> allowed_origins;
  std::string default_token;  // HOLDFAST_TOKEN, or empty.
  User default_user;
  std::shared_ptr<const JwtVerifier> jwt{};  // Null: JSON Web Tokens are refused.
  std::string user_header{};                 // Where a proxy names the user; empty: nowhere.
  std::string proxy_secret{};                // How the proxy proves itself.
  // If set, a client on the Unix socket is the user named after its account, if the uid is at least
  // this.
  std::optional<uid_t> least_account{};
  std::chrono::milliseconds sign_in_lifetime{std::chrono::hours(24 * 30)};
  // How long a connection lasts if a proxy or a JSON Web Token vouched for its user.
  std::chrono::milliseconds vouched_lifetime{std::chrono::hours(12)};
};

// Whether to believe what a proxy says about its clients.
enum class Proxy { none, trusted };

// Where a request came from: the network, or an account of this machine over a Unix socket.
struct Peer {
  std::optional<uid_t> user;
  std::string address{};   // For logs and limits; empty where it does not matter.
  bool is_secure = false;  // Whether the connection uses TLS.
  // Whether it came from a loopback address of this machine to another.
  bool is_loopback = false;
};

// The client behind a trusted proxy.
[[nodiscard]] Peer forwarded(const Request& request, Peer proxy);
// What the peer is counted under before it has signed in: its account or its address.
[[nodiscard]] std::string limit_key(const Peer& peer);
// Whether the peer is the daemon's own account, or root. Such a peer may do everything.
[[nodiscard]] bool is_trusted(const Peer& peer);

class Gate {
 public:
  Gate(GateSettings settings, session::Store& store);

  // Takes effect at once, except for the listening address and whether accounts are users.
  void change(GateSettings settings);

  // A program on this machine may use the loopback names with any port: that is how it sees a
  // tunnel. No page can have its own name turned into one of these.
  [[nodiscard]] bool host_is_right(std::string_view host, const Peer& peer) const;
  // `origin` is empty for programs other than browsers.
  [[nodiscard]] bool origin_is_right(std::string_view origin, std::string_view host,
                                     const Peer& peer) const;
  // Whether one of the daemon's own pages made the request.
  [[nodiscard]] bool is_from_own_page(const Request& request, const Peer& peer) const;
  // None if the request identifies nobody; an error if the store cannot be read now.
  [[nodiscard]] base::Result<std::optional<User>> user_of(const Request& request,
                                                          const Peer& peer) const;
  // Whether the request has a token or a proxy's secret, right or wrong.
  [[nodiscard]] bool has_credential(const Request& request) const;
  [[nodiscard]] base::Result<std::optional<User>> user_of_token(std::string_view token) const;
  // The user of a link's code, which works once. None if it was used, has expired, or never
  // existed.
  [[nodiscard]] base::Result<std::optional<User>> user_of_code(std::string_view code) const;
  // Whether the browser has a sign-in's cookie. Use it only for the look of a page: every port of
  // the host gets the cookie.
  [[nodiscard]] bool has_sign_in(const Request& request, const Peer& peer) const;
  [[nodiscard]] std::string cookie_name(const Request& request, const Peer& peer) const;

  // Whether the user's credential is still valid.
  [[nodiscard]] bool still_lets_in(const User& user) const;

  [[nodiscard]] const SignIns& sign_ins() const { return sign_ins_; }
  [[nodiscard]] session::Store& store() const { return store_; }
  [[nodiscard]] const GateSettings& settings() const { return settings_; }

 private:
  [[nodiscard]] base::Result<std::optional<User>> user_of_jwt(std::string_view token) const;
  [[nodiscard]] base::Result<std::optional<User>> user_of_proxy(const Request& request) const;
  [[nodiscard]] base::Result<std::optional<User>> user_of_sign_in(const Request& request,
                                                                  const Peer& peer) const;
  // A user that a trusted party vouches for.
  [[nodiscard]] base::Result<std::optional<User>> user_called(const std::string& name,
                                                              Credential credential) const;
  // Takes away what the token does not allow. False if it is no longer valid.
  [[nodiscard]] base::Result<bool> narrow(User& user, const session::TokenHash& token) const;
  [[nodiscard]] bool token_counts(const session::TokenHash& hash) const;
  [[nodiscard]] bool sign_in_counts(const session::TokenHash& hash) const;
  void hash_secrets();

  GateSettings settings_;
  session::Store& store_;
  SignIns sign_ins_;
  std::vector<std::string> hosts_;  // With the port.
  std::string port_;
  std::optional<session::TokenHash> default_token_;
  std::optional<session::TokenHash> proxy_secret_;
};

// The decoded value of a query parameter; none if it is missing.
[[nodiscard]] std::optional<std::string> query_parameter(std::string_view target,
                                                         std::string_view name);
[[nodiscard]] std::string_view path_of(std::string_view target);

}  // namespace http
