// The user of a request or connection, and the credential that let them in.

#pragma once

#include <optional>
#include <string>
#include <variant>

#include "base/clock.h"
#include "session/rows.h"

namespace http {

// The kernel vouches for the peer of a Unix socket.
struct ByPeer {};
struct ByToken {
  session::TokenHash hash;  // The one it is kept under.
};
// A browser's cookie and secret.
struct BySignIn {
  session::TokenHash hash;
  std::optional<session::TokenHash> token{};  // The one it was made with, if any.
};
struct ByJwt {
  std::string token;
};
struct ByProxy {
  session::TokenHash secret;
};
using Credential = std::variant<ByPeer, ByToken, BySignIn, ByJwt, ByProxy>;

struct User {
  session::UserId id;
  std::string name;
  session::Scope scope{};
  std::optional<base::WallTime> until{};  // When the credential expires.
  Credential credential{};
};

}  // namespace http
