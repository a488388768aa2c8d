// As which account, and where, a user's programs run.

#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "session/login.h"
#include "session/settings.h"
#include "session/store.h"

namespace session {

class Logins {
 public:
  Logins(Store& store, const Settings& settings) : store_(store), settings_(settings) {}

  // The account and environment of the user's programs.
  [[nodiscard]] base::Result<Login> of(const UserId& user);
  // The default directory of the session's terminals.
  [[nodiscard]] std::string directory_of(const SessionRow& session);

  // The users known from the store, with their names. A new one may not be among them yet.
  [[nodiscard]] const std::map<UserId, std::string>& users() const { return users_; }
  // Empty if the store does not know.
  [[nodiscard]] std::string user_name(const UserId& user);
  void learn_users();

 private:
  Store& store_;
  const Settings& settings_;
  std::map<UserId, std::string> users_;
};

}  // namespace session
