// A terminal's rows as they outlive it, in a file. The format, with a worked example, is in
// docs/store.md. What is read is untrusted.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "vt/state.h"

namespace session {

// Before compression.
inline constexpr std::size_t kMostSavedRows = 1024 * 1024;

struct SavedHistory {
  base::WallTime saved{};
  vt::Size size{};
  std::string rows{};  // As vt::save_rows makes them.

  friend bool operator==(const SavedHistory&, const SavedHistory&) = default;
};

[[nodiscard]] base::Result<std::string> encode_history(const SavedHistory& history);
// `corrupt`, and why, if the bytes are no such file. Whether the rows are sound shows when they are
// used.
[[nodiscard]] base::Result<SavedHistory> decode_history(std::string_view bytes);

}  // namespace session
