#include "session/logins.h"

namespace session {

base::Result<Login> Logins::of(const UserId& user) {
  auto login = settings_.least_account ? login_of_account(user_name(user), *settings_.least_account,
                                                          settings_.environment)
                                       : Login{.confinement = {},
                                               .home = settings_.home,
                                               .shell = settings_.shell,
                                               .environment = settings_.environment};
  if (login) login->confinement.limits = settings_.limits;
  return login;
}

std::string Logins::directory_of(const SessionRow& session) {
  if (!session.cwd.empty()) return session.cwd;
  const auto login = of(session.user);
  return login ? login->home : "/";
}

void Logins::learn_users() {
  auto users = store_.users();
  if (!users) return;
  for (const UserRow& user : *users) users_[user.id] = user.name;
}

std::string Logins::user_name(const UserId& user) {
  if (!users_.contains(user)) learn_users();
  const auto known = users_.find(user);
  return known == users_.end() ? "" : known->second;
}

}  // namespace session
