// Who may come in: the checks that every request passes before it is looked at.
//
// Host, against a page that made its own name point here (DNS rebinding); Origin, against a page of
// another site that uses the browser's cookie; and the credential.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/client.h"
#include "http/jwt.h"
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
};

// Whether what a proxy says about its clients counts.
enum class Proxy { none, trusted };

// Where a request came from: the network, or a Unix socket of a user of this machine.
struct Peer {
  std::optional<uid_t> user;
  std::string address{};   // As in a log; empty where it does not matter.
  bool is_secure = false;  // Whether TLS was spoken.
};

// Whether a short secret, which could be found by trying, is looked at.
enum class Guessing { allowed, barred };

// The peer that a trusted proxy speaks for.
[[nodiscard]] Peer forwarded(const Request& request, Peer proxy);

class Gate {
 public:
  Gate(GateSettings settings, session::Store& store);

  // From now on; the listening address stays, and whether accounts are users.
  void change(GateSettings settings);

  [[nodiscard]] bool host_is_right(std::string_view host) const;
  // `origin` is empty for a program that is no browser.
  [[nodiscard]] bool origin_is_right(std::string_view origin, std::string_view host,
                                     const Peer& peer) const;
  // None if nobody can be told by it; an error if nobody can be told now.
  [[nodiscard]] base::Result<std::optional<User>> user_of(const Request& request, const Peer& peer,
                                                          Guessing guessing) const;
  // Whether the request shows anything to be let in by, right or wrong.
  [[nodiscard]] bool has_credential(const Request& request) const;
  [[nodiscard]] const std::string& cookie_name() const { return cookie_name_; }

  // Whether what let this user in still counts.
  [[nodiscard]] bool still_lets_in(const User& user) const;

 private:
  [[nodiscard]] base::Result<std::optional<User>> user_of_token(std::string_view token,
                                                                Guessing guessing) const;

  [[nodiscard]] base::Result<std::optional<User>> user_of_jwt(std::string_view token,
                                                              Guessing guessing) const;
  [[nodiscard]] base::Result<std::optional<User>> user_of_proxy(const Request& request,
                                                                Guessing guessing) const;
  [[nodiscard]] base::Result<std::optional<User>> user_called(const std::string& name) const;

  GateSettings settings_;
  session::Store& store_;
  std::vector<std::string> hosts_;  // With the port.
  std::string cookie_name_;
};

// The value of a parameter in the address, decoded; none if it is not there.
[[nodiscard]] std::optional<std::string> query_parameter(std::string_view target,
                                                         std::string_view name);
// The address without that parameter.
[[nodiscard]] std::string without_parameter(std::string_view target, std::string_view name);
[[nodiscard]] std::string_view path_of(std::string_view target);

}  // namespace http
