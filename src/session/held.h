// A terminal with its owner, name and place; and the collection of all terminals, by key and by
// user.

#pragma once

#include <map>
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
  std::optional<TerminalRow> restorable;        // Set if it is not alive but can be restored.
  std::string saved_directory;                  // The working directory in the store.
  bool closing = false;                         // If restorable: being restored.
  std::optional<int> exit_code;                 // Also set if it ended while being closed.
  std::optional<keeper::ChildExit> early_exit;  // The exit, if it came before `terminal` was set.
};

// Whether its user sees it: it is alive or restorable, and outlives its connection.
[[nodiscard]] bool is_listed(const Held& held);

// The user's id for the terminal with that key.
[[nodiscard]] TerminalId id_of_key(const TerminalId& key, const UserId& user);

// Finds a user's terminals without visiting other users', so one user's many terminals slow down
// nobody else. Pointers to entries stay valid until the entry is taken out.
class HeldTerminals {
 public:
  using Map = std::map<std::string, Held, std::less<>>;  // By key.
  using Theirs = std::map<std::string, Held*>;           // Of one user, by key.

  // False if the key is taken.
  bool add(Held held);
  // Empty if there is none.
  Map::node_type take_out(const std::string& key);
  void put_back(Map::node_type held);
  void clear();

  [[nodiscard]] Held* find(std::string_view key);
  [[nodiscard]] const Held* find(std::string_view key) const;
  [[nodiscard]] Held& at(const std::string& key) { return all_.at(key); }
  [[nodiscard]] const Theirs& of(const UserId& user) const;
  [[nodiscard]] auto begin() { return all_.begin(); }
  [[nodiscard]] auto end() { return all_.end(); }
  [[nodiscard]] auto begin() const { return all_.begin(); }
  [[nodiscard]] auto end() const { return all_.end(); }

 private:
  Map all_;
  std::map<UserId, Theirs> by_user_;
};

}  // namespace session
