// Saves a terminal's rows, of its history and its primary screen, as bytes that outlive it, and
// restores them. Only text with attributes: no modes, no titles, no alternate screen. The format is
// in docs/store.md. Saved bytes are untrusted.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "vt/lines.h"
#include "vt/screen.h"

namespace vt {

// The newest rows that take at most `most` bytes, up to the last one that is not blank.
[[nodiscard]] std::string save_rows(const Screen& screen, std::size_t most);

// Output that shows them on a new terminal with that many columns. None if the bytes are not valid.
[[nodiscard]] std::optional<std::string> rows_as_output(std::string_view bytes, int cols);

// The lines of saved rows, like `Lines`. Bytes that are not valid end them.
class SavedLines {
 public:
  SavedLines(std::string_view bytes, int cols);
  [[nodiscard]] bool next(std::string& line);

 private:
  [[nodiscard]] bool read();

  std::string_view bytes_;
  int cols_;
  Tables tables_;
  Row row_;
  bool is_read_ = false;  // `row_` is not used yet.
};

}  // namespace vt
