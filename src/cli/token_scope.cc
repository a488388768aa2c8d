#include "cli/token_scope.h"

#include <algorithm>

#include "session/terminal_entry.h"

namespace cli {
namespace {

using session::SessionRow;
using session::TerminalRow;

struct Named {
  session::TerminalId id;
  std::string session;
  std::string name;  // Empty if it has none.
};

base::Result<std::vector<Named>> terminals_of(session::Store& store, const session::UserId& user,
                                              const std::vector<SessionRow>& sessions) {
  const auto rows = store.terminals();
  if (!rows) return base::fail(rows.error());
  std::vector<Named> theirs;
  for (const TerminalRow& row : *rows)
    if (const auto session = std::ranges::find(sessions, row.session, &SessionRow::id);
        session != sessions.end())
      theirs.push_back({.id = session::id_of_key(row.id, user),
                        .session = session->name,
                        .name = row.name.value_or("")});
  return theirs;
}

base::Result<session::TerminalId> find_terminal(const std::vector<Named>& terminals,
                                                const std::string& target) {
  std::vector<const Named*> found;
  for (const Named& each : terminals) {
    if (each.id.str() == target) return each.id;
    if (!each.name.empty() && (each.name == target || each.session + ":" + each.name == target))
      found.push_back(&each);
  }
  if (found.size() == 1) return found.front()->id;
  if (found.empty())
    return base::fail(base::Code::not_found, "there is no terminal \"" + target + "\"",
                      "Give its id or its name; list them with: holdfast ls");
  return base::fail(base::Code::invalid_argument, "\"" + target + "\" matches several terminals",
                    "Use the id.");
}

}  // namespace

base::Result<std::optional<session::Bounds>> find_bounds(session::Store& store,
                                                         const session::UserId& user,
                                                         const WantedBounds& wanted) {
  if (wanted.sessions.empty() && wanted.terminals.empty()) return std::nullopt;
  const auto sessions = store.sessions(user);
  if (!sessions) return base::fail(sessions.error());
  session::Bounds bounds;
  for (const std::string& name : wanted.sessions) {
    const auto found = std::ranges::find(*sessions, name, &SessionRow::name);
    if (found == sessions->end())
      return base::fail(base::Code::not_found, "there is no session \"" + name + "\"",
                        "List them with: holdfast sessions");
    bounds.sessions.push_back(found->id);
  }
  const auto terminals = terminals_of(store, user, *sessions);
  if (!terminals) return base::fail(terminals.error());
  for (const std::string& target : wanted.terminals) {
    const auto found = find_terminal(*terminals, target);
    if (!found) return base::fail(found.error());
    bounds.terminals.push_back(*found);
  }
  return bounds;
}

base::Result<std::vector<std::string>> session_names(session::Store& store,
                                                     const session::UserId& user,
                                                     const session::Bounds& bounds) {
  const auto sessions = store.sessions(user);
  if (!sessions) return base::fail(sessions.error());
  std::vector<std::string> names;
  for (const session::SessionId& id : bounds.sessions) {
    const auto found = std::ranges::find(*sessions, id, &SessionRow::id);
    names.push_back(found == sessions->end() ? id.str() : found->name);
  }
  return names;
}

}  // namespace cli
