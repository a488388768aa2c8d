// The keeper's messages: docs/keeper-protocol.md. Encoding and decoding, no I/O.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/id.h"
#include "base/result.h"

namespace keeper {

using ChildId = base::Id<struct ChildTag>;

inline constexpr std::uint8_t kProtocolVersion = 1;
// Counts the additions to that version: docs/keeper-protocol.md lists them.
inline constexpr std::uint64_t kProtocolRevision = 2;
inline constexpr std::size_t kMaxPacket = 128 * 1024;
inline constexpr std::size_t kMaxDescriptors = 8;

enum class Tag : std::uint16_t {
  hello = 1,
  claim = 2,
  list = 3,
  attach = 4,
  spawn = 5,
  close = 6,
  listen = 7,
  unlisten = 8,
  yield = 9,
  upgrade = 10,
  spawn_confined = 16,
  hold = 17,
  listen_only = 18,
  error = 128,
  done = 129,
  welcome = 130,
  granted = 131,
  child = 132,
  listening = 133,
  exited = 192,
  let_go = 193,

  // Only in the saved state.
  saved_keeper = 256,
  saved_connection = 257,
  saved_listener = 258,
  saved_child = 259,
};

enum class Field : std::uint16_t {
  id = 1,
  kind = 2,
  argv = 3,
  env = 4,
  cwd = 5,
  rows = 6,
  cols = 7,
  replay = 8,
  history = 9,
  checkpoint = 10,
  pid = 11,
  state = 12,
  code = 13,
  signal = 14,
  offset = 15,
  produced = 16,
  created = 17,
  address = 18,
  version = 19,
  protocol = 20,
  owner = 21,
  count = 22,
  takeover = 23,
  grace = 24,
  path = 25,
  error_code = 26,
  error_number = 27,
  what = 28,
  advice = 29,
  label = 30,
  revision = 63,

  // In spawn_confined.
  uid = 40,
  gid = 41,
  group = 42,
  open_files = 43,
  account_processes = 44,
  address_space = 45,
  cpu_seconds = 46,
  core_size = 47,
  memory = 48,
  processes = 49,

  // Only in the state for an upgraded keeper (keeper/state.h). fd_… are descriptor numbers.
  fd_socket = 64,
  fd_memory = 65,
  fd_data = 66,
  fd_space = 67,
  fd_output = 68,
  fd_slave = 69,
  fd_outcome = 70,
  fd_lock = 71,
  fd_listener = 72,
  reaped = 73,
  closing = 74,
  drain_left = 75,
  limit = 76,
  connection = 77,
  request = 78,
  files_soft = 79,
  asked_address = 80,  // Also in `hold`.
  fd_previous = 81,
  cgroup = 96,
};

enum class Kind : std::uint8_t { terminal = 0, process = 1 };
enum class State : std::uint8_t { starting = 0, running = 1, exited = 2, closing = 3 };

[[nodiscard]] std::string_view to_string(Kind kind);
[[nodiscard]] std::string_view to_string(State state);

// How a process ended.
struct Exit {
  int code = 0;    // Its exit code, unless a signal ended it.
  int signal = 0;  // That signal, or 0.
  friend bool operator==(const Exit&, const Exit&) = default;
};

class Message {
 public:
  Message() = default;
  explicit Message(Tag tag, std::uint32_t request = 0) : tag_(tag), request_(request) {}

  [[nodiscard]] static base::Result<Message> decode(std::span<const std::byte> packet);
  [[nodiscard]] std::vector<std::byte> encode() const;

  [[nodiscard]] Tag tag() const { return tag_; }
  [[nodiscard]] std::uint32_t request() const { return request_; }

  Message& add(Field field, std::uint64_t value);
  Message& add(Field field, std::string_view text);
  Message& add(Field field, const std::vector<std::string>& texts);

  [[nodiscard]] std::optional<std::uint64_t> number(Field field) const;
  [[nodiscard]] std::vector<std::uint64_t> numbers(Field field) const;
  [[nodiscard]] std::uint64_t number_or(Field field, std::uint64_t otherwise) const;
  [[nodiscard]] std::string text(Field field) const;  // Empty if missing.
  [[nodiscard]] std::vector<std::string> texts(Field field) const;

 private:
  Tag tag_ = Tag::error;
  std::uint32_t request_ = 0;
  std::vector<std::pair<Field, std::string>> fields_;
};

// Converts errors to messages and back.
[[nodiscard]] Message error_message(std::uint32_t request, const base::Error& error);
[[nodiscard]] base::Error error_of(const Message& message);

void add_exit(Message& message, const Exit& exit);
[[nodiscard]] Exit exit_of(const Message& message);

}  // namespace keeper
