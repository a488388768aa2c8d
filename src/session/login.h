// The account and environment of a user's programs: the daemon's own account or, with
// `user_accounts`, the account on this machine with the user's name.
//
// Looking up an account goes through NSS, which may block, and the daemon with it.

#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "keeper_protocol/confinement.h"

namespace session {

struct Login {
  keeper::Confinement confinement;
  std::string home;
  std::string shell;
  std::vector<std::string> environment;  // NAME=value
};

// The login of that account, without limits. `permission_denied` for root, for uids below `least`,
// and for expired accounts and those without a login shell. Keeps what is not about an account from
// `environment`: the language, the time zone, the terminal.
[[nodiscard]] base::Result<Login> login_of_account(const std::string& name, uid_t least,
                                                   const std::vector<std::string>& environment);

// The name of the account with this uid, or none if `login_of_account` would refuse it.
[[nodiscard]] std::optional<std::string> account_of(uid_t uid, uid_t least);

}  // namespace session
