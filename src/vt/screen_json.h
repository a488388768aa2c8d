// What the screen shows, as JSON with every cell's attributes. tests/oracle/README.md describes it.

#pragma once

#include <string>
#include <string_view>

#include "vt/capture.h"

namespace vt {

// {"size":[cols,rows],"cursor":[x,y],"alternate":bool,"title":"…","history":[row…],"screen":[row…]}.
// A row is an array of runs [content, style, width], preceded by "wrapped" if it continues the row
// above.
[[nodiscard]] std::string json(const Screen& screen, const CaptureOptions& options = {});

// The parts of json().
void append_json_string(std::string& out, std::string_view text);
enum class Links { shown, hidden };
void append_json_row(std::string& out, const Row& row, int cols, const Tables& tables,
                     Links links = Links::shown);
[[nodiscard]] std::string style_words(const Style& style, const Link& link);

}  // namespace vt
