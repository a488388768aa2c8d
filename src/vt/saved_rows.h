// The rows of a terminal, its history and its primary screen, as bytes that outlive it, and back.
// Text with attributes and nothing else: no modes, no titles, nothing of the alternate screen. The
// format is in docs/store.md. What comes back is untrusted.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "vt/screen.h"

namespace vt {

// The newest rows that take at most `most` bytes, up to the last one that shows something.
[[nodiscard]] std::string save_rows(const Screen& screen, std::size_t most);

// Output that shows them on a fresh terminal with that many columns. None if the bytes are not
// sound.
[[nodiscard]] std::optional<std::string> rows_as_output(std::string_view bytes, int cols);

}  // namespace vt
