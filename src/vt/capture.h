// What the screen shows, for people and programs: as plain text, as text with SGR sequences, or as
// JSON with every cell's attributes.

#pragma once

#include <string>
#include <string_view>

#include "vt/screen.h"
#include "vt/snapshot.h"

namespace vt {

struct CaptureOptions {
  int history_rows = 0;  // how many of the newest history rows to put before the screen
};

// The text of history and screen. Wrapped rows are joined, and empty cells at the end of a line and
// empty lines at the end are left out. Each line ends with LF.
[[nodiscard]] std::string text(const Screen& screen, const CaptureOptions& options = {});

// The same with the colours and attributes of the text as SGR sequences. Each line starts and ends
// with the default ones.
[[nodiscard]] std::string ansi(const Screen& screen, const CaptureOptions& options = {});

// {"size":[cols,rows],"cursor":[x,y],"alternate":bool,"title":"…","history":[row…],"screen":[row…]}.
// A row is an array of runs [content, style, width], preceded by "wrapped" if it continues the row
// above; see docs/vt.md.
[[nodiscard]] std::string json(const Screen& screen, const CaptureOptions& options = {});

// The parts of json().
void append_json_string(std::string& out, std::string_view text);
void append_json_row(std::string& out, const Row& row, int cols, const Tables& tables);
[[nodiscard]] std::string style_words(const Style& style, const Link& link);

}  // namespace vt
