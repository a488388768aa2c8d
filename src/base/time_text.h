// Times as text, for protocols, files and people.

#pragma once

#include <string>

#include "base/clock.h"

namespace base {

// In UTC, as RFC 3339 has it.
[[nodiscard]] std::string utc_milliseconds(WallTime time);  // 2026-11-15T04:12:07.123Z
[[nodiscard]] std::string utc_seconds(WallTime time);       // 2026-11-15T04:12:07Z
// In UTC, without characters that are awkward in a file's name.
[[nodiscard]] std::string utc_compact(WallTime time);  // 20261115T041207Z

// In the time zone of this process ($TZ).
[[nodiscard]] std::string local_minutes(WallTime time);      // 2026-11-15 04:12
[[nodiscard]] std::string local_time_of_day(WallTime time);  // 04:12:07

}  // namespace base
