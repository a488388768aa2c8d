// The interned values that cells refer to.

#pragma once

#include <string>
#include <string_view>

#include "vt/cell.h"
#include "vt/interner.h"
#include "vt/utf8.h"

namespace vt {

struct Tables {
  Interner<Style> styles{512};
  Interner<std::string> graphemes{512};  // UTF-8; id 0 is not used
  Interner<Link> links{64};
  bool has_protected = false;  // a style, now or earlier

  [[nodiscard]] bool wants_sweep() const {
    return styles.wants_sweep() || graphemes.wants_sweep() || links.wants_sweep();
  }
  void append_text(std::string& out, Cell cell) const {
    if (cell.is_grapheme()) {
      out += graphemes[cell.content()];
    } else if (cell.content() != 0) {
      append_utf8(out, cell.content());
    }
  }
  [[nodiscard]] std::string text(Cell cell) const {
    std::string out;
    append_text(out, cell);
    return out;
  }
  // An empty cell that keeps more of a style than its background: what is left of a wide character
  // that was overwritten in part.
  [[nodiscard]] bool is_odd(Cell cell) const {
    if (cell.style == 0 || cell.has_content() || cell.is_spacer()) return false;
    return !(styles[cell.style] == styles[cell.style].erased());
  }
  [[nodiscard]] std::size_t memory() const {
    return styles.memory() + graphemes.memory() + links.memory();
  }
};

}  // namespace vt
