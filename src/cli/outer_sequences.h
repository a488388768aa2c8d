// What `holdfast attach` writes to the outer terminal by itself: the terminal that a person looks
// at, in which the other one is shown.

#pragma once

#include <string>
#include <string_view>

namespace cli {

struct OuterSize {
  int cols = 80;
  int rows = 24;
  friend bool operator==(const OuterSize&, const OuterSize&) = default;
};

// Undoes what a program may have left on: modes, margins, colours, tab stops, the alternate screen.
// Not with a full reset (ESC c), since that erases the person's scrollback.
[[nodiscard]] std::string undo_modes(OuterSize size);

// A snapshot's first bytes are a full reset. These functions put something milder in its place.
// The first one keeps what the outer terminal has shown so far in its scrollback.
[[nodiscard]] std::string first_picture(OuterSize size, std::string_view snapshot);
// The scrollback is erased: the snapshot has the history, which must not be there twice.
[[nodiscard]] std::string next_picture(OuterSize size, std::string_view snapshot);

// One line at the bottom, over whatever is there.
[[nodiscard]] std::string notice(OuterSize size, std::string_view text);

// For the end: undoes modes, and goes to the line below what is shown.
[[nodiscard]] std::string goodbye(OuterSize size);

}  // namespace cli
