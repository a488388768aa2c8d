// The interned values that cells refer to.

#pragma once

#include <string>
#include <string_view>

#include "vt/cell.h"
#include "vt/interner.h"
#include "vt/utf8.h"

namespace vt {

inline std::size_t bytes_owned(const Link& link) {
  return bytes_owned(link.id) + bytes_owned(link.uri);
}

struct Tables {
  // Of all links of a screen together.
  static constexpr std::size_t kMostLinkBytes = 1 << 20;

  Interner<Style> styles{512};
  Interner<std::string> graphemes{512};  // UTF-8; id 0 is not used
  Interner<Link> links{64};
  bool has_protected = false;  // a style, now or earlier

  [[nodiscard]] bool has_room_for(const Link& link) const {
    return links.owned() + bytes_owned(link) <= kMostLinkBytes || links.contains(link);
  }
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
  // An odd cell: an empty cell that keeps more of a style than its background. It is left over from
  // a partly overwritten wide character.
  [[nodiscard]] bool is_odd(Cell cell) const {
    if (cell.style == 0 || cell.has_content() || cell.is_spacer()) return false;
    return !(styles[cell.style] == styles[cell.style].erased());
  }
  [[nodiscard]] std::size_t memory() const {
    return styles.memory() + graphemes.memory() + links.memory();
  }
};

}  // namespace vt
