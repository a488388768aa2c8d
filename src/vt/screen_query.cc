// Queries and their answers. A query must not change anything, because viewers never get it.

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "vt/screen.h"

namespace vt {
namespace {

struct Capability {
  std::string_view name;
  std::string_view value;
};
constexpr std::array<Capability, 5> kCapabilities{{
    {"TN", "xterm-256color"},
    {"name", "xterm-256color"},
    {"Co", "256"},
    {"colors", "256"},
    {"RGB", "8/8/8"},
}};

std::optional<int> hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

// Empty if they are not pairs of digits.
std::string decode_hex(std::string_view digits) {
  if (digits.size() % 2 != 0) return {};
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const std::optional<int> high = hex_digit(digits[i]);
    const std::optional<int> low = hex_digit(digits[i + 1]);
    if (!high || !low) return {};
    bytes += static_cast<char>(*high << 4 | *low);
  }
  return bytes;
}

}  // namespace

// During a dispatch: marks this sequence as a query, whether or not it is answered.
Reply& Screen::reply() {
  is_query_ = true;
  return reply_;
}

// No program puts a control into a query, so a query with one is not answered.
void Screen::flush_reply() {
  if (!is_query_) return;
  if (parser_.inside() != Parser::Inside::nothing) reply_.clear();
  if (sink_ != nullptr) sink_->query(parser_.sequence(), reply_);
  send_instead(but_for_it_);
  reply_.clear();
  but_for_it_.clear();
  is_query_ = false;
}

void Screen::device_attributes(const Params& params) {
  if (params[0] <= 0) reply().word("\x1b[?1;2c");
}

void Screen::secondary_attributes(const Params& params) {
  if (params[0] <= 0) reply().word("\x1b[>0;276;0c");
}

void Screen::tertiary_attributes(const Params& params) {
  if (params[0] <= 0) reply().word("\x1bP!|00000000\x1b\\");
}

void Screen::terminal_version(const Params& params) {
  if (params[0] <= 0) reply().word("\x1bP>|holdfast " HOLDFAST_VERSION "\x1b\\");
}

void Screen::device_status(const Params& params) {
  if (params[0] == 5) reply().word("\x1b[0n");
  if (params[0] == 6) report_position("\x1b[");
}

void Screen::private_device_status(const Params& params) {
  if (params[0] == 6) report_position("\x1b[?");
}

void Screen::report_position(Reply::Word introducer) {
  const int column = std::min(buffer().cursor.x, state_.size.cols - 1) + 1;
  reply().word(introducer).number(buffer().cursor.y + 1).word(";").number(column).word("R");
}

void Screen::request_mode(const Params& params) {
  const int mode = params[0];
  reply().word("\x1b[").number(mode).word(";").number(mode_report(mode)).word("$y");
}

void Screen::request_private_mode(const Params& params) {
  const int mode = params[0];
  reply().word("\x1b[?").number(mode).word(";").number(private_mode_report(mode)).word("$y");
}

// Clients ignore these flags when they send keys, so do not promise them. A viewer that supports
// them must not promise them either.
void Screen::keyboard_query(const Params& /*params*/) {
  reply();
}

void Screen::report_size(int kind) {
  const auto [cols, rows] = state_.size;
  reply().word("\x1b[").number(kind).word(";").number(rows).word(";").number(cols).word("t");
}

void Screen::window_operation(const Params& params) {
  Titles& titles = state_.titles;
  const bool title = params[1] == 0 || params[1] == 2;
  const bool icon = params[1] == 0 || params[1] == 1;
  const auto push = [](std::vector<std::string>& stack, const std::string& value) {
    if (stack.size() == Titles::kMaxPushed) stack.erase(stack.begin());
    stack.push_back(value);
  };
  const auto pop = [](std::vector<std::string>& stack, std::string& value) {
    if (stack.empty()) return;
    value = std::move(stack.back());
    stack.pop_back();
  };
  switch (params[0]) {
    case 14:
    case 16:
      // The size of a cell is unknown here and differs between viewers.
      reply();
      return;
    case 18:
      return report_size(8);
    case 19:
      return report_size(9);
    case 20:
    case 21:
      // A title is text from the stream, so it is never reported, and viewers must not be asked for
      // it.
      reply();
      return;
    case 22:
      if (title) push(titles.title_stack, titles.title);
      if (icon) push(titles.icon_stack, titles.icon);
      return;
    case 23:
      if (title) pop(titles.title_stack, titles.title);
      if (icon) pop(titles.icon_stack, titles.icon);
      return;
    default:
      return;
  }
}

void Screen::report_color(int index) {
  Reply& answer = reply().word("\x1b]");
  if (index < Palette::kForeground) {
    answer.word("4;").number(index);
  } else {
    answer.number(index - Palette::kForeground + 10);
  }
  answer.word(";").color(color_of(index)).word("\x1b\\");
}

bool Screen::wants_dcs(Identifier id) const {
  return id == identifier("$q") || id == identifier("+q");
}

void Screen::dcs_dispatch(Identifier id, const Params& /*params*/, std::string_view text) {
  charge(kSequenceWork + static_cast<std::int64_t>(text.size()));
  state_.preceding = 0;
  but_for_it_ = kNoString;
  if (id == identifier("$q")) request_status(text);
  if (id == identifier("+q")) request_capabilities(text);
  flush_reply();
}

// DECRQSS. `what` is compared, never repeated.
void Screen::request_status(std::string_view what) {
  const Modes& modes = state_.modes;
  Reply& answer = reply();
  if (what == "m") {
    answer.word("\x1bP1$r").style(state_.pen).word("m");
  } else if (what == "r") {
    const Buffer& b = buffer();
    answer.word("\x1bP1$r").number(b.top + 1).word(";").number(b.bottom + 1).word("r");
  } else if (what == "\"q") {
    const bool is_protected = (state_.pen.flags & Style::kProtected) != 0;
    answer.word("\x1bP1$r").number(is_protected ? 1 : 0).word("\"q");
  } else if (what == "\"p") {
    answer.word("\x1bP1$r61;1\"p");
  } else if (what == " q") {
    const int shape =
        modes.cursor_shape == CursorShape::unset ? 1 : static_cast<int>(modes.cursor_shape);
    const int blinks = modes.cursor_blink.value_or(false) ? 1 : 0;
    answer.word("\x1bP1$r").number(2 * shape - blinks).word(" q");
  } else {
    answer.word("\x1bP0$r");
  }
  answer.word("\x1b\\");
}

// XTGETTCAP: names in hexadecimal, separated by semicolons; each gets an answer of its own.
void Screen::request_capabilities(std::string_view names) {
  while (true) {
    const std::size_t end = names.find(';');
    report_capability(names.substr(0, end));
    if (end == std::string_view::npos) return;
    names.remove_prefix(end + 1);
  }
}

// The name is sent back in our own hex digits, made from its bytes. Invalid hex is not sent back.
void Screen::report_capability(std::string_view digits) {
  const std::string name = decode_hex(digits);
  const auto* const found = std::ranges::find(kCapabilities, name, &Capability::name);
  if (found != kCapabilities.end()) {
    reply().word("\x1bP1+r").hex(found->name).word("=").hex(found->value);
  } else {
    reply().word("\x1bP0+r").hex(name);
  }
  reply().word("\x1b\\");
}

}  // namespace vt
