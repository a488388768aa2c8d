// Durations as people write them.

#pragma once

#include <chrono>
#include <string>

#include "base/result.h"

namespace cli {

// 500ms, 2s, 1.5s, 3m, 1h; a number alone is seconds.
[[nodiscard]] base::Result<std::chrono::milliseconds> duration(const std::string& text);

}  // namespace cli
