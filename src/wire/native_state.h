// What a terminal does, in messages and in the HTTP API.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "wire/json_writer.h"
#include "wire/native_request_id.h"

namespace wire::native {

struct TerminalState {
  std::string kind;  // As in docs/protocol.md, "States".
  std::optional<std::string> command{};
  std::optional<base::WallTime> since{};
  std::optional<int> exit_code{};
  std::optional<int> progress{};
  std::optional<std::string> text{};
};

// Writes it as an object.
void write(JsonWriter& writer, std::string_view key, const TerminalState& state);

// An event: the terminal is in another state now.
[[nodiscard]] std::string changed(std::string_view terminal_id, const TerminalState& state);

// Something that a person may want to hear of.
struct NoticeInfo {
  std::string at;
  std::string terminal_id;
  std::string session;
  std::optional<std::string> name{};  // Or the title.
  std::string kind;                   // As in docs/protocol.md, "Notices".
  std::optional<std::string> command{};
  std::optional<std::string> text{};
  std::optional<int> exit_code{};
  std::optional<std::int64_t> duration{};  // Milliseconds.
  bool watched = false;                    // Somebody had it in sight.
};

[[nodiscard]] std::string notice(const NoticeInfo& notice);
[[nodiscard]] std::string notices(const std::optional<RequestId>& request,
                                  std::span<const NoticeInfo> notices);

// What a terminal shows, small.
struct SketchInfo {
  std::string terminal_id;
  int rows = 0;
  int cols = 0;
  std::optional<std::pair<int, int>> cursor{};  // Column and row.
  std::map<int, std::string> lines{};           // Those that have changed, as JSON.
};

[[nodiscard]] std::string sketch(const SketchInfo& sketch);

}  // namespace wire::native
