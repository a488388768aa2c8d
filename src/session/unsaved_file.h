// What the store would not take, in a file of the runtime directory. That is another disk than the
// store's, or none: so a daemon that ends, or is killed, before the store takes it leaves it to the
// next one.

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

  // Nothing of it, if there is no file.
  [[nodiscard]] base::Result<Unsaved> read() const;
  // In place of what was there, whole or not at all. With nothing to keep there is no file.
  [[nodiscard]] base::Status write(const Unsaved& unsaved) const;

 private:
  std::filesystem::path path_;
};

}  // namespace session
