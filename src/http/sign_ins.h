// Browser sign-ins, and the links that allow them.
//
// A browser gets two halves. The cookie is out of scripts' reach, but browsers send it to every
// port of the host. The page keeps the secret in its own origin's storage, where pages of other
// ports cannot read it. Neither works alone, and the store keeps only their hashes.

#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/user.h"
#include "session/store.h"

namespace http {

struct NewSignIn {
  std::string cookie;
  std::string secret;
  base::WallTime expires;
};

class SignIns {
 public:
  static constexpr std::chrono::minutes kCodeLifetime{5};

  explicit SignIns(session::Store& store) : store_(&store) {}

  // Signs a browser in until `expires`, or until the user's credential expires. Keeps the beginning
  // of the browser's User-Agent.
  [[nodiscard]] base::Result<NewSignIn> begin(const User& user, const std::string& address,
                                              std::string_view browser,
                                              base::WallTime expires) const;
  // The cookie's sign-in, if any.
  [[nodiscard]] base::Result<std::optional<session::SignInRow>> find(std::string_view cookie) const;

  // A code that signs a browser in as that user, once. If the user has a token, the sign-in has its
  // scope, and ends with it.
  [[nodiscard]] base::Result<std::string> new_code(
      const User& user, std::chrono::milliseconds lifetime = kCodeLifetime) const;
  // The code's user, with the token that it was made for, if any. None if the code was used, has
  // expired, or never existed.
  [[nodiscard]] base::Result<std::optional<User>> take_code(std::string_view code) const;

 private:
  session::Store* store_;
};

// Whether the secret belongs to the sign-in.
[[nodiscard]] bool is_secret_of(const session::SignInRow& sign_in, std::string_view secret);

// A sign-in's name in lists: the beginning of its hash.
[[nodiscard]] std::string name_of(const session::SignInRow& sign_in);

}  // namespace http
