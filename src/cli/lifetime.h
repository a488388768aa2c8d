// How long a credential is to be valid, as people write it: 1h, 1h30m, 90 (seconds).

#pragma once

#include <chrono>
#include <string>

#include "base/result.h"
#include "config/value.h"

namespace cli {

[[nodiscard]] inline base::Result<std::chrono::milliseconds> read_lifetime(
    const std::string& text) {
  using std::chrono::milliseconds;
  constexpr config::Range kRange{.least = milliseconds(std::chrono::seconds(1)).count(),
                                 .most = milliseconds(std::chrono::years(10)).count()};
  config::Duration lifetime{};
  if (config::read(text, {.range = kRange, .directory = {}, .home = {}}, lifetime)) return lifetime;
  return base::fail(base::Code::invalid_argument, "\"" + text + "\" is not a lifetime",
                    "Write it as 30m, 1h or 720h; at least 1s.");
}

}  // namespace cli
