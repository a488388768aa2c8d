// Interns the pen's styles, and frees interned values that the screen no longer uses.

#include <utility>

#include "vt/screen.h"

namespace vt {

void Screen::intern_pen(std::uint64_t mix) {
  if (state_.tables.wants_sweep()) collect_garbage();
  const Style& pen = state_.pen;
  pen_id_ = state_.tables.styles.intern(pen.on_cell());
  erase_id_ = pen.bg == Color() ? 0 : state_.tables.styles.intern(pen.erased());
  // A pen that comes only once must not evict another.
  RecentPen& recent = recent_pens_[mix >> 60];
  const auto miss = static_cast<std::uint32_t>(mix >> 28);
  if (std::exchange(recent.last_miss, miss) == miss)
    recent = {.pen = pen, .id = pen_id_, .erase_id = erase_id_};
}

void Screen::collect_garbage() {
  Tables& tables = state_.tables;
  tables.styles.begin_marks();
  tables.graphemes.begin_marks();
  tables.links.begin_marks();
  const auto mark_style = [&tables](StyleId id) {
    tables.styles.mark(id);
    tables.links.mark(tables.styles[id].link);
  };
  const auto mark_cell = [&](Cell cell) {
    mark_style(cell.style);
    if (cell.is_grapheme()) tables.graphemes.mark(cell.content());
  };
  for (const Buffer* buffer : {&state_.primary, &state_.alternate}) {
    for (int y = 0; y < buffer->grid.rows(); ++y) {
      const Row& row = buffer->grid.row(y);
      charge(2 * static_cast<std::int64_t>(row.written().size()) + kRowWork);
      mark_cell(row.fill());
      StyleId marked = row.fill().style;
      for (const Cell cell : row.written()) {
        if (cell.style != marked) mark_style(marked = cell.style);
        if (cell.is_grapheme()) tables.graphemes.mark(cell.content());
      }
    }
  }
  mark_style(pen_id_);
  mark_style(erase_id_);
  tables.links.mark(state_.pen.link);
  if (restored_links_ != nullptr)
    for (const LinkId id : *restored_links_) tables.links.mark(id);
  recent_pens_ = {};
  recent_joins_ = {};
  tables.styles.sweep();
  tables.graphemes.sweep();
  tables.links.sweep();
  collected_at_ = work_;
}

}  // namespace vt
