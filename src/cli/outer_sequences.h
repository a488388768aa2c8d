// What `holdfast attach` writes to the outer terminal by itself: the terminal that a person looks
// at, in which the other one is shown.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

// Lines at the bottom, over whatever is there. They are text: control characters are escaped.
struct Cover {
  std::vector<std::string> lines;
  std::optional<std::size_t> selected;  // This line is set off from the others.
  friend bool operator==(const Cover&, const Cover&) = default;
};
// Draws it, and turns off what would keep keys from arriving plain: mouse, keyboard protocols.
[[nodiscard]] std::string cover(OuterSize size, const Cover& cover);
// Removes it: brings back the screen from a snapshot without history. Nothing gets into the
// scrollback, and nothing leaves it.
[[nodiscard]] std::string uncover(OuterSize size, std::string_view snapshot);

// Asks the terminal for its colours, and last for what every terminal answers.
[[nodiscard]] std::string_view ask_colours();

// For the end: undoes modes, and goes to the line below what is shown.
[[nodiscard]] std::string goodbye(OuterSize size);

}  // namespace cli
