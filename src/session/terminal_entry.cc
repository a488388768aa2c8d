#include "session/terminal_entry.h"

namespace session {

std::string_view name_of(Stage stage) {
  constexpr std::string_view kNames[] = {"starting", "running",    "exited",
                                         "closing",  "restorable", "restoring"};
  return kNames[static_cast<std::size_t>(stage)];
}

bool may_follow(Stage from, Stage to) {
  switch (from) {
    case Stage::starting:
      return to == Stage::running;
    case Stage::running:
      return to == Stage::exited || to == Stage::closing;
    case Stage::exited:
      return to == Stage::closing;
    case Stage::closing:  // The close failed, or only the store still has it.
      return to == Stage::running || to == Stage::exited || to == Stage::restorable;
    case Stage::restorable:
      return to == Stage::restoring;
    case Stage::restoring:
      return to == Stage::running || to == Stage::restorable;
  }
  return false;
}

bool is_listed(const TerminalEntry& entry) {
  return (entry.is_alive() || entry.stage() == Stage::restorable) &&
         entry.lifetime == Lifetime::kept;
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
