// Where viewers are sent something else than a terminal's output, and what.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>

#include "journal/format.h"
#include "vt/parser.h"

namespace terminal {

class Edits {
 public:
  // Edits come in order, and do not overlap. One without text that touches the next becomes part
  // of it, so a flood of queries costs little.
  void add(const vt::Edit& edit);
  // Puts edits that all lie below the ones held in front of them.
  void add_older(const Edits& older);
  void forget_below(journal::Offset offset);

  // Appends `bytes`, which stand at `from` in the output, as viewers are sent them: with the edits,
  // and U+FFFD where they are no UTF-8. Returns how far in the output that goes: an edit is sent as
  // a whole.
  [[nodiscard]] journal::Offset append_edited(std::string& out, journal::Offset from,
                                              std::span<const std::byte> bytes) const;

  [[nodiscard]] std::size_t size() const { return held_.size(); }

 private:
  // A program can ask a hundred thousand times in what the journal holds, so this is small.
  struct Held {
    journal::Offset begin;
    std::uint32_t length;
    std::uint32_t text_end;  // Where its text ends, and the next one's begins; it may wrap.

    [[nodiscard]] journal::Offset end() const { return begin + length; }
  };
  using Position = std::deque<Held>::const_iterator;
  void append_text(std::string& out, Position edit) const;

  std::deque<Held> held_;
  std::deque<char> text_;
  std::uint32_t text_begin_ = 0;
};

}  // namespace terminal
