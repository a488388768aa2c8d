// A terminal with its owner, name, place and stage.
//
// Invariants
// 1. Only `Terminals::enter` changes the stage, and only to one that `may_follow` it.
// 2. `terminal` is set if it is running, exited or closing. `saved` is set if it is restorable or
//    being restored.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "session/rows.h"
#include "terminal/terminal.h"

namespace session {

// How long a terminal lives: until it is closed, or as long as the connection it was created
// for.
enum class Lifetime { kept, connection };

// Whether a terminal started blank or with the saved history of an earlier one.
enum class Origin { fresh, restored };

// Where a terminal is in its life. docs/architecture.md has the table.
enum class Stage {
  starting,    // The keeper was asked to start it, or to hand it over.
  running,     // Its program runs.
  exited,      // Its program has ended; what it showed is still there.
  closing,     // It is being closed, or was lost with its keeper, and cannot be found.
  restorable,  // Only the store has it.
  restoring,   // The keeper was asked to start it again. Only the caller knows it.
};
[[nodiscard]] std::string_view name_of(Stage stage);
// Whether a terminal may go from one stage to the other.
[[nodiscard]] bool may_follow(Stage from, Stage to);

struct TerminalEntry {
  // The first stage is `starting` or `restorable`.
  explicit TerminalEntry(Stage first = Stage::starting) : stage_(first) {}
  [[nodiscard]] Stage stage() const { return stage_; }
  [[nodiscard]] bool is_alive() const {
    return stage_ == Stage::running || stage_ == Stage::exited;
  }

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
  std::optional<TerminalRow> saved;  // What the store has, if that is all there is.
  std::string saved_directory;       // The working directory in the store.
  std::optional<int> exit_code;      // Also set if it ended while being closed.
  // The exit, if it came before `terminal` was set or while the terminal was being closed.
  std::optional<keeper::ChildExit> untold_exit;

 private:
  friend class Terminals;
  Stage stage_;
};

// Whether its user sees it: it is alive or restorable, and outlives its connection.
[[nodiscard]] bool is_listed(const TerminalEntry& entry);

// The key for an id that another user also has.
[[nodiscard]] std::string scoped_key(const UserId& user, std::string_view id);
// The user's id for the terminal with that key.
[[nodiscard]] TerminalId id_of_key(const TerminalId& key, const UserId& user);

}  // namespace session
