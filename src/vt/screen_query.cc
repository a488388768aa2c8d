// Queries and their answers. A query changes nothing, since viewers never get it.

#include <algorithm>
#include <array>
#include <cstdint>

#include "vt/screen.h"
#include "vt/sgr_writer.h"

namespace vt {
namespace {

constexpr std::string_view kSt = "\x1b\\";

std::string number(int value) {
  return std::to_string(value);
}

std::string hex(std::string_view text) {
  static constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    out += kDigits[static_cast<unsigned char>(c) >> 4];
    out += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return out;
}

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

// rgb:rrrr/gggg/bbbb, each channel's byte twice.
std::string color_text(std::uint32_t color) {
  std::string out = "rgb:";
  for (int shift = 16; shift >= 0; shift -= 8) {
    static constexpr std::string_view kDigits = "0123456789abcdef";
    const std::string byte{kDigits[color >> (shift + 4) & 15], kDigits[color >> shift & 15]};
    out += byte + byte + (shift > 0 ? "/" : "");
  }
  return out;
}

}  // namespace

// Within a dispatch: this sequence is a query, and `text` is the next part of its answer.
void Screen::reply(std::string_view text) {
  is_query_ = true;
  reply_ += text;
}

void Screen::flush_reply() {
  if (!is_query_) return;
  if (queries_ != nullptr) queries_->query(parser_.sequence(), reply_);
  reply_.clear();
  is_query_ = false;
}

void Screen::device_attributes(const Params& params) {
  if (params[0] <= 0) reply("\x1b[?1;2c");
}

void Screen::secondary_attributes(const Params& params) {
  if (params[0] <= 0) reply("\x1b[>0;276;0c");
}

void Screen::tertiary_attributes(const Params& params) {
  if (params[0] <= 0) reply("\x1bP!|00000000\x1b\\");
}

void Screen::terminal_version(const Params& params) {
  if (params[0] <= 0) reply("\x1bP>|holdfast " HOLDFAST_VERSION "\x1b\\");
}

void Screen::device_status(const Params& params) {
  if (params[0] == 5) reply("\x1b[0n");
  if (params[0] != 6) return;
  const int column = std::min(buffer().cursor.x, state_.size.cols - 1) + 1;
  reply("\x1b[" + number(buffer().cursor.y + 1) + ";" + number(column) + "R");
}

void Screen::private_device_status(const Params& params) {
  if (params[0] != 6) return;
  const int column = std::min(buffer().cursor.x, state_.size.cols - 1) + 1;
  reply("\x1b[?" + number(buffer().cursor.y + 1) + ";" + number(column) + "R");
}

void Screen::request_mode(const Params& params) {
  reply("\x1b[" + number(params[0]) + ";" + number(mode_report(params[0])) + "$y");
}

void Screen::request_private_mode(const Params& params) {
  reply("\x1b[?" + number(params[0]) + ";" + number(private_mode_report(params[0])) + "$y");
}

void Screen::keyboard_query(const Params& /*params*/) {
  reply("\x1b[?" + number(buffer().keyboard.current) + "u");
}

void Screen::window_operation(const Params& params) {
  const auto size_report = [this](int kind, int height, int width) {
    const bool known = height > 0 && width > 0;
    reply(known ? "\x1b[" + number(kind) + ";" + number(height) + ";" + number(width) + "t" : "");
  };
  const auto [cols, rows] = state_.size;
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
      if (params[1] != 2) size_report(4, cell_pixels_.height * rows, cell_pixels_.width * cols);
      return;
    case 16:
      return size_report(6, cell_pixels_.height, cell_pixels_.width);
    case 18:
      return size_report(8, rows, cols);
    case 19:
      return size_report(9, rows, cols);
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
  const std::string which = index < Palette::kForeground
                                ? "4;" + number(index)
                                : number(index - Palette::kForeground + 10);
  reply("\x1b]" + which + ";" + color_text(color_of(index)));
  reply(kSt);
}

bool Screen::wants_dcs(Identifier id) const {
  return id == identifier("$q") || id == identifier("+q");
}

void Screen::dcs_dispatch(Identifier id, const Params& /*params*/, std::string_view text) {
  if (id == identifier("$q")) request_status(text);
  if (id == identifier("+q")) request_capabilities(text);
  flush_reply();
}

// DECRQSS.
void Screen::request_status(std::string_view what) {
  const Modes& modes = state_.modes;
  std::string value;
  if (what == "m") {
    append_sgr(value, state_.pen);
  } else if (what == "r") {
    value = number(buffer().top + 1) + ";" + number(buffer().bottom + 1);
  } else if (what == "\"q") {
    value = (state_.pen.flags & Style::kProtected) != 0 ? "1" : "0";
  } else if (what == "\"p") {
    value = "61;1";
  } else if (what == " q") {
    const int shape =
        modes.cursor_shape == CursorShape::unset ? 1 : static_cast<int>(modes.cursor_shape);
    value = number(2 * shape - (modes.cursor_blink.value_or(false) ? 1 : 0));
  } else {
    return reply("\x1bP0$r\x1b\\");
  }
  reply("\x1bP1$r" + value);
  reply(what);
  reply(kSt);
}

// XTGETTCAP: names in hexadecimal, separated by semicolons; each gets an answer of its own.
void Screen::request_capabilities(std::string_view names) {
  while (true) {
    const std::size_t end = names.find(';');
    const std::string_view name = names.substr(0, end);
    const auto same = [name](const Capability& capability) {
      return std::ranges::equal(hex(capability.name), name, [](char a, char b) {
        return a == (b >= 'a' && b <= 'f' ? b - 32 : b);
      });
    };
    const auto* const found = std::ranges::find_if(kCapabilities, same);
    if (found == kCapabilities.end()) {
      reply("\x1bP0+r");
      reply(name);
    } else {
      reply("\x1bP1+r");
      reply(name);
      reply("=" + hex(found->value));
    }
    reply(kSt);
    if (end == std::string_view::npos) return;
    names.remove_prefix(end + 1);
  }
}

}  // namespace vt
