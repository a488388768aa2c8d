#include "vt/snapshot_modes.h"

#include <array>
#include <string>

namespace vt {
namespace {

void mode(SnapshotWriter& out, bool on, std::string_view number) {
  out.raw("\x1b[");
  out.raw(number);
  out.raw(on ? "h" : "l");
}

void mouse(const State& state, SnapshotWriter& out) {
  static constexpr std::array<std::string_view, 5> kProtocols{"", "?9", "?1000", "?1002", "?1003"};
  static constexpr std::array<std::string_view, 3> kEncodings{"", "?1006", "?1016"};
  const auto protocol = static_cast<std::size_t>(state.mouse_protocol);
  const auto encoding = static_cast<std::size_t>(state.mouse_encoding);
  if (protocol != 0) mode(out, true, kProtocols[protocol]);
  if (encoding != 0) mode(out, true, kEncodings[encoding]);
}

void cursor_style(const Modes& modes, SnapshotWriter& out) {
  if (!modes.cursor_blink) return;
  // 7 and 8 change only the blinking.
  constexpr int kNoShape = 4;
  const int shape =
      modes.cursor_shape == CursorShape::unset ? kNoShape : static_cast<int>(modes.cursor_shape);
  out.csi(2 * shape - (*modes.cursor_blink ? 1 : 0), " q");
}

}  // namespace

void write_titles(const Titles& titles, SnapshotWriter& out) {
  // A reset leaves titles and their stacks alone, so first clear what an old viewer may have.
  for (std::size_t i = 0; i < Titles::kMaxPushed; ++i) out.raw("\x1b[23t");
  for (const std::string& title : titles.title_stack) {
    out.osc("2", title);
    out.raw("\x1b[22;2t");
  }
  for (const std::string& icon : titles.icon_stack) {
    out.osc("1", icon);
    out.raw("\x1b[22;1t");
  }
  out.osc("2", titles.title);
  out.osc("1", titles.icon);
}

void write_colors(const Palette& palette, SnapshotWriter& out) {
  out.raw("\x1b]104\x1b\\\x1b]110\x1b\\\x1b]111\x1b\\\x1b]112\x1b\\");
  for (const auto& [index, color] : palette.changed) {
    static constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text = "#";
    for (int shift = 20; shift >= 0; shift -= 4) text += kDigits[color >> shift & 15];
    if (index < Palette::kForeground) {
      out.osc("4", std::to_string(index) + ";" + text);
    } else {
      out.osc(std::to_string(index - Palette::kForeground + 10), text);
    }
  }
}

void write_keyboard(const KeyboardFlags& keyboard, SnapshotWriter& out) {
  if (keyboard == KeyboardFlags()) return;
  std::string_view set = "\x1b[=";
  const auto put = [&](std::uint8_t flags) {
    out.raw(set);
    out.raw(std::to_string(flags) + "u");
    set = "\x1b[>";
  };
  for (const std::uint8_t flags : keyboard.pushed) put(flags);
  put(keyboard.current);
}

void write_modes(const State& state, SnapshotWriter& out) {
  const Modes& modes = state.modes;
  // A reset leaves these alone, so always write them. But blinking is the viewer's choice until a
  // program sets it.
  mode(out, state.lasting.cursor_visible, "?25");
  mode(out, state.lasting.newline, "20");
  if (state.lasting.blink_option) mode(out, *state.lasting.blink_option, "?12");
  if (modes.application_cursor_keys) mode(out, true, "?1");
  if (modes.application_keypad) out.raw("\x1b=");
  if (modes.bracketed_paste) mode(out, true, "?2004");
  if (modes.reverse_wraparound) mode(out, true, "?45");
  if (modes.send_focus) mode(out, true, "?1004");
  if (modes.synchronized_output) mode(out, true, "?2026");
  if (!modes.wraparound) mode(out, false, "?7");
  mouse(state, out);
  cursor_style(modes, out);
  // This one moves the cursor home.
  if (modes.origin) mode(out, true, "?6");
}

}  // namespace vt
