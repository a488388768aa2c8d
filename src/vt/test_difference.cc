#include "vt/test_difference.h"

#include <limits>
#include <string>
#include <utility>

namespace vt {
namespace {

bool same_style(const Tables& ta, const Style& a, const Tables& tb, const Style& b) {
  Style plain_a = a;
  Style plain_b = b;
  plain_a.link = plain_b.link = 0;
  return plain_a == plain_b && ta.links[a.link] == tb.links[b.link];
}

std::string compare_rows(const Tables& ta, const Row& a, const Tables& tb, const Row& b, int cols) {
  if (a.wrapped != b.wrapped) return "wrapped flag";
  if (a.marks != b.marks) return "prompt marks";
  for (int x = 0; x < cols; ++x) {
    const Cell ca = a.at(x);
    const Cell cb = b.at(x);
    const std::string at = " of column " + std::to_string(x);
    if (ca.width() != cb.width()) return "width" + at;
    if (ta.text(ca) != tb.text(cb))
      return "text" + at + ": '" + ta.text(ca) + "' and '" + tb.text(cb) + "'";
    if (!same_style(ta, ta.styles[ca.style], tb, tb.styles[cb.style])) return "style" + at;
  }
  return "";
}

std::string compare_buffers(const State& sa, const Buffer& a, const State& sb, const Buffer& b) {
  if (a.cursor != b.cursor)
    return "cursor (" + std::to_string(a.cursor.x) + "," + std::to_string(a.cursor.y) + ") and (" +
           std::to_string(b.cursor.x) + "," + std::to_string(b.cursor.y) + ")";
  if (a.top != b.top || a.bottom != b.bottom) return "margins";
  if (a.tabs != b.tabs) return "tab stops";
  if (a.saved != b.saved) return "saved cursor";
  if (a.keyboard != b.keyboard) return "keyboard flags";
  if (a.grid.rows() != b.grid.rows()) return "number of rows";
  for (int y = 0; y < a.grid.rows(); ++y) {
    const std::string what =
        compare_rows(sa.tables, a.grid.row(y), sb.tables, b.grid.row(y), sa.size.cols);
    if (!what.empty()) return "row " + std::to_string(y) + ": " + what;
  }
  return "";
}

std::string compare_history(const State& a, const State& b) {
  Tables ta;
  Tables tb;
  Row row_a;
  Row row_b;
  History::Reader reader_a(a.history, std::numeric_limits<int>::max());
  History::Reader reader_b(b.history, std::numeric_limits<int>::max());
  for (int i = 0;; ++i) {
    const bool more_a = reader_a.next(a.size.cols, ta, row_a);
    const bool more_b = reader_b.next(b.size.cols, tb, row_b);
    if (more_a != more_b)
      return "number of history rows: one has " + std::to_string(i) + ", the other has more";
    if (!more_a) break;
    // The row before the oldest one is gone, so nothing shows whether the oldest continued it.
    if (i == 0) row_a.wrapped = row_b.wrapped;
    const std::string what = compare_rows(ta, row_a, tb, row_b, a.size.cols);
    if (!what.empty()) return "history row " + std::to_string(i) + ": " + what;
  }
  return "";
}

}  // namespace

std::string describe_difference(const State& a, const State& b) {
  if (a.size != b.size) return "size";
  if (a.alternate_active != b.alternate_active) return "active screen";
  if (std::string what = compare_buffers(a, a.primary, b, b.primary); !what.empty())
    return "primary: " + what;
  if (std::string what = compare_buffers(a, a.alternate, b, b.alternate); !what.empty())
    return "alternate: " + what;
  if (!same_style(a.tables, a.pen, b.tables, b.pen)) return "pen";
  if (a.preceding != b.preceding) return "preceding character";
  if (a.charsets != b.charsets) return "character sets";
  if (a.modes != b.modes) return "modes";
  if (a.lasting != b.lasting) return "lasting modes";
  if (a.mouse_protocol != b.mouse_protocol || a.mouse_encoding != b.mouse_encoding) return "mouse";
  if (a.titles != b.titles) return "titles";
  if (a.working_directory != b.working_directory) return "working directory";
  if (a.palette != b.palette) return "palette";
  return compare_history(a, b);
}

}  // namespace vt
