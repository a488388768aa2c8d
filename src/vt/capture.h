// What the screen shows as plain text, for people and programs.

#pragma once

#include <string>

#include "vt/screen.h"
#include "vt/snapshot.h"

namespace vt {

struct CaptureOptions {
  int history_rows = 0;  // how many of the newest history rows to put before the screen
};

// The text of history and screen. Wrapped rows are joined, and empty cells at the end of a line and
// empty lines at the end are left out. Each line ends with LF.
[[nodiscard]] std::string text(const Screen& screen, const CaptureOptions& options = {});

}  // namespace vt
