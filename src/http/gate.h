// Who may come in: the checks that every request passes before it is looked at.
//
// Host, against a page that made its own name point here (DNS rebinding); Origin, against a page of
// another site that uses the browser's cookie; and the credential. Every secret has at least 32
// characters, so none can be found by trying.

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
  std::shared_ptr<const JwtVerifier> jwt{};  // Null: JSON Web Tokens let nobody in.
  std::string user_header{};                 // Where a proxy names the user; empty: nowhere.
  std::string proxy_secret{};                // What the proxy is known by.
  // With it whoever comes by the Unix socket is the user with the name of the account that they run
  // as, if its uid is not below this.
  std::optional<uid_t> least_account{};
  std::chrono::milliseconds sign_in_lifetime{std::chrono::hours(24 * 30)};
  // How long a connection lasts whose user a proxy or a JSON Web Token vouches for.
  std::chrono::milliseconds vouched_lifetime{std::chrono::hours(12)};
};

// Whether what a proxy says about its clients counts.
enum class Proxy { none, trusted };

// Where a request came from: the network, or a Unix socket of a user of this machine.
struct Peer {
  std::optional<uid_t> user;
  std::string address{};   // As in a log; empty where it does not matter.
  bool is_secure = false;  // Whether TLS was spoken.
};

// The peer that a trusted proxy speaks for.
[[nodiscard]] Peer forwarded(const Request& request, Peer proxy);
// Whose share the peer uses up, as long as nobody has signed in.
[[nodiscard]] std::string whose(const Peer& peer);
// Whether the peer is the daemon's own account, or root: then it may do everything.
[[nodiscard]] bool is_trusted(const Peer& peer);

class Gate {
 public:
  Gate(GateSettings settings, session::Store& store);

  // From now on; the listening address stays, and whether accounts are users.
  void change(GateSettings settings);

  [[nodiscard]] bool host_is_right(std::string_view host) const;
  // `origin` is empty for a program that is no browser.
  [[nodiscard]] bool origin_is_right(std::string_view origin, std::string_view host,
                                     const Peer& peer) const;
  // Whether the request was made by a page of the daemon's own.
  [[nodiscard]] bool is_from_own_page(const Request& request, const Peer& peer) const;
  // None if nobody can be told by it; an error if nobody can be told now.
  [[nodiscard]] base::Result<std::optional<User>> user_of(const Request& request,
                                                          const Peer& peer) const;
  // Whether the request shows a token or a proxy's secret, right or wrong.
  [[nodiscard]] bool has_credential(const Request& request) const;
  [[nodiscard]] base::Result<std::optional<User>> user_of_token(std::string_view token) const;
  // Whether the browser has a cookie that stands for a sign-in. Nothing but a page's looks may
  // follow from that: every port of the host gets the cookie.
  [[nodiscard]] bool has_sign_in(const Request& request, const Peer& peer) const;
  [[nodiscard]] std::string cookie_name(const Peer& peer) const;

  // Whether what let this user in still counts.
  [[nodiscard]] bool still_lets_in(const User& user) const;

  [[nodiscard]] const SignIns& sign_ins() const { return sign_ins_; }
  [[nodiscard]] session::Store& store() const { return store_; }
  [[nodiscard]] const GateSettings& settings() const { return settings_; }

 private:
  [[nodiscard]] base::Result<std::optional<User>> user_of_jwt(std::string_view token) const;
  [[nodiscard]] base::Result<std::optional<User>> user_of_proxy(const Request& request) const;
  [[nodiscard]] base::Result<std::optional<User>> user_of_sign_in(const Request& request,
                                                                  const Peer& peer) const;
  // A user whom somebody trusted vouches for.
  [[nodiscard]] base::Result<std::optional<User>> user_called(const std::string& name,
                                                              Credential credential) const;
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

// The value of a parameter in the address, decoded; none if it is not there.
[[nodiscard]] std::optional<std::string> query_parameter(std::string_view target,
                                                         std::string_view name);
[[nodiscard]] std::string_view path_of(std::string_view target);

}  // namespace http
