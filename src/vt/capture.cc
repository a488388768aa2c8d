#include "vt/capture.h"

#include <algorithm>

#include "vt/sgr_writer.h"

namespace vt {

std::string text(const Screen& screen, const CaptureOptions& options) {
  const int cols = screen.size().cols;
  std::string out;
  std::size_t kept = 0;  // the end of what is not empty cells or line ends
  bool first = true;
  for_each_row(screen, options, [&](const Row& row, const Tables& tables, bool /*history*/) {
    if (!first && !row.wrapped) out.resize(kept);
    if (!first && !row.wrapped) out += '\n';
    if (first || !row.wrapped) kept = std::max(kept, out.size());
    first = false;
    const int end = row.content_length(cols);
    for (int x = 0; x < cols; ++x) {
      const Cell cell = row.at(x);
      if (cell.is_spacer()) continue;
      if (cell.has_content()) {
        tables.append_text(out, cell);
      } else {
        out += ' ';
      }
      if (x < end) kept = out.size();
    }
  });
  out.resize(kept);
  while (out.ends_with('\n')) out.pop_back();
  if (!out.empty()) out += '\n';
  return out;
}

std::string ansi(const Screen& screen, const CaptureOptions& options) {
  const int cols = screen.size().cols;
  std::string out;
  std::size_t kept = 0;  // the end of the last line that is not empty
  Style pen;
  const auto use = [&](const Style& style) {
    if (style == pen) return;
    out += "\x1b[";
    append_sgr(out, style);
    out += 'm';
    pen = style;
  };
  bool first = true;
  for_each_row(screen, options, [&](const Row& row, const Tables& tables, bool /*history*/) {
    if (!first && !row.wrapped) {
      use(Style());
      out += '\n';
    }
    first = false;
    int end = cols;
    while (end > 0 && row.at(end - 1) == Cell()) --end;
    for (int x = 0; x < end; ++x) {
      const Cell cell = row.at(x);
      if (cell.is_spacer()) continue;
      use(tables.styles[cell.style]);
      if (cell.has_content())
        tables.append_text(out, cell);
      else
        out += ' ';
    }
    if (end > 0) kept = out.size();
  });
  out.resize(kept);
  use(Style());
  if (!out.empty()) out += '\n';
  return out;
}

}  // namespace vt
