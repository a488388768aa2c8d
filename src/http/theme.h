// Colours in a WebSocket address, for protocols that have no message for them: ?foreground=,
// background= and cursor=, each rrggbb.

#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "vt/screen.h"

namespace http {

// None if the address has no colours. Missing colours get their defaults.
[[nodiscard]] base::Result<std::optional<vt::Theme>> theme_of(std::string_view target);

}  // namespace http
