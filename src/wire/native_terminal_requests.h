// What a client of the native protocol may ask about terminals (docs/protocol.md).

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wire::native {

enum class Role { control, view };
[[nodiscard]] std::string_view to_string(Role role);

struct List {
  std::optional<std::string> session;  // Only this session's terminals.
  friend bool operator==(const List&, const List&) = default;
};

struct Create {
  std::optional<std::string> terminal_id;  // None: the server picks one.
  std::optional<std::string> session;
  std::optional<std::uint16_t> rows;
  std::optional<std::uint16_t> cols;
  std::optional<std::string> name;
  std::optional<std::string> work_dir;
  std::vector<std::string> command;  // Empty: the user's shell.
  std::vector<std::pair<std::string, std::string>> env;
  friend bool operator==(const Create&, const Create&) = default;
};

struct Restore {
  std::string terminal_id;
  std::optional<std::uint16_t> rows;  // None: the old size.
  std::optional<std::uint16_t> cols;
  friend bool operator==(const Restore&, const Restore&) = default;
};

struct Attach {
  std::string terminal_id;
  std::optional<std::uint16_t> rows;
  std::optional<std::uint16_t> cols;
  std::optional<std::uint64_t> since;
  Role role = Role::control;
  bool lossless = false;
  std::uint64_t window = 0;  // 0: no acknowledgements.
  bool takeover = false;
  bool hidden = false;
  bool marks = false;
  friend bool operator==(const Attach&, const Attach&) = default;
};

struct Detach {
  std::uint32_t channel = 0;
  friend bool operator==(const Detach&, const Detach&) = default;
};

struct Resize {
  std::uint32_t channel = 0;
  std::uint16_t rows = 0;
  std::uint16_t cols = 0;
  friend bool operator==(const Resize&, const Resize&) = default;
};

struct Focus {
  std::uint32_t channel = 0;
  friend bool operator==(const Focus&, const Focus&) = default;
};

// The client does not show the terminal, or shows it again.
struct Hide {
  std::uint32_t channel = 0;
  friend bool operator==(const Hide&, const Hide&) = default;
};

struct Show {
  std::uint32_t channel = 0;
  friend bool operator==(const Show&, const Show&) = default;
};

struct ChangeRole {
  std::uint32_t channel = 0;
  Role role = Role::control;
  friend bool operator==(const ChangeRole&, const ChangeRole&) = default;
};

struct Colour {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  friend bool operator==(const Colour&, const Colour&) = default;
};

// The colours that programs get when they query them.
struct Theme {
  std::optional<Colour> foreground;
  std::optional<Colour> background;
  std::optional<Colour> cursor;
  std::optional<std::array<Colour, 16>> palette;
  friend bool operator==(const Theme&, const Theme&) = default;
};

struct Rename {
  std::string terminal_id;
  std::string name;  // Empty: removes the name.
  friend bool operator==(const Rename&, const Rename&) = default;
};

struct Reorder {
  std::vector<std::string> terminal_ids;
  friend bool operator==(const Reorder&, const Reorder&) = default;
};

struct Close {
  std::string terminal_id;
  friend bool operator==(const Close&, const Close&) = default;
};

// Input from a program. One of text, paste and keys is there, or `enter`.
struct Send {
  std::string terminal_id;
  std::optional<std::string> text;
  std::optional<std::string> paste;
  std::vector<std::string> keys;
  bool enter = false;
  std::optional<std::string> idempotency_key;
  std::optional<std::string> lease;
  std::optional<std::uint64_t> if_idle;  // Milliseconds.
  friend bool operator==(const Send&, const Send&) = default;
};

struct TakeLease {
  std::string terminal_id;
  std::optional<std::uint64_t> seconds;
  std::optional<std::string> holder;
  std::optional<std::string> lease;  // Renew this one.
  friend bool operator==(const TakeLease&, const TakeLease&) = default;
};

struct ReleaseLease {
  std::string terminal_id;
  std::string lease;
  friend bool operator==(const ReleaseLease&, const ReleaseLease&) = default;
};

// The commands that its shell ran.
struct CommandsOf {
  std::string terminal_id;
  std::optional<std::uint64_t> since;  // Only those that ran after this offset.
  std::optional<std::uint64_t> limit;  // Only that many, the newest.
  friend bool operator==(const CommandsOf&, const CommandsOf&) = default;
};

// The output of one of them.
struct CommandOutputOf {
  std::string terminal_id;
  std::uint64_t start = 0;  // Where it begins.
  friend bool operator==(const CommandOutputOf&, const CommandOutputOf&) = default;
};

// Looks through the lines of all terminals.
struct Search {
  std::string pattern;
  std::optional<std::string> session;  // Only its terminals.
  bool ignore_case = false;
  bool word = false;
  bool literal = false;
  std::optional<std::uint64_t> limit;
  friend bool operator==(const Search&, const Search&) = default;
};

// What people may want to hear of.
struct ListNotices {
  friend bool operator==(const ListNotices&, const ListNotices&) = default;
};

// Send sketches of these terminals, and of no others.
struct ShowOverview {
  std::vector<std::string> terminal_ids;
  friend bool operator==(const ShowOverview&, const ShowOverview&) = default;
};

struct Ping {
  friend bool operator==(const Ping&, const Ping&) = default;
};

}  // namespace wire::native
