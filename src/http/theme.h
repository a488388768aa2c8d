// The colours of a client that has no message for them, in its WebSocket's address: ?foreground=,
// background= and cursor=, each rrggbb.

#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "vt/screen.h"

namespace http {

// None if the address names no colour; what it leaves out is as it would be without.
[[nodiscard]] base::Result<std::optional<vt::Theme>> theme_of(std::string_view target);

}  // namespace http
