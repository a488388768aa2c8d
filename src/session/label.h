// The note that goes with a terminal into the keeper: whose it is. A daemon whose store is gone, or
// could not be written, still knows the owner by it.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "session/sessions.h"

namespace session {

struct Label {
  UserId user;
  std::string user_name{};  // By which the owner is found in a store that has forgotten the ids.
  SessionId session;
  std::string session_name;
  Lifetime lifetime = Lifetime::kept;
  Origin origin = Origin::fresh;
};

[[nodiscard]] std::string to_text(const Label& label);
[[nodiscard]] std::optional<Label> parse_label(std::string_view text);

}  // namespace session
