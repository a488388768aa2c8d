#include "vt/notice.h"

#include <algorithm>
#include <charconv>

#include "vt/clean_text.h"

namespace vt {
namespace {

constexpr int kMostPercent = 100;

std::string_view take_field(std::string_view& text) {
  const std::size_t end = text.find(';');
  const std::string_view field = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return field;
}

std::optional<int> parse_number(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole && number >= 0 ? std::optional(number) : std::nullopt;
}

std::optional<Notice> message(std::string_view text) {
  Notice notice{.kind = Notice::Kind::message, .text = clean_text(text, Notice::kMaxText)};
  if (notice.text.empty()) return std::nullopt;
  return notice;
}

// 4;state;percent, as ConEmu defines it.
std::optional<Notice> progress(std::string_view text) {
  const std::optional<int> state = parse_number(take_field(text));
  std::optional<int> percent = parse_number(take_field(text));
  if (percent) percent = std::min(*percent, kMostPercent);
  switch (state.value_or(-1)) {
    case 0:
      return Notice{.kind = Notice::Kind::over};
    case 1:
    case 2:  // With an error.
      return Notice{.kind = Notice::Kind::progress, .percent = percent.value_or(0)};
    case 3:  // Nobody knows how far.
      return Notice{.kind = Notice::Kind::progress};
    case 4:
      return Notice{.kind = Notice::Kind::paused, .percent = percent};
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<Notice> parse_notice(int command, std::string_view text) {
  if (command == 777) {
    if (take_field(text) != "notify") return std::nullopt;
    const std::string title(take_field(text));
    if (title.empty() || text.empty()) return message(title + std::string(text));
    return message(title + ": " + std::string(text));
  }
  // A number at the front makes it something else: 4 is the progress, the others are ConEmu's own.
  std::string_view rest = text;
  const std::optional<int> number = parse_number(take_field(rest));
  if (!number) return message(text);
  return *number == 4 ? progress(rest) : std::nullopt;
}

}  // namespace vt
