// Who learns what happens to a user's terminals and sessions.
//
// Invariants
// 1. A watcher learns only of what it can reach, unless it watches all users.
// 2. A watcher that asks for a change passes itself as `asker`. It gets the answer and no event;
//    all others get the event.

#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "session/reach.h"
#include "session/rows.h"
#include "session/terminal_entry.h"

namespace session {

enum class CloseReason { user_requested, process_exit, idle_timeout, error };

// A watcher overrides what it wants to know. It is called in the middle of the work, so it must
// only take note.
class Watcher {
 public:
  virtual void terminal_created(const TerminalEntry&) {}
  virtual void terminal_renamed(const TerminalEntry&) {}
  virtual void terminals_reordered(const std::vector<const TerminalEntry*>& /*order*/) {}
  virtual void terminal_exited(const TerminalEntry&) {}
  virtual void terminal_closed(const TerminalEntry&, CloseReason) {}
  // The terminal was lost with its keeper and can be restored.
  virtual void terminal_restorable(const TerminalEntry& entry) {
    terminal_closed(entry, CloseReason::error);
  }
  // The first viewer has come, or the last one has left.
  virtual void terminal_attached(const TerminalEntry&) {}
  virtual void terminal_orphaned(const TerminalEntry&) {}
  virtual void terminal_resized(const TerminalEntry&) {}
  virtual void terminal_titled(const TerminalEntry&) {}
  // It is in another state.
  virtual void terminal_changed(const TerminalEntry&) {}
  virtual void terminal_noticed(const TerminalEntry&, const terminal::Notice&) {}
  virtual void session_created(const SessionRow&) {}
  virtual void session_renamed(const SessionRow&, const std::string& /*old_name*/) {}
  virtual void session_closed(const SessionRow&) {}
  virtual void preference_changed(const PreferenceRow&) {}

 protected:
  ~Watcher() = default;
};

class Watchers {
 public:
  void add(Reach reach, Watcher& watcher) { watchers_.emplace_back(std::move(reach), &watcher); }
  void add_for_all_users(Watcher& watcher) { watchers_.emplace_back(std::nullopt, &watcher); }
  void remove(Watcher& watcher) {
    std::erase_if(watchers_, [&](const auto& entry) { return entry.second == &watcher; });
  }

  // Calls every watcher that can reach the terminal or session, but not `asker`, which may be null.
  template <class Subject, class Call>
  void tell(const Subject& subject, const Watcher* asker, Call call) const {
    const auto watchers = watchers_;  // A call may remove another watcher.
    for (const auto& [reach, watcher] : watchers)
      if (watcher != asker && (!reach || reach->has(subject))) call(*watcher);
  }
  // Tells every watcher of the user but `asker` the order of those that it can reach.
  void tell_order(const UserId& user, const Watcher* asker,
                  const std::vector<const TerminalEntry*>& order) const {
    const auto watchers = watchers_;
    for (const auto& [reach, watcher] : watchers) {
      if (watcher == asker || (reach && reach->user != user)) continue;
      auto theirs = order;
      if (reach)
        std::erase_if(theirs, [&](const TerminalEntry* entry) { return !reach->has(*entry); });
      watcher->terminals_reordered(theirs);
    }
  }

 private:
  std::vector<std::pair<std::optional<Reach>, Watcher*>> watchers_;  // None: all users.
};

}  // namespace session
