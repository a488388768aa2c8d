// Who has which terminals: all of them, by key and by user.
//
// Invariants
// 1. Keys are unique over all users; ids are unique per user. A terminal that the caller cannot
//    reach is never handed out: it is `not_found`.
// 2. A terminal that is being started, closed or restored cannot be found by user and id. The id of
//    a closed one is free once nothing of it is left.
// 3. A user's terminals are found without visiting other users', so one user's many terminals do
//    not slow down the others.
// 4. Pointers to entries stay valid until the entry is taken out.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/event.h"
#include "base/result.h"
#include "session/reach.h"
#include "session/terminal_entry.h"

namespace session {

struct Counts {
  std::size_t active = 0;    // Running, with a viewer.
  std::size_t orphaned = 0;  // Running, without a viewer.
  std::size_t exited = 0;
  std::size_t viewers = 0;
};

// What runs in terminals, by key.
using Activities = std::map<std::string, terminal::Activity>;

class Terminals {
 public:
  using Map = std::map<std::string, TerminalEntry, std::less<>>;  // By key.
  using UserTerminals = std::map<std::string, TerminalEntry*>;    // Of one user, by key.

  explicit Terminals(boost::asio::any_io_executor executor)
      : executor_(executor), changed_(executor) {}

  // False if the key is taken.
  bool add(TerminalEntry entry);
  // Empty if there is none.
  Map::node_type take_out(const std::string& key);
  void put_back(Map::node_type entry);
  void clear();

  // By key, whatever their stage.
  [[nodiscard]] TerminalEntry* find(std::string_view key);
  [[nodiscard]] const TerminalEntry* find(std::string_view key) const;
  [[nodiscard]] TerminalEntry& at(const std::string& key) { return all_.at(key); }
  [[nodiscard]] const UserTerminals& of(const UserId& user) const;
  [[nodiscard]] auto begin() { return all_.begin(); }
  [[nodiscard]] auto end() { return all_.end(); }
  [[nodiscard]] auto begin() const { return all_.begin(); }
  [[nodiscard]] auto end() const { return all_.end(); }

  // The terminal's next stage. One that may not follow is a bug; it is logged.
  void enter(TerminalEntry& entry, Stage next);
  // Returns once the terminal with that key is gone or in another stage. `unavailable` if the
  // daemon stops first.
  boost::asio::awaitable<base::Status> while_in(std::string key, Stage stage);

  // The key of the user's terminal with that id, whether it exists or not. Reveals nothing about
  // other users' terminals.
  [[nodiscard]] std::string key_of(const UserId& user, std::string_view id) const;
  // The living terminal with that id, if it is in reach. Valid until the next co_await.
  [[nodiscard]] base::Result<TerminalEntry*> find(const Reach& reach, std::string_view id);
  // The same, or a restorable one.
  [[nodiscard]] base::Result<TerminalEntry*> find_living_or_restorable(const Reach& reach,
                                                                       std::string_view id);
  // The living ones in order, without those that end with their connection.
  [[nodiscard]] std::vector<const TerminalEntry*> living(const Reach& reach) const;
  // The same, with the restorable ones in their places.
  [[nodiscard]] std::vector<const TerminalEntry*> living_or_restorable(const Reach& reach) const;
  // The position after the user's last terminal.
  [[nodiscard]] int next_position(const UserId& user) const;
  // What runs in the terminals, or in those of one session. This asks the kernel for each terminal,
  // so it yields to other work in between.
  boost::asio::awaitable<Activities> activities(Reach reach, std::optional<std::string> session);

  // How many terminals each session has. Leaves out sessions without any.
  struct Count {
    std::size_t living = 0;
    std::size_t restorable = 0;
  };
  [[nodiscard]] std::map<SessionId, Count> count(const Reach& reach) const;
  // Of all users.
  [[nodiscard]] Counts counts() const;

 private:
  boost::asio::any_io_executor executor_;
  Map all_;
  std::map<UserId, UserTerminals> by_user_;
  base::Event changed_;  // A stage has changed.
};

}  // namespace session
