// The file that keeps a terminal's rows. The format, with a worked example, is in docs/store.md.
// Files are not trusted when read.

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
inline constexpr std::size_t kMostSavedCommands = 512 * 1024;

struct SavedHistory {
  base::WallTime saved{};
  vt::Size size{};
  std::string rows{};      // From vt::save_rows.
  std::string commands{};  // From terminal::Commands::encode.

  friend bool operator==(const SavedHistory&, const SavedHistory&) = default;
};

[[nodiscard]] base::Result<std::string> encode_history(const SavedHistory& history);
// Fails with `corrupt` and the reason if the file is damaged. Does not check the rows themselves.
[[nodiscard]] base::Result<SavedHistory> decode_history(std::string_view bytes);

}  // namespace session
