// A terminal with its owner, name and place.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "session/rows.h"
#include "terminal/terminal.h"

namespace session {

// How long a terminal lives: until somebody closes it, or as long as the connection it was created
// for.
enum class Lifetime { kept, connection };

// Whether a terminal started blank or with the saved history of an earlier one.
enum class Origin { fresh, restored };

struct Held {
  TerminalId id;   // The user's name for it.
  TerminalId key;  // Unique for keeper and store: two users may use the same id.
  UserId user;     // Never changes.
  SessionRow session;
  Lifetime lifetime = Lifetime::kept;
  std::optional<std::string> name;
  int position = 0;
  base::WallTime created{};
  std::vector<std::string> command;
  std::shared_ptr<terminal::Terminal> terminal;  // Null until the program runs.
  Origin origin = Origin::fresh;
  std::optional<TerminalRow> restorable;          // Set if it is not alive but can be restored.
  std::string saved_directory;                    // The working directory in the store.
  bool closing = false;                           // If restorable: being restored.
  std::optional<int> exit_code;                   // Also set if it ended while being closed.
  std::optional<terminal::ChildExit> early_exit;  // The exit, if it came before `terminal` was set.
};

// Whether its user sees it: it is alive or restorable, and outlives its connection.
[[nodiscard]] bool is_listed(const Held& held);

// The key for an id that another user also has.
[[nodiscard]] std::string scoped_key(const UserId& user, std::string_view id);
// The user's id for the terminal with that key.
[[nodiscard]] TerminalId id_of_key(const TerminalId& key, const UserId& user);

}  // namespace session
