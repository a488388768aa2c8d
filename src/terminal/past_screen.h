// A terminal's screen as it was at an offset. It is made a turn at a time from what the journal
// still has: a checkpoint before that offset, or the beginning, and the output after it.

#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "base/result.h"
#include "journal/consumer.h"
#include "vt/screen.h"

namespace terminal {

class PastScreen {
 public:
  // `had_preamble`: the terminal showed something before its first byte of output. Fails with
  // `not_found` if the journal no longer has what is needed; the error names the oldest offset that
  // it has.
  [[nodiscard]] static base::Result<PastScreen> at(journal::Consumer& journal,
                                                   journal::Offset offset, bool had_preamble);

  // Feeds one turn's worth. Returns whether that was all. Fails if the journal has overwritten the
  // output by then.
  [[nodiscard]] base::Result<bool> step();
  [[nodiscard]] const vt::Screen& screen() const { return *screen_; }

 private:
  PastScreen(journal::Consumer& journal, journal::Offset offset)
      : journal_(&journal), offset_(offset) {}

  journal::Consumer* journal_;
  journal::Offset offset_;
  std::vector<std::byte> ring_;
  std::unique_ptr<vt::Screen> screen_;
  std::deque<journal::Resize> resizes_;  // Those to come.
};

}  // namespace terminal
