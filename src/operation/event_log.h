// What happens to terminals and sessions, numbered, for clients that follow it.
//
// Invariants
// 1. Events have consecutive numbers, also across daemons. A reader that gives the last number it got
//    receives every later event once, or is told to start over.
// 2. A daemon that starts compares the last events with what there is, and reports the difference.
// 3. A reader is a number. A slow reader costs no memory and holds nobody up.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/any_io_executor.hpp>

#include "base/event.h"
#include "operation/event_file.h"
#include "session/sessions.h"
#include "wire/native_state.h"

namespace operation {

// How far a reader is.
struct EventCursor {
  std::uint64_t next = 0;   // Number of the first event that it has not got.
  bool starts_over = true;  // Begin with what there is.
};

struct ShownEvent {
  std::string id;
  std::string type;
  std::string data;  // JSON.
};

[[nodiscard]] bool can_reach(const session::Reach& reach, const ToldTerminal& terminal);

class EventLog final : private session::Watcher {
 public:
  static constexpr std::size_t kMostEvents = 2000;
  static constexpr std::size_t kMostNotices = 200;

  // Begins once the sessions have recovered.
  EventLog(boost::asio::any_io_executor executor, session::Sessions& sessions,
           std::filesystem::path file);
  ~EventLog();
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;

  // After the event with that id, or from the start if that cannot be had any more.
  [[nodiscard]] EventCursor after(std::string_view id) const;
  // With the oldest event that is kept.
  [[nodiscard]] EventCursor oldest() const;
  // The events from there on that can be reached, a bounded number of them; empty if there are none.
  [[nodiscard]] std::vector<ShownEvent> take(const session::Reach& reach,
                                             EventCursor& cursor) const;
  // The newest notices that can be reached, at most `kMostNotices`, the oldest first.
  [[nodiscard]] std::vector<wire::native::NoticeInfo> notices(const session::Reach& reach) const;
  // The id that resumes at the cursor.
  [[nodiscard]] std::string id_before(const EventCursor& cursor) const;
  // Notified after every event.
  [[nodiscard]] base::Event& changed() { return changed_; }

 private:
  using Entry = session::TerminalEntry;
  void terminal_created(const Entry& entry) override { add("terminal_created", entry); }
  void terminal_renamed(const Entry& entry) override { add("terminal_renamed", entry); }
  void terminal_exited(const Entry& entry) override { add("terminal_exited", entry); }
  void terminal_closed(const Entry& entry, session::CloseReason reason) override;
  void terminal_restorable(const Entry& entry) override { add("terminal_restorable", entry); }
  void terminal_attached(const Entry& entry) override { add("terminal_attached", entry); }
  void terminal_orphaned(const Entry& entry) override { add("terminal_orphaned", entry); }
  void terminal_resized(const Entry& entry) override { add("terminal_resized", entry); }
  void terminal_titled(const Entry& entry) override { add("terminal_titled", entry); }
  void terminal_changed(const Entry& entry) override;
  void terminal_noticed(const Entry& entry, const terminal::Notice& notice) override;
  void session_created(const session::SessionRow& row) override { add("session_created", row); }
  void session_renamed(const session::SessionRow& row, const std::string& old_name) override;
  void session_closed(const session::SessionRow& row) override { add("session_closed", row); }

  void add(std::string type, const Entry& entry);
  [[nodiscard]] ToldTerminal told_now(const Entry& entry) const;
  void add(std::string type, const session::SessionRow& row);
  void add(LoggedEvent event);
  void add_session_differences();
  void add_terminal_differences();
  // What output said while no daemon was there, or was not told before one died.
  void add_early_notices();
  void add_differences_of(const std::string& key, const ToldTerminal& now);
  void rewrite();
  [[nodiscard]] std::uint64_t first() const { return history_.next - history_.events.size(); }
  [[nodiscard]] std::string id_of(std::uint64_t number) const;
  [[nodiscard]] ShownEvent all_of(const session::Reach& reach) const;

  session::Sessions& sessions_;
  EventFile file_;
  EventHistory history_;
  std::size_t appended_ = 0;  // Since the file was written anew.
  base::Event changed_;
};

}  // namespace operation
