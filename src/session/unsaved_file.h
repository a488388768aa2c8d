// A file in the runtime directory with changes that the store refused. That directory is usually
// not on the store's disk. So if the daemon dies before the store accepts them, the next daemon
// still finds them.

#pragma once

#include <filesystem>
#include <vector>

#include "base/result.h"
#include "session/rows.h"

namespace session {

struct Unsaved {
  std::vector<TerminalRow> rows;
  std::vector<TerminalId> removed;

  friend bool operator==(const Unsaved&, const Unsaved&) = default;
};

class UnsavedFile {
 public:
  explicit UnsavedFile(std::filesystem::path path) : path_(std::move(path)) {}

  // Empty if there is no file.
  [[nodiscard]] base::Result<Unsaved> read() const;
  // Replaces the file atomically. Removes it if there is nothing to keep.
  [[nodiscard]] base::Status write(const Unsaved& unsaved) const;

 private:
  std::filesystem::path path_;
};

}  // namespace session
