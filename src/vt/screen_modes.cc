// Modes: ANSI and DEC private, their reports, and what DECSTR resets.

#include <algorithm>

#include "vt/screen.h"

namespace vt {
namespace {

enum ModeReport { kNotKnown = 0, kSet = 1, kReset = 2, kAlwaysSet = 3, kAlwaysReset = 4 };

constexpr int report(bool on) {
  return on ? kSet : kReset;
}

struct PrivateFlag {
  int mode;
  bool Modes::* flag;
};

// The modes that are one flag and nothing else. 6 (origin) also homes the cursor.
constexpr PrivateFlag kPrivateFlags[] = {
    {1, &Modes::application_cursor_keys}, {7, &Modes::wraparound},
    {45, &Modes::reverse_wraparound},     {66, &Modes::application_keypad},
    {1004, &Modes::send_focus},           {2004, &Modes::bracketed_paste},
    {2026, &Modes::synchronized_output},
};

struct MouseMode {
  int mode;
  MouseProtocol protocol;
};
constexpr MouseMode kMouseModes[] = {
    {9, MouseProtocol::x10},
    {1000, MouseProtocol::vt200},
    {1002, MouseProtocol::drag},
    {1003, MouseProtocol::any},
};

}  // namespace

void Screen::set_mode(const Params& params) {
  for (int i = 0; i < params.size(); ++i) change_mode(params[i], true);
}

void Screen::reset_mode(const Params& params) {
  for (int i = 0; i < params.size(); ++i) change_mode(params[i], false);
}

void Screen::set_private_mode(const Params& params) {
  for (int i = 0; i < params.size(); ++i) change_private_mode(params[i], true);
}

void Screen::reset_private_mode(const Params& params) {
  for (int i = 0; i < params.size(); ++i) change_private_mode(params[i], false);
}

void Screen::change_mode(int mode, bool on) {
  if (mode == 4) state_.modes.insert = on;
  if (mode == 20) state_.lasting.newline = on;
}

void Screen::change_private_mode(int mode, bool on) {
  for (const PrivateFlag& entry : kPrivateFlags)
    if (entry.mode == mode) state_.modes.*entry.flag = on;
  for (const MouseMode& entry : kMouseModes)
    if (entry.mode == mode) state_.mouse_protocol = on ? entry.protocol : MouseProtocol::none;
  switch (mode) {
    case 2:
      if (!on) return;
      state_.charsets.g.fill(Charset::us);
      state_.charsets.active = Charset::us;
      return;
    case 6:
      state_.modes.origin = on;
      return set_cursor(0, 0);
    case 12:
      state_.lasting.blink_option = on;
      return;
    case 25:
      state_.lasting.cursor_visible = on;
      return;
    case 1006:
      state_.mouse_encoding = on ? MouseEncoding::sgr : MouseEncoding::basic;
      return;
    case 1016:
      state_.mouse_encoding = on ? MouseEncoding::sgr_pixels : MouseEncoding::basic;
      return;
    default:
      return change_screen_mode(mode, on);
  }
}

void Screen::change_screen_mode(int mode, bool on) {
  switch (mode) {
    case 47:
    case 1047:
      return select_screen(on);
    case 1048:
      return on ? save_cursor() : restore_cursor();
    case 1049:
      if (on) save_cursor();
      select_screen(on);
      if (!on) restore_cursor();
      return;
    default:
      return;
  }
}

int Screen::mode_report(int mode) const {
  switch (mode) {
    case 2:
      return kAlwaysReset;
    case 4:
      return report(state_.modes.insert);
    case 12:
      return kAlwaysSet;
    case 20:
      return report(state_.lasting.newline);
    default:
      return kNotKnown;
  }
}

int Screen::private_mode_report(int mode) const {
  for (const PrivateFlag& entry : kPrivateFlags)
    if (entry.mode == mode) return report(state_.modes.*entry.flag);
  for (const MouseMode& entry : kMouseModes)
    if (entry.mode == mode) return report(state_.mouse_protocol == entry.protocol);
  switch (mode) {
    case 6:
      return report(state_.modes.origin);
    case 8:
      return kAlwaysSet;
    case 12:
      return report(state_.lasting.blink_option.value_or(false));
    case 25:
      return report(state_.lasting.cursor_visible);
    case 47:
    case 1047:
    case 1049:
      return report(state_.alternate_active);
    case 67:
    case 1005:
    case 1015:
      return kAlwaysReset;
    case 1006:
      return report(state_.mouse_encoding == MouseEncoding::sgr);
    case 1016:
      // Tracked, but useless because the size of a cell is unknown here.
      return kNotKnown;
    case 1048:
      return kSet;
    default:
      return kNotKnown;
  }
}

void Screen::soft_reset(const Params& /*params*/) {
  Buffer& b = buffer();
  state_.lasting.cursor_visible = true;
  b.top = 0;
  b.bottom = state_.size.rows - 1;
  state_.pen = {};
  pen_changed_ = true;
  state_.modes = {};
  state_.charsets = {};
  b.saved = {};
}

void Screen::cursor_style(const Params& params) {
  Modes& modes = state_.modes;
  if (params[0] == 0) {
    modes.cursor_shape = CursorShape::unset;
    modes.cursor_blink.reset();
    return;
  }
  if (params[0] <= 6) modes.cursor_shape = static_cast<CursorShape>((params[0] + 1) / 2);
  modes.cursor_blink = params[0] % 2 == 1;
}

void Screen::keyboard_set(const Params& params) {
  std::uint8_t& flags = buffer().keyboard.current;
  const auto given = static_cast<std::uint8_t>(params[0] & 0x1f);
  switch (params.count_at(1)) {
    case 1:
      flags = given;
      return;
    case 2:
      flags |= given;
      return;
    case 3:
      flags &= static_cast<std::uint8_t>(~given);
      return;
    default:
      return;
  }
}

void Screen::keyboard_push(const Params& params) {
  KeyboardFlags& keyboard = buffer().keyboard;
  if (keyboard.pushed.size() == KeyboardFlags::kMaxPushed)
    keyboard.pushed.erase(keyboard.pushed.begin());
  keyboard.pushed.push_back(keyboard.current);
  keyboard.current = static_cast<std::uint8_t>(params[0] & 0x1f);
}

void Screen::keyboard_pop(const Params& params) {
  KeyboardFlags& keyboard = buffer().keyboard;
  const auto wanted = static_cast<std::size_t>(params.count_at(0));
  const std::size_t count = std::min(wanted, keyboard.pushed.size());
  keyboard.current = count < wanted ? 0 : keyboard.pushed[keyboard.pushed.size() - count];
  keyboard.pushed.erase(keyboard.pushed.end() - static_cast<std::ptrdiff_t>(count),
                        keyboard.pushed.end());
}

}  // namespace vt
