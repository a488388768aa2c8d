#include "oracle/state_json.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "vt/screen_json.h"

namespace oracle {
namespace {

using vt::append_json_string;

std::string quoted(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

std::string boolean(bool value) {
  return value ? "true" : "false";
}

std::string pair(int a, int b) {
  return "[" + std::to_string(a) + "," + std::to_string(b) + "]";
}

std::string list(const std::vector<std::string>& values) {
  std::string out;
  for (const std::string& value : values) out += (out.empty() ? "" : ",") + quoted(value);
  return "[" + out + "]";
}

std::string saved(const vt::SavedCursor& saved) {
  std::string pen = vt::style_words(saved.pen, {});
  constexpr std::string_view kSingle = "underline=single";
  if (const std::size_t at = pen.find(kSingle); at != std::string::npos)
    pen.replace(at, kSingle.size(), "underline");
  return "[" + std::to_string(saved.cursor.x) + "," + std::to_string(saved.cursor.y) + "," +
         quoted(pen) + "," + quoted({std::string(1, vt::designator_of(saved.charset))}) + "]";
}

std::string tabs(const vt::TabStops& tabs, int cols) {
  std::string out;
  for (int x = 0; x < cols; ++x)
    if (tabs.at(x)) out += (out.empty() ? "" : ",") + std::to_string(x);
  return "[" + out + "]";
}

std::string scrollback(const vt::State& state) {
  std::string out;
  vt::Tables tables;
  vt::Row row;
  vt::History::Reader reader(state.history, vt::kAllHistory);
  while (reader.next(state.size.cols, tables, row)) {
    if (!out.empty()) out += ',';
    vt::append_json_row(out, row, state.size.cols, tables);
  }
  return "[" + out + "]";
}

std::string buffer(const vt::State& state, const vt::Buffer& buffer) {
  std::string out =
      "{\"cursor\":" + pair(std::min(buffer.cursor.x, state.size.cols), buffer.cursor.y);
  out += ",\"margins\":" + pair(buffer.top, buffer.bottom);
  out += ",\"tabs\":" + tabs(buffer.tabs, state.size.cols);
  out += ",\"saved\":" + saved(buffer.saved);
  if (&buffer == &state.primary) out += ",\"scrollback\":" + scrollback(state);
  out += ",\"screen\":[";
  for (int y = 0; y < buffer.grid.rows(); ++y) {
    if (y > 0) out += ',';
    vt::append_json_row(out, buffer.grid.row(y), state.size.cols, state.tables);
  }
  return out + "]}";
}

std::string charset(const vt::Charsets& sets) {
  std::string slots;
  for (const vt::Charset set : sets.g) slots += vt::designator_of(set);
  return "{\"active\":" + quoted(std::string(1, vt::designator_of(sets.active))) +
         ",\"level\":" + std::to_string(sets.level) + ",\"g\":" + quoted(slots) + "}";
}

std::string modes(const vt::State& state) {
  const vt::Modes& modes = state.modes;
  struct Entry {
    std::string_view name;
    bool value;
  };
  const std::array<Entry, 12> entries{{
      {"applicationCursorKeys", modes.application_cursor_keys},
      {"applicationKeypad", modes.application_keypad},
      {"bracketedPaste", modes.bracketed_paste},
      {"convertEol", state.lasting.newline},
      {"cursorBlink", state.lasting.blink_option.value_or(false)},
      {"cursorVisible", state.lasting.cursor_visible},
      {"insert", modes.insert},
      {"origin", modes.origin},
      {"reverseWraparound", modes.reverse_wraparound},
      {"sendFocus", modes.send_focus},
      {"synchronizedOutput", modes.synchronized_output},
      {"wraparound", modes.wraparound},
  }};
  std::string out;
  for (const Entry& entry : entries)
    out += (out.empty() ? "" : ",") + quoted(entry.name) + ":" + boolean(entry.value);
  return "{" + out + "}";
}

std::string cursor_style(const vt::Modes& modes) {
  static constexpr std::array<std::string_view, 4> kShapes{"default", "block", "underline", "bar"};
  return "[" + quoted(kShapes[static_cast<std::size_t>(modes.cursor_shape)]) + "," +
         (modes.cursor_blink ? boolean(*modes.cursor_blink) : "null") + "]";
}

std::string mouse(const vt::State& state) {
  static constexpr std::array<std::string_view, 5> kProtocols{"none", "x10", "vt200", "drag",
                                                              "any"};
  static constexpr std::array<std::string_view, 3> kEncodings{"default", "sgr", "sgrPixels"};
  return "[" + quoted(kProtocols[static_cast<std::size_t>(state.mouse_protocol)]) + "," +
         quoted(kEncodings[static_cast<std::size_t>(state.mouse_encoding)]) + "]";
}

std::string palette(const vt::Palette& palette) {
  static constexpr std::array<std::string_view, 3> kSpecial{"foreground", "background", "cursor"};
  std::string out;
  for (const auto& [index, color] : palette.changed) {
    const std::string name =
        index < vt::Palette::kForeground
            ? std::to_string(index)
            : std::string(kSpecial[static_cast<std::size_t>(index - vt::Palette::kForeground)]);
    vt::Style style;
    style.fg = vt::Color::rgb(color);
    // "fg=#rrggbb"
    out += (out.empty() ? "" : ",") + quoted(name) + ":" +
           quoted(vt::style_words(style, {}).substr(3));
  }
  return "{" + out + "}";
}

}  // namespace

std::string state_json(const vt::Screen& screen) {
  const vt::State& state = screen.state();
  std::string out = "{\"size\":" + pair(state.size.cols, state.size.rows);
  out += state.alternate_active ? ",\"active\":\"alternate\"" : ",\"active\":\"primary\"";
  out += ",\"primary\":" + buffer(state, state.primary);
  out += ",\"alternate\":" + (state.alternate_active
                                  ? buffer(state, state.alternate)
                                  : "{\"saved\":" + saved(state.alternate.saved) + "}");
  out += ",\"pen\":" + quoted(vt::style_words(state.pen, state.tables.links[state.pen.link]));
  out += ",\"preceding\":" + std::to_string(state.preceding);
  out += ",\"charset\":" + charset(state.charsets);
  out += ",\"modes\":" + modes(state);
  out += ",\"cursorStyle\":" + cursor_style(state.modes);
  out += ",\"mouse\":" + mouse(state);
  out += ",\"title\":" + quoted(state.titles.title) + ",\"icon\":" + quoted(state.titles.icon);
  out += ",\"titleStack\":" + list(state.titles.title_stack);
  out += ",\"iconStack\":" + list(state.titles.icon_stack);
  return out + ",\"palette\":" + palette(state.palette) + "}";
}

}  // namespace oracle
