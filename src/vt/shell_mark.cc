#include "vt/shell_mark.h"

#include <charconv>

#include "vt/clean_text.h"

namespace vt {
namespace {

std::string_view take_field(std::string_view& text) {
  const std::size_t end = text.find(';');
  const std::string_view field = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return field;
}

std::optional<std::uint8_t> parse_status(std::string_view text) {
  std::uint8_t status = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), status);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(status)
                                                                  : std::nullopt;
}

// 0 if it is no number.
std::uint64_t parse_offset(std::string_view text) {
  std::uint64_t offset = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), offset);
  return error == std::errc() && end == text.data() + text.size() ? offset : 0;
}

std::string decode_percents(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = 0;
    const char* const digits = text.data() + i + 1;
    if (text[i] != '%' || text.size() - i < 3 ||
        std::from_chars(digits, digits + 2, byte, 16).ptr != digits + 2) {
      out += text[i];
    } else {
      out += static_cast<char>(byte);
      i += 2;
    }
  }
  return out;
}

}  // namespace

std::optional<ShellMark> parse_shell_mark(std::string_view text) {
  using Kind = ShellMark::Kind;
  constexpr std::string_view kKinds = "ABCD";
  constexpr std::string_view kText = "cmdline_url=";
  constexpr std::string_view kKey = "aid=";
  constexpr std::string_view kStart = "start=";
  const std::string_view kind = take_field(text);
  if (kind.size() != 1 || kKinds.find(kind[0]) == std::string_view::npos) return std::nullopt;
  ShellMark mark{.kind = static_cast<Kind>(kKinds.find(kind[0]))};
  if (mark.kind == Kind::end) mark.status = parse_status(take_field(text));
  while (!text.empty()) {
    const std::string_view field = take_field(text);
    if (mark.kind == Kind::prompt && field == "k=s") mark.kind = Kind::more;
    if (mark.kind == Kind::output && field.starts_with(kText))
      mark.text = clean_text(decode_percents(field.substr(kText.size())), ShellMark::kMaxText);
    if (field.starts_with(kStart)) mark.start = parse_offset(field.substr(kStart.size()));
    if (field.starts_with(kKey) && field.size() <= kKey.size() + ShellMark::kMaxKey)
      mark.key = field.substr(kKey.size());
  }
  return mark;
}

}  // namespace vt
