// Where the queries stand in a terminal's output, so that viewers' slices leave them out.

#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <string>

#include "journal/format.h"
#include "vt/parser.h"

namespace terminal {

class QuerySpans {
 public:
  // Spans come in order. One that touches the one before becomes part of it, so a flood of queries
  // costs little.
  void add(vt::ByteSpan span);
  // Puts spans that all lie below the ones held in front of them.
  void add_older(const QuerySpans& older);
  void forget_below(journal::Offset offset);

  // Appends `bytes`, which stand at `from` in the output, without the queries among them.
  void append_without(std::string& out, journal::Offset from,
                      std::span<const std::byte> bytes) const;

  [[nodiscard]] std::size_t size() const { return spans_.size(); }

 private:
  std::deque<vt::ByteSpan> spans_;
};

}  // namespace terminal
