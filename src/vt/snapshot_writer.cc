#include "vt/snapshot_writer.h"

#include <algorithm>
#include <utility>

#include "vt/cell_run.h"
#include "vt/screen.h"
#include "vt/sgr_writer.h"

namespace vt {
namespace {

constexpr std::string_view kWideBlank = "\u3000";
constexpr std::string_view kEraseToCursor = "1K";
constexpr std::size_t kMostLinkBytes = 4 << 20;

}  // namespace

void SnapshotWriter::use(const Tables& tables) {
  pen(Style(), Link());
  tables_ = &tables;
  pen_ = 0;
}

void SnapshotWriter::csi(int a, std::string_view final) {
  out_ += "\x1b[";
  append_number(out_, static_cast<unsigned>(a));
  out_ += final;
}

void SnapshotWriter::csi(int a, int b, std::string_view final) {
  out_ += "\x1b[";
  append_number(out_, static_cast<unsigned>(a));
  out_ += ';';
  append_number(out_, static_cast<unsigned>(b));
  out_ += final;
}

void SnapshotWriter::osc(std::string_view command, std::string_view text) {
  ((((out_ += "\x1b]") += command) += ';') += text) += "\x1b\\";
}

void SnapshotWriter::pen(StyleId id) {
  if (id == pen_) return;
  const Style& style = tables_->styles[id];
  pen(style, tables_->links[style.link]);
  pen_ = id;
}

void SnapshotWriter::pen(const Style& wanted, const Link& target) {
  Style style = wanted;
  // Half is for text.
  if (out_.size() > most_ / 2 && !(style == Style())) {
    style = {};
    is_whole_ = false;
  }
  LinkId id = std::exchange(style.link, 0);
  // If long links alternate from cell to cell, the rest of them is left out.
  if (link_bytes_ > kMostLinkBytes) id = 0;
  if (style != style_) {
    style_ = style;
    repeat_pen();
  }
  if (id != link_) link(id, target);
  pen_ = style == Style() && id == 0 ? 0 : ~StyleId{0};
}

void SnapshotWriter::link(LinkId id, const Link& link) {
  link_ = id;
  out_ += "\x1b]8;";
  if (is_checkpoint_ && id != 0) {
    const auto [known, is_new] = links_.try_emplace(id, links_.size());
    if (!is_new) {
      out_ += Screen::kLinkAgain;
      append_number(out_, static_cast<unsigned>(known->second));
      out_ += "\x1b\\";
      return;
    }
  }
  if (id != 0) link_bytes_ += link.id.size() + link.uri.size();
  if (id != 0 && !link.id.empty()) (out_ += "id=") += link.id;
  out_ += ';';
  if (id != 0) out_ += link.uri;
  out_ += "\x1b\\";
}

void SnapshotWriter::repeat_pen() {
  out_ += "\x1b[";
  if (style_ != Style()) append_sgr(out_, style_);
  out_ += 'm';
  // SGR 0 ends protection as well.
  if ((style_.flags & Style::kProtected) != 0) csi("1\"q");
}

bool SnapshotWriter::has_odd(const Row& row, const Tables& tables) {
  return tables.is_odd(row.fill()) ||
         std::ranges::any_of(row.written(), [&tables](Cell cell) { return tables.is_odd(cell); });
}

bool SnapshotWriter::is_all_odd(const Row& row) const {
  for (int x = 0; x < size_.cols; ++x)
    if (!tables_->is_odd(row.at(x))) return false;
  return true;
}

void SnapshotWriter::go_to(int x) {
  if (x == x_) return;
  if (x > x_ && x_ < size_.cols) {
    csi(x - x_, "C");
  } else {
    csi(x + 1, "G");
  }
  x_ = x;
}

void SnapshotWriter::cell_text(Cell cell, Charset charset) {
  std::string text = tables_->text(cell);
  const auto first = static_cast<unsigned char>(text.front());
  if (charset != Charset::us && first < 0x80)
    text.front() = untranslate(charset, first).value_or(text.front());
  out_ += text;
}

void SnapshotWriter::row(const Row& row, const Row* next, const Tables& next_tables) {
  int end = cells_end(row, next != nullptr && next->wrapped);
  const bool odd = has_odd(row, *tables_);
  if (odd) {
    odd_cells(row, end);
    end = std::min(end + 1, size_.cols);
  }
  cells(row, 0, end, odd);
  end_row(row, next, next_tables);
}

void SnapshotWriter::row_start(const Row& row, int end) {
  cells(row, 0, std::min(end, cells_end(row, false)), false);
  if (end < size_.cols) go_to(end);
}

void SnapshotWriter::row_rest(const Row& row, int begin, const Row* next,
                              const Tables& next_tables) {
  cells(row, begin, cells_end(row, next != nullptr && next->wrapped), false);
  end_row(row, next, next_tables);
}

void SnapshotWriter::end_row(const Row& row, const Row* next, const Tables& next_tables) {
  marks(row);
  if (next != nullptr && next->wrapped) return wrap_to(row, *next, next_tables);
  if (is_all_odd(row)) return wrap_from_odd(row);
  if (next == nullptr) return;
  // The row that scrolls in is filled with the pen's background.
  if (style_.bg != Color()) pen(Style(), Link());
  out_ += "\r\n";
  x_ = 0;
}

// The end of the last cell that has to be written.
int SnapshotWriter::cells_end(const Row& row, bool next_wraps) const {
  const int cols = size_.cols;
  int end = row.fill() == Cell() ? static_cast<int>(row.written().size()) : cols;
  // The wrap itself leaves the last column empty, in the right style.
  if (next_wraps && end == cols && !row.at(cols - 1).has_content() && !row.at(cols - 1).is_spacer())
    --end;
  while (end > 0 && row.at(end - 1) == Cell()) --end;
  return end;
}

void SnapshotWriter::cells(const Row& row, int begin, int end, bool explicit_blanks) {
  if (out_.size() > most_) {
    is_whole_ = is_whole_ && begin >= end;
    return;
  }
  for (int x = begin; x < end;) {
    const Cell cell = row.at(x);
    if (wrapped_in_color_) {
      x = text_run(row, x, x + (cell.is_wide() ? 2 : 1));
      clear_rest();
    } else if (cell.has_content()) {
      x = text_run(row, x, end);
    } else {
      x = empty_run(row, x, end, explicit_blanks);
    }
  }
}

int SnapshotWriter::empty_run(const Row& row, int x, int end, bool explicit_blanks) {
  const Cell cell = row.at(x);
  int after = x + 1;
  while (after < end && row.at(after) == cell) ++after;
  if (tables_->is_odd(cell) || (cell.style == 0 && !explicit_blanks)) return after;
  go_to(x);
  pen(cell.style);
  csi(after - x, "X");
  return after;
}

int SnapshotWriter::text_run(const Row& row, int x, int end) {
  const Cell cell = row.at(x);
  go_to(x);
  pen(cell.style);
  const std::span<const Cell> written = row.written();
  if (const int until = std::min(end, static_cast<int>(written.size())); x < until) {
    const auto rest =
        written.subspan(static_cast<std::size_t>(x), static_cast<std::size_t>(until - x));
    const std::size_t before = out_.size();
    out_.resize(before + rest.size());
    const std::size_t length = take_ascii(rest, out_.data() + before);
    out_.resize(before + length);
    x_ = x + static_cast<int>(length);
    if (length > 0) return x_;
  }
  if (cell.width() == Width::zero) repeat_pen();
  tables_->append_text(out_, cell);
  x_ = x + (cell.is_wide() ? 2 : 1);
  return std::min(x_, end);
}

// Empty cells that keep more of a style than its background come from partly overwritten wide
// characters, and are reproduced the same way. That spoils a neighbour, so they come before the
// rest of the row.
void SnapshotWriter::odd_cells(const Row& row, int end) {
  for (int x = 0; x < end; ++x) {
    if (!tables_->is_odd(row.at(x))) continue;
    int last = x;
    while (last + 1 < end && tables_->is_odd(row.at(last + 1))) ++last;
    if (x > 0) {
      odd_run_from_right(row, x, last);
    } else {
      odd_run_from_left(row, std::min(last, size_.cols - 2));
    }
    x = last;
  }
}

// Printing over the first half empties the second, in the pen's style.
void SnapshotWriter::odd_run_from_right(const Row& row, int first, int last) {
  for (int x = last; x >= first; --x) {
    go_to(x - 1);
    pen(row.at(x).style);
    out_ += kWideBlank;
    x_ = x + 1;
    go_to(x - 1);
    out_ += ' ';
    x_ = x;
  }
}

// Printing over the second half empties the first.
void SnapshotWriter::odd_run_from_left(const Row& row, int last) {
  go_to(0);
  out_ += kWideBlank;
  x_ = 2;
  for (int x = 0; x <= last; ++x) {
    if (x_ != x + 1) csi(x + 2, "G");
    pen(row.at(x).style);
    out_ += x < last ? kWideBlank : " ";
    x_ = x + 1 + (x < last ? 2 : 1);
  }
}

void SnapshotWriter::marks(const Row& row) {
  const std::uint8_t bits = row.marks.bits;
  if (bits == 0) return;
  const std::string of =
      row.marks.start != 0 ? ";start=" + std::to_string(row.marks.start) : std::string();
  if ((bits & PromptMarks::kEnd) != 0)
    osc("133", (bits & PromptMarks::kHasStatus) != 0 ? "D;" + std::to_string(row.marks.status) + of
                                                     : (of.empty() ? "D" : "D;" + of));
  if ((bits & PromptMarks::kPrompt) != 0) osc("133", "A");
  if ((bits & PromptMarks::kCommand) != 0) osc("133", "B");
  if ((bits & PromptMarks::kOutput) != 0) osc("133", "C" + of);
}

// Whether printing the next row's first character is enough to wrap.
bool SnapshotWriter::wraps_by_itself(const Row& next, const Tables& next_tables) {
  const Cell first = next.at(0);
  return first.has_content() && first.width() != Width::zero && !has_odd(next, next_tables);
}

// The character that wrapped scrolled in a row with its own background.
void SnapshotWriter::clear_rest() {
  wrapped_in_color_ = false;
  pen(Style(), Link());
  csi("K");
}

void SnapshotWriter::wrap_to(const Row& row, const Row& next, const Tables& next_tables) {
  const Cell last = row.at(size_.cols - 1);
  const bool full = last.has_content() || last.is_spacer();
  const Style& next_style = next_tables.styles[next.at(0).style];
  // A wide character that does not fit leaves the last column empty, in its own style.
  const bool wide = !full && next.at(0).is_wide() && tables_->styles[last.style] == next_style;
  if ((full || wide) && wraps_by_itself(next, next_tables)) {
    if (wide) go_to(size_.cols - 1);
    x_ = 0;
    wrapped_in_color_ = next_style.bg != Color();
    return;
  }
  if (full) {
    x_ = 0;
    // Move back, not to the start of the row: a wider terminal has not wrapped.
    pen(Style(), Link());
    out_ += size_.cols > 1 ? " \b\x1b[X" : " \r\x1b[X";
    return;
  }
  if (size_.cols == 1) {
    out_ += ' ';
    pen(last.style);
    csi(kEraseToCursor);
    pen(Style(), Link());
    out_ += " \r";
  } else {
    go_to(size_.cols - 1);
    pen(last.style);
    out_ += kWideBlank;
    pen(Style(), Link());
    out_ += "\b\b";
  }
  csi(size_.cols, "X");
  x_ = 0;
}

// The last of a row of only odd cells is produced by a wide character that does not fit. It lands
// on the next row, which is then cleared and no longer continues this one.
void SnapshotWriter::wrap_from_odd(const Row& row) {
  go_to(size_.cols - 1);
  pen(row.at(size_.cols - 1).style);
  out_ += kWideBlank;
  pen(Style(), Link());
  out_ += "\r\x1b[2K";
  x_ = 0;
}

void SnapshotWriter::wrap_top_row() {
  pen(Style(), Link());
  csi(1, size_.cols, "H");
  out_ += "  ";
  if (size_.rows > 1) {
    raw("\x1b[H\x1b[M");
  } else {
    raw("\x1b[3J\r");
  }
  csi("X");
  x_ = 0;
}

}  // namespace vt
