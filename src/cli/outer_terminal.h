// The terminal that a person looks at: raw while it shows another one, and as before afterwards.
//
// Invariants
// 1. After `leave`, which the destructor calls too, its settings are those from before `enter`, and
//    no mode that a program may have left on is on. The same if a signal ends the process before.
// 2. It is read and written without blocking, through descriptors of its own where the system
//    allows it: other programs that share the terminal never find theirs changed.

#pragma once

#include <termios.h>

#include <memory>
#include <optional>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "cli/outer_sequences.h"

namespace cli {

class OuterTerminal {
 public:
  // Fails unless standard input and output are terminals.
  [[nodiscard]] static base::Result<std::unique_ptr<OuterTerminal>> open();
  ~OuterTerminal();
  OuterTerminal(const OuterTerminal&) = delete;
  OuterTerminal& operator=(const OuterTerminal&) = delete;

  [[nodiscard]] base::Status enter();
  void leave();
  // Something was drawn, so there is something to undo.
  void was_drawn_on() { drawn_on_ = true; }

  // Without waiting for long. What the terminal does not take is left out.
  void write_now(std::string_view bytes) const;

  [[nodiscard]] OuterSize size() const;
  [[nodiscard]] const base::Fd& input() const { return input_.fd; }
  [[nodiscard]] const base::Fd& output() const { return output_.fd; }

 private:
  struct End {
    base::Fd fd;
    std::optional<int> flags;  // Those to restore, if the descriptor is shared with others.
  };

  OuterTerminal(End input, End output, termios before)
      : input_(std::move(input)), output_(std::move(output)), before_(before) {}
  [[nodiscard]] static base::Result<End> own(int shared);

  End input_;
  End output_;
  termios before_;
  bool entered_ = false;
  bool drawn_on_ = false;
};

}  // namespace cli
