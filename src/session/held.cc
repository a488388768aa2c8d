#include "session/held.h"

namespace session {

bool is_listed(const Held& held) {
  return (held.terminal || held.restorable) && !held.closing && held.lifetime == Lifetime::kept;
}

std::string scoped_key(const UserId& user, std::string_view id) {
  return user.str() + "." + std::string(id);
}

TerminalId id_of_key(const TerminalId& key, const UserId& user) {
  const std::string prefix = scoped_key(user, "");
  if (!key.str().starts_with(prefix)) return key;
  return TerminalId::parse(key.str().substr(prefix.size())).value_or(key);
}

}  // namespace session
