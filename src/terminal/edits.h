// The places where viewers get something other than the terminal's output.

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
  // Edits must come in order and not overlap. An edit without text merges with an adjacent next
  // one, so a flood of queries costs little.
  void add(const vt::Edit& edit);
  // Adds edits that all come before those that are here.
  void add_older(const Edits& older);
  void forget_below(journal::Offset offset);

  // Appends what viewers get for `bytes`, which are at `from` in the output: the edits are applied,
  // and invalid UTF-8 becomes U+FFFD. Returns the offset reached, which may be past the bytes
  // because an edit is sent whole.
  [[nodiscard]] journal::Offset append_edited(std::string& out, journal::Offset from,
                                              std::span<const std::byte> bytes) const;

  [[nodiscard]] std::size_t size() const { return edits_.size(); }

 private:
  // Small, because the journal can hold a hundred thousand queries.
  struct StoredEdit {
    journal::Offset begin;
    std::uint32_t length;
    std::uint32_t text_end;  // Where its text ends and the next one's begins. May wrap around.

    [[nodiscard]] journal::Offset end() const { return begin + length; }
  };
  using Position = std::deque<StoredEdit>::const_iterator;
  void append_text(std::string& out, Position edit) const;

  std::deque<StoredEdit> edits_;
  std::deque<char> text_;
  std::uint32_t text_begin_ = 0;
};

}  // namespace terminal
