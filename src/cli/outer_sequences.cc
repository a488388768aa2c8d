#include "cli/outer_sequences.h"

namespace cli {
namespace {

constexpr std::string_view kFullReset =
    "\x1b"
    "c";

// The output may have stopped in the middle of a sequence or string: this ends it.
constexpr std::string_view kGround = "\x18\x1b\\";

// Each screen has flags of its own.
constexpr std::string_view kNoKeyboardFlags = "\x1b[<99u\x1b[=0u";

constexpr std::string_view kUndo =
    "\x1b[!p"                            // a soft reset, where it is known
    "\x1b[m\x1b]8;;\x1b\\"               // attributes, hyperlink
    "\x1b[4l\x1b[20l"                    // insert, newline
    "\x1b[?1l\x1b>"                      // application keys
    "\x1b[?5l\x1b[?6l\x1b[?7h\x1b[?45l"  // reverse video, origin, wraparound, reverse wraparound
    "\x1b[?69l\x1b[r"                    // margins
    "\x1b[?9l\x1b[?1000l\x1b[?1001l\x1b[?1002l\x1b[?1003l"       // mouse
    "\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l"               // its encodings
    "\x1b[?1004l\x1b[?2004l"                                     // focus reports, bracketed paste
    "\x1b[?2031l\x1b[?2048l"                                     // reports of colours and sizes
    "\x1b[>4m"                                                   // modifyOtherKeys
    "\x1b(B\x1b)B\x0f"                                           // character sets
    "\x1b[?25h\x1b[0 q"                                          // cursor
    "\x1b]104\x1b\\\x1b]110\x1b\\\x1b]111\x1b\\\x1b]112\x1b\\";  // colours

std::string usual_tabs(int cols) {
  constexpr int kEvery = 8;
  std::string out = "\r\x1b[3g";
  for (int column = 1 + kEvery; column <= cols; column += kEvery)
    out += "\x1b[" + std::to_string(column) + "G\x1bH";
  return out + "\r";
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
      .append(kUndo)
      .append(usual_tabs(size.cols));
}

std::string first_picture(OuterSize size, std::string_view snapshot) {
  // From wherever the cursor is, as many lines as the screen has bring everything above it into the
  // scrollback, and no more.
  return std::string(static_cast<std::size_t>(size.rows), '\n')
      .append(undo_modes(size))
      .append("\x1b[H\x1b[2J")
      .append(without_reset(snapshot));
}

std::string next_picture(OuterSize size, std::string_view snapshot) {
  return undo_modes(size).append("\x1b[H\x1b[2J\x1b[3J").append(without_reset(snapshot));
}

std::string notice(OuterSize size, std::string_view text) {
  std::string line = " " + std::string(text);
  line.resize(static_cast<std::size_t>(size.cols > 1 ? size.cols - 1 : 1), ' ');
  return std::string(kGround) + "\x1b[?2026l\x1b\x37\x1b[?6l\x1b[" + std::to_string(size.rows) +
         ";1H\x1b[0;7m" + line + "\x1b[m\x1b\x38";
}

std::string goodbye(OuterSize size) {
  return undo_modes(size) + "\x1b[" + std::to_string(size.rows) + ";1H\r\n";
}

}  // namespace cli
