#include "cli/outer_sequences.h"

#include <algorithm>

#include "cli/columns.h"

namespace cli {
namespace {

constexpr std::string_view kFullReset =
    "\x1b"
    "c";

// The output may have stopped in the middle of a sequence or string: this ends it.
constexpr std::string_view kGround = "\x18\x1b\\";

// Each screen has flags of its own.
constexpr std::string_view kNoKeyboardFlags = "\x1b[<99u\x1b[=0u";

// What a snapshot brings back.
constexpr std::string_view kUndoScreen =
    "\x1b[m\x1b]8;;\x1b\\"                       // attributes, hyperlink
    "\x1b[4l\x1b[20l"                            // insert, newline
    "\x1b[?1l\x1b>"                              // application keys
    "\x1b[?6l\x1b[?7h\x1b[?45l"                  // origin, wraparound, reverse wraparound
    "\x1b[?69l\x1b[r"                            // margins
    "\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l"  // mouse
    "\x1b[?1006l\x1b[?1016l"                     // its encodings
    "\x1b[?1004l\x1b[?2004l"                     // focus reports, bracketed paste
    "\x1b(B\x1b)B\x0f"                           // character sets
    "\x1b[?25h\x1b[0 q";                         // cursor

// What only the outer terminal knows.
constexpr std::string_view kUndoRest =
    "\x1b[?5l"                                                   // reverse video
    "\x1b[?1001l\x1b[?1005l\x1b[?1015l"                          // mouse
    "\x1b[?2031l\x1b[?2048l"                                     // reports of colours and sizes
    "\x1b[>4m"                                                   // modifyOtherKeys
    "\x1b]104\x1b\\\x1b]110\x1b\\\x1b]111\x1b\\\x1b]112\x1b\\";  // colours

// Pastes stay apart from keys.
constexpr std::string_view kPlainKeys =
    "\x1b[=0u\x1b[?1l\x1b>"
    "\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?2004h";

std::string usual_tabs(int cols) {
  constexpr int kEvery = 8;
  std::string out = "\r\x1b[3g";
  for (int column = 1 + kEvery; column <= cols; column += kEvery)
    out += "\x1b[" + std::to_string(column) + "G\x1bH";
  return out + "\r";
}

// What is too long for the row is cut off there.
std::string padded_to(std::string line, int cols) {
  const auto taken = static_cast<int>(columns_of(line));
  if (taken < cols) line.append(static_cast<std::size_t>(cols - taken), ' ');
  return line;
}

std::string_view without_reset(std::string_view snapshot) {
  if (snapshot.starts_with(kFullReset)) snapshot.remove_prefix(kFullReset.size());
  return snapshot;
}

}  // namespace

std::string undo_modes(OuterSize size) {
  return std::string(kGround)
      .append("\x1b[?2026l")  // Synchronised output: what follows must be shown.
      .append(kNoKeyboardFlags)
      .append("\x1b[?1049l")
      .append(kNoKeyboardFlags)
      .append("\x1b[!p")  // A soft reset, where it is known.
      .append(kUndoScreen)
      .append(kUndoRest)
      .append(usual_tabs(size.cols));
}

std::string first_picture(OuterSize size, std::string_view snapshot) {
  // Wherever the cursor is, a line feed for each row of the screen scrolls all of it into the
  // scrollback, and no empty line more.
  return std::string(static_cast<std::size_t>(size.rows), '\n')
      .append(undo_modes(size))
      .append("\x1b[H\x1b[2J")
      .append(without_reset(snapshot));
}

std::string next_picture(OuterSize size, std::string_view snapshot) {
  return undo_modes(size).append("\x1b[H\x1b[2J\x1b[3J").append(without_reset(snapshot));
}

std::string cover(OuterSize size, const Cover& cover) {
  std::string out = std::string(kGround)
                        .append("\x1b[?2026l")
                        .append(kPlainKeys)
                        .append("\x1b[?6l\x1b[?69l\x1b[r\x1b[?7l\x1b[4l\x1b(B\x0f\x1b[?25l");
  const auto rows = static_cast<std::size_t>(size.rows);
  for (std::size_t i = cover.lines.size() - std::min(rows, cover.lines.size());
       i < cover.lines.size(); ++i) {
    const std::size_t row = rows - (cover.lines.size() - 1 - i);
    out += "\x1b[" + std::to_string(row) + ";1H" +
           (cover.selected == i ? "\x1b[0;1m>" : "\x1b[0;7m ") +
           padded_to(cover.lines[i], size.cols - 1);
  }
  return out + "\x1b[m";
}

// Erases row by row: some terminals put a screen that is erased at once into the scrollback.
std::string uncover(OuterSize size, std::string_view snapshot) {
  std::string out = std::string(kGround)
                        .append(kNoKeyboardFlags)
                        .append("\x1b[?1049l")
                        .append(kNoKeyboardFlags)
                        .append(kUndoScreen)
                        .append(usual_tabs(size.cols));
  for (int row = 1; row <= size.rows; ++row) out += "\x1b[" + std::to_string(row) + "H\x1b[2K";
  return out.append("\x1b[H").append(without_reset(snapshot));
}

std::string_view ask_colours() {
  return "\x1b]10;?\x1b\\\x1b]11;?\x1b\\\x1b]12;?\x1b\\\x1b[c";
}

std::string goodbye(OuterSize size) {
  return undo_modes(size) + "\x1b[" + std::to_string(size.rows) + ";1H\r\n";
}

}  // namespace cli
