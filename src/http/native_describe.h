// Terminals and sessions as the native protocol tells of them.

#pragma once

#include <cstddef>

#include "session/sessions.h"
#include "wire/native_events.h"

namespace http {

[[nodiscard]] wire::native::TerminalInfo describe(const session::Held& held);
// With what its program did a moment ago, if that is known.
[[nodiscard]] wire::native::TerminalInfo describe(const session::Held& held,
                                                  const session::Sessions::Doings& doings);
// With how many terminals it has, and how many that can be restored.
[[nodiscard]] wire::native::SessionInfo describe(const session::SessionRow& row,
                                                 std::size_t terminals, std::size_t restorable);

}  // namespace http
