// Where the store lies.

#pragma once

#include <filesystem>

namespace session {

[[nodiscard]] inline std::filesystem::path store_path(const std::filesystem::path& state_dir) {
  return state_dir / "holdfast.db";
}

}  // namespace session
