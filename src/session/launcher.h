// Starts terminals: new ones, and restorable ones again.
//
// Invariants
// 1. An id is taken from the moment the keeper is asked, and free again if it refuses.
// 2. A terminal that is being restored is hidden from all others. If it cannot be started, it
//    is restorable as before.
// 3. If the caller lost its rights while it waited, nothing is started.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/result.h"
#include "keeper_client/client.h"
#include "session/closer.h"
#include "session/follower.h"
#include "session/history_saver.h"
#include "session/logins.h"
#include "session/names.h"
#include "session/parts.h"
#include "session/permit.h"
#include "session/settings.h"
#include "session/terminals.h"
#include "session/watcher.h"

namespace session {

struct TerminalSpec {
  std::optional<TerminalId> id;  // None: a random one.
  std::string session;           // Empty: as `Names::home` says.
  Lifetime lifetime = Lifetime::kept;
  vt::Size size;
  std::optional<std::string> name;
  std::string work_dir;              // Empty: the home directory.
  std::vector<std::string> command;  // Empty: the shell.
  std::vector<std::pair<std::string, std::string>> env;
  // The key of a restorable terminal. The new one takes over its place and history.
  std::optional<std::string> replaces;
  const Watcher* asker = nullptr;  // Gets the result, so it gets no event.
  Permit permit{};
};

class Launcher {
 public:
  // May refuse the terminal, or change its command, directory and environment. May take its time.
  using BeforeCreate =
      std::function<boost::asio::awaitable<base::Status>(SessionRow session, TerminalSpec& spec)>;

  explicit Launcher(const Parts& parts) : parts_(parts) {}
  void set_before_create(BeforeCreate hook) { before_create_ = std::move(hook); }

  boost::asio::awaitable<base::Result<TerminalEntry*>> create(Reach reach, TerminalSpec spec);
  // Starts a restorable terminal again, with its history above the new output. By default it has
  // its old size.
  boost::asio::awaitable<base::Result<TerminalEntry*>> restore(Reach reach, std::string id,
                                                               std::optional<std::uint16_t> rows,
                                                               std::optional<std::uint16_t> cols,
                                                               const Watcher* asker, Permit permit);
  // The key of the restorable terminal in `session` that a new terminal with this id and name
  // replaces: the one with the same id, else the first with the same name, else the first unnamed.
  [[nodiscard]] std::optional<std::string> left_behind(
      const Reach& reach, const std::string& session, const std::string& id,
      const std::optional<std::string>& name) const;
  // Whether shells that are started by this command get our integration.
  [[nodiscard]] bool integrates(const std::vector<std::string>& command) const;
  // How many terminals were refused because their user had too many.
  [[nodiscard]] std::uint64_t refused() const { return refused_; }

 private:
  [[nodiscard]] base::Status within_limit(const UserId& user);
  boost::asio::awaitable<base::Status> make_room_for(Reach reach, std::string key);
  [[nodiscard]] TerminalEntry fresh(const UserId& user, const std::string& id, SessionRow session,
                                    const TerminalSpec& spec) const;
  [[nodiscard]] keeper::SpawnRequest spawn_request(const TerminalEntry& entry,
                                                   const TerminalSpec& spec, Login login);
  boost::asio::awaitable<base::Result<keeper::AttachedChild>> spawn_again(std::string key,
                                                                          vt::Size size,
                                                                          Login login,
                                                                          std::string& trouble);
  void announce(TerminalEntry& entry, std::string_view event, const Watcher* asker,
                const Permit& permit);

  Parts parts_;
  BeforeCreate before_create_;
  std::uint64_t refused_ = 0;
};

}  // namespace session
