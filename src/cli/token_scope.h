// What `holdfast token` binds a token to, between people's names and the store's ids.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "session/store.h"

namespace cli {

struct WantedBounds {
  std::vector<std::string> sessions;   // Names.
  std::vector<std::string> terminals;  // Ids, names, or SESSION:NAME.
};

// Everything, if nothing is wanted. `not_found` if the user has no such session or terminal.
[[nodiscard]] base::Result<std::optional<session::Bounds>> find_bounds(session::Store& store,
                                                                       const session::UserId& user,
                                                                       const WantedBounds& wanted);

// The names of a user's sessions, or the ids of those that are gone.
[[nodiscard]] base::Result<std::vector<std::string>> session_names(session::Store& store,
                                                                   const session::UserId& user,
                                                                   const session::Bounds& bounds);

}  // namespace cli
