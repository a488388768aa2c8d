// What was told of terminals and sessions, in a file that outlives the daemon: docs/events.md.
//
// Invariants
// 1. An event is in the file before anybody is told of it.
// 2. A file that cannot be trusted, or not be written, is given up. Its successor gets another id,
//    so nobody takes the numbers of one for those of the other.

#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"

namespace operation {

// What was last told of a terminal.
struct ToldTerminal {
  std::string user;
  std::string session_key;
  std::string terminal_id;
  std::string session;
  std::optional<std::string> name{};
  std::optional<std::string> title{};
  std::string status;  // As in wire/status.h.
  std::optional<int> exit_code{};
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  bool is_attached = false;
  std::string state{};        // As in the native protocol; empty if it is not alive.
  std::uint64_t noticed = 0;  // What output says up to there was told. Not for clients.
  friend bool operator==(const ToldTerminal&, const ToldTerminal&) = default;
};

// Something that a person may want to hear of (terminal/notice.h).
struct ToldNotice {
  std::string kind;
  std::optional<std::string> command{};
  std::optional<std::string> text{};
  std::optional<int> exit_code{};
  std::optional<std::int64_t> duration{};  // Milliseconds.
  bool watched = false;
  friend bool operator==(const ToldNotice&, const ToldNotice&) = default;
};

struct ToldSession {
  std::string user;
  std::string name;
  friend bool operator==(const ToldSession&, const ToldSession&) = default;
};

// One thing that happened.
struct LoggedEvent {
  std::uint64_t number = 0;
  std::string type;
  std::string key;  // Of the terminal or the session, for the daemon.
  std::string at;
  std::string reason{};                    // Why a terminal was closed.
  std::string old_name{};                  // Of a renamed session.
  std::optional<ToldTerminal> terminal{};  // As it is after the event.
  std::optional<ToldSession> session{};    // The same.
  std::optional<ToldNotice> notice{};

  [[nodiscard]] const std::string& user() const {
    return terminal ? terminal->user : session->user;
  }
};

// All that was told: the newest events, and what they lead to.
struct EventHistory {
  std::string id;
  std::uint64_t next = 1;  // Number of the next event.
  std::map<std::string, ToldTerminal> terminals{};
  std::map<std::string, ToldSession> sessions{};
  std::deque<LoggedEvent> events{};

  void apply(const LoggedEvent& event);
};

// JSON, for clients.
[[nodiscard]] std::string to_json(const ToldTerminal& terminal);
[[nodiscard]] std::string data_of(const LoggedEvent& event);

// The file's text and back. None if the text is damaged; a last line that is not whole does not
// count.
[[nodiscard]] std::string encode(const EventHistory& history);
[[nodiscard]] std::string encode(const LoggedEvent& event);
[[nodiscard]] std::optional<EventHistory> decode_history(std::string_view text);

class EventFile {
 public:
  explicit EventFile(std::filesystem::path path) : path_(std::move(path)) {}

  // None if there is none, or none that can be trusted.
  [[nodiscard]] std::optional<EventHistory> read() const;
  // Replaces the file.
  [[nodiscard]] base::Status write(const EventHistory& history);
  [[nodiscard]] base::Status append(const LoggedEvent& event);

 private:
  [[nodiscard]] base::Status give_up(const base::Error& error);

  std::filesystem::path path_;
  base::Fd file_;
};

}  // namespace operation
