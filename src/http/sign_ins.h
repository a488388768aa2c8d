// Browsers that sign in, and the links that let them.
//
// A browser gets two halves. The cookie is out of scripts' reach, and browsers send it to every
// port of the host. The secret is kept by the page in its own origin's storage, where no other
// port's pages can read it. Neither does anything alone, and the store keeps only their hashes.

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

  // Signs a browser in, until then or until what let the user in expires. The beginning of
  // the browser's name for itself is kept.
  [[nodiscard]] base::Result<NewSignIn> begin(const User& user, const std::string& address,
                                              std::string_view browser,
                                              base::WallTime expires) const;
  // The sign-in that the cookie stands for; none if there is none.
  [[nodiscard]] base::Result<std::optional<session::SignInRow>> find(std::string_view cookie) const;

  // A code that signs a browser in as that user, once, and soon.
  [[nodiscard]] base::Result<std::string> new_code(const User& user) const;
  // The user of the code, who has no credential yet. None if the code was used, is too old, or
  // never was one.
  [[nodiscard]] base::Result<std::optional<User>> take_code(std::string_view code) const;

 private:
  session::Store* store_;
};

// Whether the secret belongs to the sign-in.
[[nodiscard]] bool is_secret_of(const session::SignInRow& sign_in, std::string_view secret);

// What a sign-in is called where it is listed: the beginning of its hash.
[[nodiscard]] std::string name_of(const session::SignInRow& sign_in);

}  // namespace http
