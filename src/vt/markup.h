// What the screen shows as a document: HTML and SVG, with colours, attributes and links.
//
// Everything that came from a program is escaped, and left out where a document may not have it.
// Only links to http, https and mailto become links. So no script can come out of it.

#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "vt/capture.h"

namespace vt {

struct MarkupOptions {
  int history_rows = 0;
  Theme theme{};
  std::size_t most = 16 * 1024 * 1024;  // Bytes.
};

// A whole document. None if it would be larger than `most`.
[[nodiscard]] std::optional<std::string> html(const Screen& screen, const MarkupOptions& options);
[[nodiscard]] std::optional<std::string> svg(const Screen& screen, const MarkupOptions& options);

}  // namespace vt
