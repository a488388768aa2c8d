// A note that the keeper holds with each terminal: who owns it. It tells a daemon the owner even if
// the store is gone or could not be written.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "session/terminal_entry.h"

namespace session {

struct Label {
  UserId user;
  std::string user_name{};  // Finds the owner if the store has lost the ids.
  SessionId session;
  std::string session_name;
  Lifetime lifetime = Lifetime::kept;
  Origin origin = Origin::fresh;
};

[[nodiscard]] std::string to_text(const Label& label);
[[nodiscard]] std::optional<Label> parse_label(std::string_view text);

}  // namespace session
