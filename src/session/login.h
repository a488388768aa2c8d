// Whom a user's programs run as, and what they start with: the daemon's own account, or with
// `user_accounts` the account of this machine that has the user's name.
//
// Looking an account up may wait for whatever the machine keeps its accounts in (NSS), and the
// daemon with it.

#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "keeper/confinement.h"

namespace session {

struct Login {
  keeper::Confinement confinement;
  std::string home;
  std::string shell;
  std::vector<std::string> environment;  // NAME=value
};

// The login of that account, without limits. `permission_denied` for root, for accounts whose uid
// is below `least`, and for those that nobody may log in to. Of `environment` it keeps what is not
// about an account: the language, the time zone, the terminal.
[[nodiscard]] base::Result<Login> login_of_account(const std::string& name, uid_t least,
                                                   const std::vector<std::string>& environment);

// The name of the account that a process of this machine runs as; none if `login_of_account` would
// refuse it.
[[nodiscard]] std::optional<std::string> account_of(uid_t uid, uid_t least);

}  // namespace session
