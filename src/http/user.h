// Who a request or a connection is for, and what let them in.

#pragma once

#include <optional>
#include <string>
#include <variant>

#include "base/clock.h"
#include "session/rows.h"

namespace http {

// The kernel's word, on the Unix socket.
struct ByPeer {};
struct ByToken {
  session::TokenHash hash;
};
// A browser's cookie and secret.
struct BySignIn {
  session::TokenHash hash;
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
  session::Access access = session::Access::control;
  std::optional<base::WallTime> until{};  // When what let them in expires.
  Credential credential{};
};

}  // namespace http
