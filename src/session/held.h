// A terminal, and what it is to its user; and all of them, found by key or by user.

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

// How long a terminal stays: until somebody closes it, or only as long as the connection it was
// made for.
enum class Lifetime { kept, connection };

// Whether a terminal began blank, or with what was saved of one that is gone.
enum class Origin { fresh, restored };

struct Held {
  TerminalId id;   // What its user calls it.
  TerminalId key;  // What keeper and store call it: ids of two users may be the same.
  UserId user;     // Never changes.
  SessionRow session;
  Lifetime lifetime = Lifetime::kept;
  std::optional<std::string> name;
  int position = 0;
  base::WallTime created{};
  std::vector<std::string> command;
  std::shared_ptr<terminal::Terminal> terminal;  // Null until the program runs.
  Origin origin = Origin::fresh;
  std::optional<TerminalRow> restorable;  // What is left of one that is no longer alive.
  std::string saved_directory;            // The working directory that the store knows.
  bool closing = false;                   // Or, of a restorable one, being restored.
  std::optional<int> exit_code;           // Also of one that ended while it was being closed.
  std::optional<terminal::ChildExit> early_exit;  // Told before there was a terminal to tell.
};

// Whether its user is told of it: it is there, or can be restored, and outlives its connection.
[[nodiscard]] bool is_listed(const Held& held);

// What the user calls the terminal that has that key.
[[nodiscard]] TerminalId id_of_key(const TerminalId& key, const UserId& user);

// A user's terminals are found without looking at the others': what one user holds costs nobody
// else anything. Held ones stay where they are in memory until they are taken out.
class HeldTerminals {
 public:
  using Map = std::map<std::string, Held, std::less<>>;  // By key.
  using Theirs = std::map<std::string, Held*>;           // Of one user, by key.

  // False if the key is taken.
  bool add(Held held);
  // Empty if there is none.
  Map::node_type take_out(const std::string& key);
  // Puts back what was taken out.
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
