// What the screen shows, for people and programs: as plain text, or as JSON with every cell's
// attributes.

#pragma once

#include <string>
#include <string_view>

#include "vt/screen.h"
#include "vt/snapshot.h"

namespace vt {

struct CaptureOptions {
  int history_rows =
      0;  // the newest so many of what scrolled off the primary screen, before the screen
};

// The text of history and screen: rows that continue each other are joined, empty cells at the end
// of a line are left out, and so are empty lines at the end. Each line ends with LF.
[[nodiscard]] std::string text(const Screen& screen, const CaptureOptions& options = {});

// {"size":[cols,rows],"cursor":[x,y],"alternate":bool,"title":"…","history":[row…],"screen":[row…]}.
// A row is an array of runs [content, style, width], preceded by "wrapped" if it continues the row
// above; docs/vt.md says more.
[[nodiscard]] std::string json(const Screen& screen, const CaptureOptions& options = {});

// The parts json() is made of.
void append_json_string(std::string& out, std::string_view text);
void append_json_row(std::string& out, const Row& row, int cols, const Tables& tables);
[[nodiscard]] std::string style_words(const Style& style, const Link& link);

}  // namespace vt
